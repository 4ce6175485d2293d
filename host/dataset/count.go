package dataset

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
)

// Count returns how many cases and errors Next gives in all, by reading the files a second time. ok is
// false if that is not possible, as with standard input and pipes, or ctx ended first. It may be
// called while another goroutine reads.
func (r *Reader) Count(ctx context.Context) (n int, ok bool) {
	for _, s := range r.sources {
		info, err := os.Stat(s.path)
		if s.given == nil && (err != nil || !info.Mode().IsRegular()) {
			return 0, false
		}
	}
	opts := r.opts
	opts.OutputOptional = true
	again := newReader(opts, cmp.Or(r.builder.preset, r.evaluator), r.sources)
	defer func() { _ = again.Close() }() // it was only read
	for ctx.Err() == nil {
		if _, err := again.Next(); errors.Is(err, io.EOF) {
			return n, true
		}
		n++
	}
	return 0, false
}
