//go:build !unix

package postgrestest

import "syscall"

// owner returns as whom the server runs: the user.
func owner(string) (*syscall.SysProcAttr, error) { return &syscall.SysProcAttr{}, nil }
