package file_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/file"
)

// TestLines_CutsAnywhere holds lines to a split of the whole text, whatever the
// buffer, the limit and the sizes of reads are.
func TestLines_CutsAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab\n\r")), 0, 200, -1).Draw(t, "text")
		limit := rapid.IntRange(0, 60).Draw(t, "limit")
		size := rapid.IntRange(16, 64).Draw(t, "buffer")
		var in io.Reader = strings.NewReader(text)
		if rapid.Bool().Draw(t, "bytewise") {
			in = iotest.OneByteReader(in)
		}
		lines := file.NewLines(bufio.NewReaderSize(in, size), limit)
		want := strings.SplitAfter(text, "\n")
		for i, w := range want {
			line, n, err := lines.Next()
			last := i == len(want)-1
			if last != errors.Is(err, io.EOF) || !last && err != nil {
				t.Fatalf("line %d: %v", i, err)
			}
			if n != len(w) {
				t.Fatalf("line %d has %d bytes, want %d", i, n, len(w))
			}
			switch {
			case n > limit+1:
				if line != nil {
					t.Fatalf("line %d of %d bytes is %q, beyond the limit %d", i, n, line, limit)
				}
			case !bytes.Equal(line, []byte(w)):
				t.Fatalf("line %d is %q, want %q", i, line, w)
			}
		}
	})
}

// TestLines_ReadyLinesNeedNoRead counts how often lines at hand are read from below.
func TestLines_ReadyLinesNeedNoRead(t *testing.T) {
	reads := 0
	in := io.MultiReader(counted{strings.NewReader("a\nb\nc"), &reads}, counted{strings.NewReader("d\n"), &reads})
	lines := file.NewLines(in, 10)
	for _, want := range []struct {
		ready bool
		line  string
	}{{false, "a\n"}, {true, "b\n"}, {false, "cd\n"}} {
		before := reads
		if ready := lines.Ready(); ready != want.ready {
			t.Fatalf("before %q: ready %v", want.line, ready)
		}
		if line, _, _ := lines.Next(); string(line) != want.line || want.ready && reads > before {
			t.Fatalf("%q after %d reads, want %q", line, reads-before, want.line)
		}
	}
}

// counted counts its reads.
type counted struct {
	io.Reader
	reads *int
}

func (c counted) Read(b []byte) (int, error) {
	*c.reads++
	return c.Reader.Read(b)
}

func TestLines_PassesErrorsOn(t *testing.T) {
	broken := errors.New("broken disk")
	lines := file.NewLines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 10)
	if line, _, err := lines.Next(); string(line) != "a\n" || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	if line, n, err := lines.Next(); string(line) != "b" || n != 1 || !errors.Is(err, broken) {
		t.Fatalf("%q, %d, %v", line, n, err)
	}
}
