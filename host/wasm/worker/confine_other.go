//go:build !linux

package worker

// confine drops nothing: Go has no way to without C. The parent has emptied environment
// and working directory.
func confine(*loadRequest, string) []Finding {
	var all []Finding
	for _, name := range []string{Descriptors, ParentDeath, Limits, Privileges, Landlock, Seccomp} {
		all = append(all, Finding{Name: name, Why: "not available on this system"})
	}
	return all
}

// canKeep reports that compiled code is kept: a worker can write anywhere.
func canKeep() bool { return true }
