package llm

import (
	"errors"

	"github.com/rubric-host/rubric-host/host/fault"
)

// stopping is an error after which a run must make no further call.
type stopping struct{ error }

func (s stopping) Unwrap() error { return s.error }

// Stops reports whether no further call makes sense after err: a budget is used
// up, calls cannot be recorded, or the endpoint refuses all of them. A run stops
// then; its finished rows are kept.
func Stops(err error) bool {
	_, stops := errors.AsType[stopping](err)
	return stops || fault.Is(err, fault.Budget)
}
