package wasm

import (
	"fmt"
	"io/fs"
	"os"
)

// private makes sure that dir is a directory that only we can write to and
// read. It makes the directory if there is none.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	st, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	switch {
	case st.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link", dir)
	case !st.IsDir():
		return fmt.Errorf("%s is no directory", dir)
	case st.Mode().Perm()&0o077 != 0 && hasModes:
		return fmt.Errorf("%s has mode %#o: others can get at it; chmod 700 it", dir, st.Mode().Perm())
	}
	return owned(dir, st)
}
