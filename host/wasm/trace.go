package wasm

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

const (
	tracePrefix = "wasm stack trace:" // wazero's list of calls follows, at most 30
	maxFrame    = 80                  // bytes of a function's name
)

// frameForm matches a call as wazero writes it: module, name, parameters, results.
var frameForm = sync.OnceValue(func() *regexp.Regexp {
	const t = `(?:i32|i64|f32|f64|v128|funcref|externref)`
	const list = `(?:` + t + `(?:,` + t + `)*)`
	return regexp.MustCompile(`^\.?(.+?)\(` + list + `?\)(?: ` + t + `| \(` + list + `\))?$`)
})

// framesOf returns the functions in the trace of a wazero error, innermost first. The module
// imports so many functions, the refill apart.
func framesOf(text string, imported uint32) (names []string) {
	_, calls, _ := strings.Cut(text, tracePrefix)
	for line := range strings.Lines(calls) {
		form := frameForm().FindStringSubmatch(strings.TrimSpace(line))
		if form == nil || strings.HasPrefix(form[1], meter.Reserved) {
			continue
		}
		names = append(names, plain(unnamed(form[1], imported), maxFrame))
	}
	return names
}

// unnamed replaces wazero's name of a function without one, $index, by one with its index
// before metering.
func unnamed(name string, imported uint32) string {
	digits, isIndex := strings.CutPrefix(name, "$")
	index, err := strconv.ParseUint(digits, 10, 32)
	if !isIndex || err != nil {
		return name
	}
	if index > uint64(imported) {
		index-- // metering imports the refill after the others
	}
	return fmt.Sprintf("func[%d]", index)
}

const maxFramesShown = 6 // in a message

// innermost returns the innermost calls as part of a message: " in a < b < c".
func innermost(frames []string) string {
	if len(frames) == 0 {
		return ""
	}
	return " in " + strings.Join(frames[:min(len(frames), maxFramesShown)], " < ")
}
