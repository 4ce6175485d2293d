package binary

import "fmt"

// A Refusal is the reason why a module was refused. Read returns it wrapped in
// an error of class fault.Refused; errors.As finds it.
type Refusal struct {
	Section string // "code", "type", ...; "module" for problems outside of sections
	Offset  int    // byte offset of the error in the module
	Limit   string // name of the field of Limits that was exceeded; empty if the module is malformed or unsupported
	Message string // lower case, no final period, with numbers
}

// Error returns place and reason, on one line.
func (r *Refusal) Error() string {
	s := fmt.Sprintf("%s section, offset %d: %s", r.Section, r.Offset, r.Message)
	if r.Section == "module" {
		s = fmt.Sprintf("offset %d: %s", r.Offset, r.Message)
	}
	if r.Limit != "" {
		s += fmt.Sprintf(" (limit %s)", r.Limit)
	}
	return s
}
