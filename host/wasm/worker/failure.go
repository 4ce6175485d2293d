package worker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// readError reads what appendError wrote. The texts are made fit for a terminal; a script's error
// has lines.
func readError(b []byte) (failure, err error) {
	r := body{b: b}
	class, hint, message, trace := fault.Class(r.text()), string(r.text()), string(r.text()), string(r.text())
	switch {
	case r.short || len(r.b) > 0:
		return nil, fmt.Errorf("%w: an error of %d bytes", errFrame, len(b))
	case !slices.Contains(classes, class):
		return nil, fmt.Errorf("%w: an error of class %q", errFrame, diag.Plain(string(class)))
	case len(hint) > mostMessage || len(message) > mostMessage || len(trace) > mostMessage:
		return nil, fmt.Errorf("%w: an error with %d bytes of text", errFrame, len(hint)+len(message))
	}
	failure = fault.New(class, "%s", diag.PlainLines(message))
	if hint != "" {
		failure = fault.WithHint(failure, "%s", diag.Plain(hint))
	}
	if trace != "" {
		failure = fault.WithTrace(failure, strings.Split(diag.PlainLines(trace), "\n"))
	}
	return failure, nil
}
