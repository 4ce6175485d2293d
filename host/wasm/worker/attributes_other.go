//go:build !unix

package worker

import "syscall"

func attributes() *syscall.SysProcAttr { return nil }
