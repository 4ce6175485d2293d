package main

import (
	"fmt"
	"strconv"
)

// pageBytes is the unit of a plugin's memory, in bytes; a module can address mostPages.
const (
	pageBytes = 64 << 10
	mostPages = 1 << 16
)

// sizeFlag is a flag for an amount of a plugin's memory, shown empty while it is not
// set.
type sizeFlag struct{ bytes int64 }

// String returns the size in the largest unit that it is a whole number of.
func (f *sizeFlag) String() string {
	for _, u := range sizeUnits {
		if f.bytes > 0 && f.bytes%u.bytes == 0 {
			return strconv.FormatInt(f.bytes/u.bytes, 10) + u.name
		}
	}
	return ""
}

// Set reads a size such as 128MiB.
func (f *sizeFlag) Set(s string) error {
	n, err := parseSize(s)
	if err != nil || n < pageBytes || n > mostPages*pageBytes {
		return fmt.Errorf("invalid size %q: use 64KiB to 4GiB with a unit, such as 128MiB", s)
	}
	f.bytes = n
	return nil
}

// Type names the kind of value in the help.
func (f *sizeFlag) Type() string { return "size" }

// pages returns the size in whole pages, rounded down; 0: it is not set.
func (f *sizeFlag) pages() uint32 { return uint32(f.bytes / pageBytes) }
