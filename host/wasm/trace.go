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
	tracePrefix = "wasm stack trace:" // how wazero begins the list of calls, at most 30
	nameLength  = 80                  // of one function that is kept
)

// frameForm is how wazero writes a call: module, name, parameters, results.
var frameForm = sync.OnceValue(func() *regexp.Regexp {
	const t = `(?:i32|i64|f32|f64|v128|funcref|externref)`
	const list = `(?:` + t + `(?:,` + t + `)*)`
	return regexp.MustCompile(`^\.?(.+?)\(` + list + `?\)(?: ` + t + `| \(` + list + `\))?$`)
})

// frames reads the calls from what wazero says of an error.
func (m *Module) frames(text string) (names []string) {
	_, calls, _ := strings.Cut(text, tracePrefix)
	for line := range strings.Lines(calls) {
		form := frameForm().FindStringSubmatch(strings.TrimSpace(line))
		if form == nil || strings.HasPrefix(form[1], meter.Reserved) {
			continue
		}
		names = append(names, printable(m.unnamed(form[1]), nameLength))
	}
	return names
}

// unnamed turns wazero's name of a function without one, $index, into one with
// the index that it has in the module as it was before it was metered.
func (m *Module) unnamed(name string) string {
	digits, isIndex := strings.CutPrefix(name, "$")
	index, err := strconv.ParseUint(digits, 10, 32)
	if !isIndex || err != nil {
		return name
	}
	if index > uint64(m.traits.Imported) {
		index-- // the refill moved it
	}
	return fmt.Sprintf("func[%d]", index)
}

// framesShown is how many calls an error message shows.
const framesShown = 6

// inner returns the innermost calls as part of a message: " in a < b < c".
func inner(frames []string) string {
	if len(frames) == 0 {
		return ""
	}
	return " in " + strings.Join(frames[:min(len(frames), framesShown)], " < ")
}
