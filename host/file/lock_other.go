//go:build !unix

package file

import (
	"os"
	"time"
)

// Lock does nothing where files cannot be locked.
func Lock(*os.File, time.Duration) error { return nil }

// Locked is true where files cannot be locked.
func Locked(*os.File) bool { return true }
