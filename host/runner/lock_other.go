//go:build !unix

package runner

import "os"

// lock does nothing where files cannot be locked without a deadline.
func lock(*os.File) error { return nil }

// locked is true where file locks are not available.
func locked(*os.File) bool { return true }
