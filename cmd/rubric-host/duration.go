package main

import (
	"errors"
	"fmt"
	"time"
)

// errNotAbove0 is the error of a limit that is none.
var errNotAbove0 = errors.New("must be above 0; leave it out for the default")

// durationFlag is a flag for a time above 0, shown empty while it is not set.
type durationFlag struct{ d time.Duration }

// String returns the time as it is written.
func (f *durationFlag) String() string {
	if f.d == 0 {
		return ""
	}
	return f.d.String()
}

// Set reads a time such as 90s or 5m.
func (f *durationFlag) Set(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("invalid duration %q: use a unit, such as 30s or 5m", s)
	}
	if d <= 0 {
		return errNotAbove0
	}
	f.d = d
	return nil
}

// Type names the kind of value in the help.
func (f *durationFlag) Type() string { return "duration" }
