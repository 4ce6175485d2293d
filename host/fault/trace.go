package fault

import "errors"

// A traced error knows in which functions of a plugin it happened.
type traced struct {
	error
	frames []string
}

// Unwrap returns the error without its trace.
func (t traced) Unwrap() error { return t.error }

// WithTrace attaches the names of the functions that a plugin was in, innermost
// first. It returns nil if err is nil.
func WithTrace(err error, frames []string) error {
	if err == nil {
		return nil
	}
	return traced{err, frames}
}

// Trace returns the functions that a plugin was in when a call or its start
// failed, innermost first: at most 30 of them, each at most 80 printable ASCII
// characters. Names are those of the module's name section, which its author
// chose; func[7] is function 7 of a module that names none. It returns nil for
// other errors, but for those of Panicked. The caller must not change it.
func Trace(err error) []string {
	if t, ok := errors.AsType[traced](err); ok {
		return t.frames
	}
	return nil
}
