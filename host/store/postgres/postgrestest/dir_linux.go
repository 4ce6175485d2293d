package postgrestest

import "syscall"

// inMemory returns a directory in memory that has space for a server; empty if there is none. ext4
// looks long for the numbers of new files when many were just removed: that was a third of the
// processor time of the tests of the stores.
func inMemory() string {
	const dir, space = "/dev/shm", 1 << 30
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil || s.Bavail < uint64(space/s.Bsize) {
		return ""
	}
	return dir
}
