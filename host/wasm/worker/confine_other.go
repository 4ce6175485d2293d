//go:build !linux

package worker

import "github.com/rubric-host/rubric-host/host/xslices"

// confine drops nothing: Go has no way to without C. The parent has emptied environment
// and working directory.
func confine(*loadRequest, string) []Finding {
	return xslices.Map([]string{Descriptors, ParentDeath, Limits, Privileges, Landlock, Seccomp}, func(name string) Finding {
		return Finding{Name: name, Why: "not available on this system"}
	})
}

// canKeep reports that compiled code is kept: a worker can write anywhere.
func canKeep() bool { return true }
