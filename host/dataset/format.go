package dataset

import (
	"bufio"
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Format is the file format of a dataset.
type Format string

// The formats.
const (
	JSONL Format = "jsonl" // one object a line
	JSON  Format = "json"  // a list of objects, or objects one after the other
	CSV   Format = "csv"   // RFC 4180 with a header row; also separated by semicolons or tabs
	YAML  Format = "yaml"  // a list of objects, or documents that are objects
)

// formats is the table of formats: the extensions that name each, and its function to
// cut a file into rows of at most limit bytes.
var formats = []struct {
	name       Format
	extensions []string
	split      func(in *bufio.Reader, name string, limit int) splitter
}{
	{JSONL, []string{".jsonl", ".ndjson", ".jsonlines"}, newLines},
	{JSON, []string{".json"}, newElements},
	{CSV, []string{".csv", ".tsv"}, newCells},
	{YAML, []string{".yaml", ".yml"}, newItems},
}

// Formats lists every format.
func Formats() []Format {
	out := make([]Format, len(formats))
	for i, f := range formats {
		out[i] = f.name
	}
	return out
}

func formatNames() []string {
	out := make([]string, len(formats))
	for i, f := range formats {
		out[i] = string(f.name)
	}
	return out
}

// formatOf returns the format that the extension of a file names, or "". The
// extension of gzip stands behind that of the format.
func formatOf(name string) Format {
	name = strings.ToLower(name)
	ext := filepath.Ext(strings.TrimSuffix(name, ".gz"))
	for _, f := range formats {
		if slices.Contains(f.extensions, ext) {
			return f.name
		}
	}
	return ""
}

// sniff tells the format from the beginning of a file, or returns "".
func sniff(head []byte) Format {
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	if len(trimmed) == 0 {
		return JSONL // an empty file has no rows in any format
	}
	first, _, more := bytes.Cut(trimmed, []byte("\n"))
	switch {
	case trimmed[0] == '[':
		return JSON
	case trimmed[0] == '{':
		if !more && len(head) == sniffed || jsontext.Value(first).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			return JSONL
		}
		return JSON
	case bytes.HasPrefix(trimmed, []byte("- ")), bytes.HasPrefix(trimmed, []byte("---")), trimmed[0] == '#':
		return YAML
	case bytes.IndexByte(first, ',') >= 0, delimiter(bytes.TrimSpace(first)) != ',':
		return CSV
	}
	if _, known := claims[strings.Trim(string(bytes.TrimSpace(first)), `"`)]; known {
		return CSV // a single column
	}
	return ""
}
