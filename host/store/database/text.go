package database

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/store"
)

// text is a string as the database has it: NUL, which PostgreSQL refuses and SQLite
// takes for an end, is written as two other characters, so that the order of texts
// stays that of their bytes.
type text string

var (
	escapes   = strings.NewReplacer("\x00", "\x01\x01", "\x01", "\x01\x02")
	unescapes = strings.NewReplacer("\x01\x01", "\x00", "\x01\x02", "\x01")
)

// Value returns the text for the database. Text that is not UTF-8 is refused.
func (t text) Value() (driver.Value, error) {
	if !utf8.ValidString(string(t)) {
		return nil, fault.New(fault.Invalid, "%q is not valid UTF-8", fault.Clip(string(t), 100))
	}
	return escapes.Replace(string(t)), nil
}

// of returns where Scan puts a text.
func of[S ~string](to *S) *scannedText[S] { return &scannedText[S]{to} }

type scannedText[S ~string] struct{ to *S }

func (s *scannedText[S]) Scan(v any) error {
	switch v := v.(type) {
	case string:
		*s.to = S(unescapes.Replace(v))
	case []byte:
		*s.to = S(unescapes.Replace(string(v)))
	default:
		return fmt.Errorf("%T is not text", v)
	}
	return nil
}

// micros is a time as the database has it, in microseconds since 1970.
func micros(t time.Time) int64 { return t.UnixMicro() }

// at returns where Scan puts a time.
func at(to *time.Time) *scannedTime { return &scannedTime{to} }

type scannedTime struct{ to *time.Time }

func (s *scannedTime) Scan(v any) error {
	n, ok := v.(int64)
	if !ok {
		return fmt.Errorf("%T is not a time", v)
	}
	*s.to = time.UnixMicro(n).UTC()
	return nil
}

// key is a short stand-in for a text in an index, whose entries must not be long.
// Who looks for it compares the text as well.
func key(s string) int64 {
	sum := sha256.Sum256([]byte(s))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// checkID refuses an id that is empty or longer than store.MaxID: an
// index entry of PostgreSQL holds no more than 2,700 bytes.
func checkID(what, id string) error {
	switch {
	case id == "":
		return fault.New(fault.Invalid, "the %s is empty", what)
	case len(id) > store.MaxID:
		return fault.New(fault.Invalid, "the %s %q has %d bytes: at most %d", what, fault.Clip(id, 60), len(id), store.MaxID)
	}
	return nil
}
