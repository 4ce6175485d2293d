//go:build unix

package cache

import (
	"io/fs"
	"os"
	"syscall"
)

// writableByOthers reports whether somebody else than this user can write to a
// directory.
func writableByOthers(st fs.FileInfo) bool {
	if st.Mode().Perm()&0o022 != 0 {
		return true
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) != os.Geteuid()
}
