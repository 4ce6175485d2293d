//go:build !linux

package main

import (
	"errors"
	"os"
)

// openTerminal makes a terminal.
func openTerminal(int) (screen, device *os.File, err error) {
	return nil, nil, errors.New("terminals are made on Linux only")
}
