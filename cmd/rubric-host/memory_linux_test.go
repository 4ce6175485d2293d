package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// memoryDir returns a directory in memory for the files of these tests, or "" for the usual one:
// they make thousands of small files, and a file system on a disk takes a tenth of their
// processor time. TMPDIR decides if it is set; containers often have little memory there.
func memoryDir() string {
	const dir, room = "/dev/shm", 2 << 30
	var fs unix.Statfs_t
	if os.Getenv("TMPDIR") != "" || unix.Statfs(dir, &fs) != nil || fs.Type != unix.TMPFS_MAGIC || fs.Flags&unix.ST_NOEXEC != 0 || fs.Bavail*uint64(fs.Bsize) < room || unix.Access(dir, unix.W_OK) != nil {
		return ""
	}
	return dir
}
