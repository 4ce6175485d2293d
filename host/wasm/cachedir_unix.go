//go:build unix

package wasm

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// hasModes says that mode bits mean something.
const hasModes = true

// owned makes sure that dir belongs to us.
func owned(dir string, st fs.FileInfo) error {
	if s, ok := st.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to user %d, not to us, %d", dir, s.Uid, os.Geteuid())
	}
	return nil
}
