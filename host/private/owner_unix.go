//go:build unix

package private

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// hasModes says that mode bits mean something.
const hasModes = true

// owner returns the user that a file belongs to, where that is known.
func owner(info fs.FileInfo) (uid int, known bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}

// isUser reports whether uid is this user, root, or the user who called sudo.
func isUser(uid int) bool {
	if uid == euid || uid == 0 {
		return true
	}
	caller, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	return err == nil && euid == 0 && uid == caller
}

// ownGroup reports whether the group of a file is this user's own, as it is where every
// user has a group and the umask is 002.
func ownGroup(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(s.Gid) == os.Getegid() || s.Gid == s.Uid && isUser(int(s.Uid)))
}
