package review

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Bounds of an artifact.
const (
	MaxContent = 16_000_000 // bytes of JSON; a case has to hold it
	maxLabel   = 200        // bytes of a type, tag, rubric or person
	maxName    = 1000       // bytes
	maxNote    = 10_000     // bytes
	maxList    = 100        // tags or rubrics
)

// newID returns an id in the form of dataknobs: a prefix and 12 hexadecimal digits.
func newID(prefix string) string {
	var b [6]byte
	rand.Read(b[:]) // it never fails
	return prefix + hex.EncodeToString(b[:])
}

// plainText refuses texts that are empty, long, no UTF-8, or hold control or
// invisible characters: they are shown in terminals, compared and searched for.
func plainText(what, s string, most int) error {
	switch {
	case strings.TrimSpace(s) == "":
		return fault.New(fault.Invalid, "the %s is empty", what)
	case len(s) > most:
		return fault.New(fault.Invalid, "the %s has %d bytes; at most %d", what, len(s), most)
	case !utf8.ValidString(s):
		return fault.New(fault.Invalid, "the %s is not valid UTF-8: %q", what, diag.Fit(diag.Plain(s), 60))
	case diag.Plain(s) != s:
		return fault.New(fault.Invalid, "the %s has control characters: %q", what, diag.Fit(diag.Plain(s), 60))
	}
	return nil
}

func checkLabel(what, s string) error { return plainText(what, s, maxLabel) }

// checkRubric accepts ID and ID@VERSION.
func checkRubric(s string) error {
	id, version := RubricOf(s)
	if id == "" || version == "" && strings.Contains(s, "@") {
		return fault.New(fault.Invalid, "rubric %q is not ID or ID@VERSION", diag.Fit(diag.Plain(s), 60))
	}
	return checkLabel("rubric", s)
}

// RubricOf splits ID or ID@VERSION. An empty version means the latest one.
func RubricOf(s string) (id, version string) {
	id, version, _ = strings.Cut(strings.TrimPrefix(s, "registry:"), "@")
	return id, version
}

// checkNote refuses notes that cannot be kept. Line breaks are fine.
func checkNote(s string) error {
	if s == "" {
		return nil
	}
	return plainText("note", strings.NewReplacer("\n", " ", "\t", " ").Replace(s), maxNote)
}

func checkList(what string, list []string, check func(string) error) error {
	if len(list) > maxList {
		return fault.New(fault.Invalid, "%d %ss; at most %d", len(list), what, maxList)
	}
	for _, s := range list {
		if err := check(s); err != nil {
			return err
		}
	}
	return nil
}

// checkContent returns content without white space between tokens.
func checkContent(v jsontext.Value) (jsontext.Value, error) {
	if len(v) > MaxContent {
		return nil, fault.New(fault.Invalid, "the content has %d bytes; at most %d", len(v), MaxContent)
	}
	var out jsontext.Value
	err := json.Unmarshal(v, &out)
	if err == nil {
		err = out.Compact()
	}
	switch {
	case len(bytes.TrimSpace(v)) == 0:
		return nil, fault.New(fault.Invalid, "the artifact has no content")
	case err != nil:
		return nil, fault.New(fault.Invalid, "the content is not JSON: %w", err)
	case out.Kind() == 'n':
		return nil, fault.New(fault.Invalid, "the content is null")
	}
	return out, nil
}
