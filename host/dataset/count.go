package dataset

import (
	"context"
	"errors"
	"io"
	"os"
)

// Count returns how many rows a Reader with these options gives, unusable ones
// among them. ok is false if that cannot be known by reading twice, as for
// standard input and pipes, or ctx ended first.
func Count(ctx context.Context, opts Options) (n int, ok bool) {
	opts.OutputOptional, opts.Stdin = true, nil
	r, err := Open(opts)
	if err != nil {
		return 0, false
	}
	defer func() { _ = r.Close() }() // it was only read
	for _, s := range r.sources {
		info, err := os.Stat(s.path)
		if s.given == nil && (err != nil || !info.Mode().IsRegular()) {
			return 0, false
		}
	}
	for ctx.Err() == nil {
		if _, err := r.Next(); errors.Is(err, io.EOF) {
			return n, true
		}
		n++
	}
	return 0, false
}
