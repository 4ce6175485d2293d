package plugin

import (
	sandbox "github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// scorersIn returns the names by which the scorers of a module are called; none
// if it cannot be read, which is said when it is loaded.
func scorersIn(module []byte) []string {
	m, err := binary.Outline(module, binary.Limits{})
	if err != nil {
		return nil
	}
	return sandbox.ScorersOf(m)
}
