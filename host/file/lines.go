package file

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Lines reads lines within a bound on their length. It is for one goroutine.
type Lines struct {
	in    *bufio.Reader
	limit int
	long  []byte // a line that is larger than the buffer of in
}

// NewLines returns a reader of lines of at most limit bytes, their breaks not
// counted.
func NewLines(in io.Reader, limit int) *Lines {
	b, ok := in.(*bufio.Reader)
	if !ok {
		b = bufio.NewReaderSize(in, 256<<10)
	}
	return &Lines{in: b, limit: limit}
}

// Next returns the next line with its break and its size in bytes. The line is
// valid until the next call. A line beyond the limit is passed over: it is nil,
// with its size. The last line comes with io.EOF, or before it if it has a break.
func (l *Lines) Next() (line []byte, size int, err error) {
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		size += len(part)
		full := errors.Is(err, bufio.ErrBufferFull)
		switch fits := size <= l.limit+1; {
		case !full && len(l.long) == 0 && fits:
			return part, size, err // the usual case: no copy
		case fits:
			l.long = append(l.long, part...)
		}
		if full {
			continue
		}
		if size > l.limit+1 {
			return nil, size, err
		}
		return l.long, size, err
	}
}

// Ready reports whether the next line is in memory with its break: Next does not
// wait for it.
func (l *Lines) Ready() bool {
	b, _ := l.in.Peek(l.in.Buffered()) // they are buffered
	return bytes.IndexByte(b, '\n') >= 0
}
