//go:build !linux

package image

import "errors"

// scratch is a buffer for the kernel, unused here.
type scratch struct{}

// Nobody says here which pages were written to.
var finders = []finder{{Scan, unsupported}, {Pagemap, unsupported}}

func unsupported(*area) error { return errors.ErrUnsupported }

func (*area) threadFaults() int64 { return -1 }

func (*trial) faults() error { return errors.ErrUnsupported }
