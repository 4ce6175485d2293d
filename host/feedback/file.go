package feedback

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
)

// Bounds on notes.
const (
	MaxLine    = 1 << 20 // bytes of a note as JSON
	MaxComment = 64 << 10
	maxName    = 200 // bytes of a person's name
	maxLabel   = 1 << 10
)

// lockWait is how long Append waits for another process that appends.
const lockWait = 10 * time.Second

// Read returns the notes of a run directory in the order of their lines, none if it has no file. Lines that
// cannot be used, or end torn, are warnings. The error says that the file cannot be read at all.
func Read(dir string) ([]Note, diag.List, error) {
	f, err := file.Open(filepath.Join(dir, File), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fault.As(fault.Invalid, err)
	}
	defer f.Close()
	return read(f, f.Name())
}

func read(in io.Reader, name string) (notes []Note, problems diag.List, err error) {
	lines := file.NewLines(in, MaxLine)
	for n := 1; ; n++ {
		text, size, err := lines.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			return notes, problems, fault.As(fault.Invalid, fmt.Errorf("%s: %w", name, err))
		}
		var bad error
		switch {
		case text == nil && size > 0:
			bad = fmt.Errorf("the line has more than %d bytes", MaxLine)
		case len(bytes.TrimSpace(text)) > 0:
			var note Note
			if note, bad = decode(text); bad == nil {
				notes = append(notes, note)
			}
		}
		if bad != nil {
			d := diag.Diagnostic{Severity: diag.Warning, Code: "note-invalid", Pos: diag.Pos{File: name, Line: n}, Message: bad.Error()}
			if err != nil {
				d.Code, d.Message = "note-torn", "the last line is incomplete, and is left out"
			}
			problems.Add(d)
		}
		if err != nil {
			return notes, problems, nil
		}
	}
}

func decode(text []byte) (n Note, err error) {
	if err := json.Unmarshal(text, &n); err != nil {
		return n, fmt.Errorf("not a note: %w", err)
	}
	n.At = n.At.UTC().Truncate(time.Microsecond)
	n.ID = n.id() // the file may have been edited
	return n, n.Check()
}

// Check returns why a note cannot be kept, an error of class fault.Invalid, or nil.
func (n *Note) Check() error {
	bad := func(format string, a ...any) error { return fault.New(fault.Invalid, format, a...) }
	for name, text := range map[string]string{"run": n.Run, "case": n.Case, "criterion": n.Criterion, "by": n.By, "comment": n.Comment} {
		if !utf8.ValidString(text) {
			return bad("%s is not valid UTF-8", name)
		}
	}
	switch {
	case n.Run == "":
		return bad("the note names no run")
	case n.Case == "":
		return bad("the note names no case")
	case n.Repeat < 0:
		return bad("repeat %d is not from 1", n.Repeat)
	case strings.TrimSpace(n.By) == "":
		return bad("the note does not say whose it is")
	case len(n.By) > maxName:
		return bad("by has more than %d bytes", maxName)
	case len(n.Comment) > MaxComment:
		return bad("the comment has more than %d bytes", MaxComment)
	case n.At.IsZero():
		return bad("the note has no time")
	case n.Label != nil && n.Value != nil:
		return bad("the note gives both a label and a value")
	case n.Label != nil && *n.Label == "":
		return bad("the label is empty")
	case n.Label != nil && len(*n.Label) > maxLabel:
		return bad("the label has more than %d bytes", maxLabel)
	case n.Label != nil && !utf8.ValidString(*n.Label):
		return bad("label is not valid UTF-8")
	case n.Value != nil && (math.IsNaN(*n.Value) || *n.Value < 0 || *n.Value > 1):
		return fault.WithHint(bad("value %v is not in 0..1", *n.Value), "a value is a share of the best: 0.5 for 5 of 10")
	case n.Agree == nil && n.Label == nil && n.Value == nil && strings.TrimSpace(n.Comment) == "":
		return bad("the note says nothing: it has no agree, label, value or comment")
	case n.Agree != nil && *n.Agree && (n.Label != nil || n.Value != nil):
		return bad("a note that agrees gives no other verdict")
	}
	return nil
}

// id is the id of a note: of its content.
func (n *Note) id() string {
	c := *n
	c.ID = ""
	b, err := json.Marshal(&c, json.Deterministic(true))
	if err != nil { // Check refuses values that JSON cannot hold
		b = []byte(fmt.Sprintf("%q", c.Comment))
	}
	sum := sha256.Sum256(b)
	return "note_" + hex.EncodeToString(sum[:6])
}

// says returns what a note says of its verdict.
func (n *Note) says() [4]any { return [4]any{n.Agree, n.Label, n.Value, n.Comment} }

// A subject is a verdict and the person whose notes are about it.
type subject struct {
	caseID, criterion, by string
	repeat                int
}

func (n *Note) subject() subject { return subject{n.Case, n.Criterion, n.By, max(1, n.Repeat)} }

// Append adds notes to a run directory, and returns those that were added, with their ids: not those that repeat
// the last one of their person on a verdict. Lines are written whole and synced; several processes may write.
func Append(dir string, notes []Note) (added []Note, err error) {
	for i := range notes {
		if err := notes[i].Check(); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(dir, File)
	f, err := file.Open(path, os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nil, storage(path, err)
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = storage(path, e)
		}
	}()
	if err := file.Lock(f, lockWait); err != nil {
		return nil, err
	}
	end, err := mend(f)
	if err != nil {
		return nil, storage(path, err)
	}
	old, _, err := read(io.NewSectionReader(f, 0, end), path)
	if err != nil {
		return nil, err
	}
	last := map[subject]*Note{}
	for _, n := range old {
		last[n.subject()] = &n
	}
	var text []byte
	for _, n := range notes {
		n.Repeat = max(1, n.Repeat)
		n.At = n.At.UTC().Truncate(time.Microsecond)
		n.ID = n.id()
		if before := last[n.subject()]; before != nil && reflect.DeepEqual(before.says(), n.says()) {
			continue
		}
		last[n.subject()] = &n
		line, err := json.Marshal(&n, json.Deterministic(true))
		if err != nil {
			return nil, fault.As(fault.Invalid, err)
		}
		text, added = append(append(text, diag.EscapeJSON(line)...), '\n'), append(added, n)
	}
	if len(text) == 0 {
		return nil, nil
	}
	if _, err := f.WriteAt(text, end); err != nil {
		f.Truncate(end) //nolint:errcheck // a part of a line would be removed by the next writer
		return nil, storage(path, err)
	}
	return added, storage(path, f.Sync())
}

// mend ends the last line of the file: with its break if it lacks no more than that, else
// by removing it. It returns the size.
func mend(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, err
	}
	size := info.Size()
	tail := make([]byte, min(size, MaxLine+1))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return 0, err
	}
	if tail[len(tail)-1] == '\n' {
		return size, nil
	}
	line := tail[bytes.LastIndexByte(tail, '\n')+1:]
	// A line longer than MaxLine began before the tail, and was never written here.
	if _, bad := decode(line); bad == nil || len(line) > MaxLine {
		_, err := f.WriteAt([]byte("\n"), size)
		return size + 1, err
	}
	size -= int64(len(line))
	return size, f.Truncate(size)
}

func storage(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "%s: %w", path, err)
	}
	return fault.New(fault.Storage, "%s: %w", path, err)
}
