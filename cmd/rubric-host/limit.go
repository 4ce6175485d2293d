package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
)

// errNotAbove0 is the error of a limit of 0 or below.
var errNotAbove0 = errors.New("must be above 0; leave it out for the default")

// limitFlag is a flag for a number or a time above 0, shown empty while it is not set. 0 is
// refused: it would turn the limit off, and an unset variable of a CI job often becomes 0.
type limitFlag[T int | uint64 | float64 | time.Duration] struct{ n T }

// String returns the limit as it is written.
func (f *limitFlag[T]) String() string {
	if f.n == 0 {
		return ""
	}
	return fmt.Sprint(f.n)
}

// Set reads a finite number above 0, or a time such as 90s or 5m.
func (f *limitFlag[T]) Set(s string) (err error) {
	var n T
	switch p := any(&n).(type) {
	case *int:
		*p, err = strconv.Atoi(s)
	case *uint64:
		*p, err = strconv.ParseUint(s, 10, 64)
	case *float64:
		*p, err = strconv.ParseFloat(s, 64)
	case *time.Duration:
		if *p, err = time.ParseDuration(s); err != nil {
			err = fmt.Errorf("invalid duration %q: use a unit, such as 30s or 5m", s)
		}
	}
	if err != nil {
		return err
	}
	if !(n > 0) || math.IsInf(float64(n), 1) {
		return errNotAbove0
	}
	f.n = n
	return nil
}

// Type names the kind of value, as pflag's own flags do.
func (f *limitFlag[T]) Type() string {
	if _, is := any(f.n).(time.Duration); is {
		return "duration"
	}
	return fmt.Sprintf("%T", f.n)
}

// pageBytes is the unit of a plugin's memory, in bytes; a module can address mostPages.
const (
	pageBytes = 64 << 10
	mostPages = 1 << 16
)

// sizeFlag is a flag for an amount of a plugin's memory, shown empty while it is not
// set.
type sizeFlag struct {
	text  string
	bytes uint64
}

// String returns the size as it was written.
func (f *sizeFlag) String() string { return f.text }

// Set reads a size such as 128MiB.
func (f *sizeFlag) Set(s string) error {
	n, err := humanize.ParseBytes(s)
	if err != nil || n < pageBytes || n > mostPages*pageBytes {
		return fmt.Errorf("invalid size %q: use 64KiB to 4GiB with a unit, such as 128MiB", s)
	}
	*f = sizeFlag{s, n}
	return nil
}

// Type names the kind of value in the help.
func (f *sizeFlag) Type() string { return "size" }
