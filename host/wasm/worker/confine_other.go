//go:build !linux

package worker

import "errors"

var errUnknown = errors.New("not available on this system")

// confine gives up nothing: there is no way that Go reaches without C. What the
// parent takes - environment, descriptors, working directory - is taken.
func confine(*loadRequest, string) []Finding {
	var all []Finding
	for _, name := range []string{Descriptors, ParentDeath, Limits, Privileges, Landlock, Seccomp} {
		all = append(all, Finding{Name: name, Err: errUnknown})
	}
	return all
}

// canKeep says that compiled code is kept: a worker can write anywhere.
func canKeep() bool { return true }
