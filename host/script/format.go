package script

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Section is the custom section that a script lies in. It is the first of its
// module.
const Section = "rubric-host.script"

// Bounds on a script.
const (
	MaxFiles = 1_000
	MaxBytes = 4 << 20 // of all files
)

// A Script is a plugin in a language that is interpreted.
type Script struct {
	Language    string            `json:"language"`         // a name of Languages
	Interpreter string            `json:"interpreter"`      // "sha256:<hex>" of the module that runs it
	Entry       string            `json:"entry"`            // the file with the functions that score
	Exports     []string          `json:"exports,omitzero"` // these functions; empty: DefaultExport
	Files       map[string]string `json:"files"`            // by path, with slashes

	// Program says that the entry is run as a whole in each call, as AgentV runs
	// its code judges: the request on standard input, its args as arguments, the
	// answer on standard output. Its only export is DefaultExport.
	Program bool `json:"program,omitzero"`

	// Peer says that a call may ask a second instance of the script, which answers
	// with its function serve_peer or, in JavaScript, servePeer.
	Peer bool `json:"peer,omitzero"`
}

// FrontSection is the custom section that the front of a script lies in: a module of the direct
// ABI that answers calls before the script does.
const FrontSection = "rubric-host.front"

// DefaultExport is the function that scores where none is named.
const DefaultExport = "score"

// Module returns the script in the form of a module, with custom sections behind
// it. The same script and sections make the same bytes. An error has class
// fault.Invalid.
func (s *Script) Module(sections ...binary.Custom) ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	size := 1 << 10
	for _, f := range s.Files {
		size += 2 * len(f) // quoted
	}
	text := bytes.NewBuffer(make([]byte, 0, size))
	if err := json.MarshalWrite(text, s, json.Deterministic(true)); err != nil {
		return nil, fault.New(fault.Invalid, "the script cannot be written: %w", err)
	}
	m := binary.Module{Customs: append([]binary.Custom{{Name: Section, Bytes: text.Bytes()}}, sections...)}
	return m.Append(nil), nil
}

// header is the beginning of every module.
var header = []byte("\x00asm\x01\x00\x00\x00")

// Is reports whether a module is a script, or claims to be one.
func Is(module []byte) bool {
	rest, ok := bytes.CutPrefix(module, append(slices.Clip(header), 0))
	for k := 0; ok && k < 5 && k < len(rest); k++ {
		if rest[k] < 0x80 { // the last byte of the section's size
			return bytes.HasPrefix(rest[k+1:], append([]byte{byte(len(Section))}, Section...))
		}
	}
	return false
}

// Read returns the script that a module is. An error has class fault.Refused.
func Read(module []byte) (*Script, error) {
	text, ok := binary.CustomSection(module, Section)
	if !ok || !Is(module) {
		return nil, fault.New(fault.Refused, "the module is not a script")
	}
	if len(text) > 7*MaxBytes { // six bytes a character at worst
		return nil, fault.New(fault.Refused, "the script has %d bytes; at most %d are read", len(text), MaxBytes)
	}
	s := &Script{}
	if err := json.Unmarshal(text, s, json.RejectUnknownMembers(true)); err != nil {
		return nil, fault.New(fault.Refused, "the script cannot be read: %w", err)
	}
	if err := s.check(); err != nil {
		return nil, fault.As(fault.Refused, err)
	}
	return s, nil
}

// Functions returns the functions that score, sorted.
func (s *Script) Functions() []string {
	if len(s.Exports) == 0 {
		return []string{DefaultExport}
	}
	return slices.Compact(slices.Sorted(slices.Values(s.Exports)))
}

// Paths returns the paths of the files, sorted.
func (s *Script) Paths() []string { return slices.Sorted(maps.Keys(s.Files)) }

// check refuses scripts that no interpreter may load.
func (s *Script) check() error {
	size := 0
	for name, text := range s.Files {
		size += len(text)
		switch {
		case name != path.Clean(name) || path.IsAbs(name) || strings.HasPrefix(name, "..") || strings.ContainsAny(name, "\\\x00\n") || !utf8.ValidString(name):
			return fault.New(fault.Invalid, "%q is not the path of a script file", name)
		case !utf8.ValidString(text):
			return fault.WithHint(fault.New(fault.Invalid, "%s is not UTF-8 text", name), "save it as UTF-8")
		}
	}
	_, there := s.Files[s.Entry]
	switch {
	case !there:
		return fault.New(fault.Invalid, "the script has no file %q", s.Entry)
	case len(s.Files) > MaxFiles || size > MaxBytes:
		return fault.WithHint(fault.New(fault.Invalid, "the script has %d files with %d bytes; at most %d and %d are taken", len(s.Files), size, MaxFiles, MaxBytes),
			"keep tables and data out of it, or pass them in the case")
	}
	for _, name := range s.Exports {
		if !IsName(name) {
			return fault.New(fault.Invalid, "%q is not a function name", name)
		}
	}
	if s.Program && s.Peer {
		return fault.New(fault.Invalid, "a program has no peer")
	}
	if s.Program && len(s.Exports) > 0 {
		return fault.New(fault.Invalid, "a program has no functions to call: %s", strings.Join(s.Exports, ", "))
	}
	return nil
}

// IsName reports whether a text is a plain identifier, which a function may have for
// its name.
func IsName(s string) bool {
	for i, c := range s {
		letter := c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 100
}
