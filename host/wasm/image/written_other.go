//go:build !linux

package image

import "errors"

// answers are what the kernel fills: nothing here.
type answers struct{}

// Nobody says here which pages were written to.
var finders = []finder{{Scan, unsupported}, {Pagemap, unsupported}}

func unsupported(*area) error { return errors.ErrUnsupported }

func (*area) threadFaults() int64 { return -1 }

func (*specimen) faults() error { return errors.ErrUnsupported }
