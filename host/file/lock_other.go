//go:build !unix

package file

import "os"

// Lock does nothing where files cannot be locked.
func Lock(*os.File) error { return nil }
