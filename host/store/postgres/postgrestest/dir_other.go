//go:build !linux

package postgrestest

// inMemory returns the default directory of temporary files.
func inMemory() string { return "" }
