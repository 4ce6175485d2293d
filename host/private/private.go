// Package private knows which files and directories belong to the user alone, and
// seals files that a later process must be able to trust: machine code above all.
//
// Stability: experimental.
package private

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// euid is this user. It is asked for once: a worker that has given up system calls
// cannot ask any more.
var euid = os.Geteuid()

// Dir makes sure that dir is a directory that only this user can read or change. It
// creates the directory and its parents if they do not exist.
func Dir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() && info.Mode()&fs.ModeSymlink == 0 {
		return fmt.Errorf("%s is not a directory", dir)
	}
	return Check(dir, info)
}

// Check reports why a file or directory is not this user's alone: another owner, a mode
// that lets others in, a link, or a file that is not regular. info is from Lstat, or from
// Stat of an open file.
func Check(path string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link", path)
	case !info.IsDir() && !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case info.Mode().Perm()&0o077 != 0 && hasModes && info.IsDir():
		return fmt.Errorf("%s has mode %#o: other users can reach it; run chmod 700", path, info.Mode().Perm())
	case info.Mode().Perm()&0o077 != 0 && hasModes:
		return fmt.Errorf("%s has mode %#o: other users can reach it; run chmod 600", path, info.Mode().Perm())
	}
	if uid, ok := owner(info); ok && uid != euid {
		return fmt.Errorf("%s belongs to user %d, not to you (%d)", path, uid, euid)
	}
	return nil
}

// CheckWrite reports why a user other than this one or root could have written a
// file, or could replace one in a directory: another owner, or a mode that lets others
// write. Under sudo the user who called it counts as this user. It always passes where
// files have no owners and modes.
func CheckWrite(path string, info fs.FileInfo) error {
	if uid, ok := owner(info); ok && !isUser(uid) {
		return fmt.Errorf("%s belongs to user %d, not to you (%d)", path, uid, euid)
	}
	mode := info.Mode()
	if !hasModes || mode&fs.ModeSticky != 0 { // in a sticky directory no user replaces another's file
		return nil
	}
	if mode.Perm()&0o002 != 0 || mode.Perm()&0o020 != 0 && !ownGroup(info) {
		return fmt.Errorf("%s has mode %#o: other users can write to it; run chmod go-w", path, mode.Perm())
	}
	return nil
}

// StateDir returns the directory for the state of this user: not
// settings, and not a cache. It need not exist. The error says that there is no home
// directory.
func StateDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "rubric-host"), nil
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		dir, err := os.UserConfigDir()
		return filepath.Join(dir, "rubric-host", "state"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "rubric-host"), err
}
