package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A seedRow is one line of the vectors.
type seedRow struct {
	ID       string           `json:"id"`
	System   string           `json:"system"`
	Version  string           `json:"version"`
	Oracle   string           `json:"oracle"` // "code" or "document"
	Area     string           `json:"area"`
	Rubric   *seedDocument    `json:"rubric"`
	Input    map[string]any   `json:"input"`
	Answers  []map[string]any `json:"llm_answers"`
	Expected map[string]any   `json:"expected"`
	Agrees   any              `json:"doc_agrees"` // true, false or "silent"
	Demanded map[string]any   `json:"doc_expected"`
	Note     string           `json:"note"`
}

type seedDocument struct {
	Format string         `json:"format"`
	Doc    jsontext.Value `json:"doc"` // a string, or the document itself
}

// text returns the document as it would stand in a file.
func (d *seedDocument) text() string {
	var s string
	if d.Doc.Kind() == '"' && json.Unmarshal(d.Doc, &s) == nil {
		return s
	}
	return string(d.Doc)
}

// readSeeds reads the vectors of a system.
func readSeeds(t testing.TB, system string) []*seedRow {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "seeds", system+".jsonl"))
	must(t, err)
	var rows []*seedRow
	for i, line := range bytes.Split(bytes.TrimSpace(b), []byte("\n")) {
		row := &seedRow{}
		if err := json.Unmarshal(line, row, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("%s line %d: %v", system, i+1, err)
		}
		row.Input, _ = unmarked(row.Input).(map[string]any)
		row.Expected, _ = unmarked(row.Expected).(map[string]any)
		rows = append(rows, row)
	}
	return rows
}

// unmarked replaces the marks of the vectors by their values.
func unmarked(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = unmarked(v[i])
		}
	case map[string]any:
		if r, ok := v["$repeat"].([]any); ok {
			return strings.Repeat(r[0].(string), int(r[1].(float64)))
		}
		if s, ok := v["$float"].(string); ok {
			x, _ := strconv.ParseFloat(s, 64)
			return x
		}
		for key := range v {
			v[key] = unmarked(v[key])
		}
	}
	return v
}

// sparse makes the tree of which the document fixes some paths. A list has nil
// where nothing is fixed.
func sparse(paths map[string]any) map[string]any {
	root := map[string]any{}
	for _, path := range sortedKeys(paths) {
		at := root
		keys := strings.Split(path, ".")
		for _, key := range keys[:len(keys)-1] {
			next, ok := at[key].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[key] = next
			}
			at = next
		}
		at[keys[len(keys)-1]] = mark(paths[path])
	}
	tree, _ := listed(root).(map[string]any)
	return tree
}

// mark reads the marks that values of doc_expected may be.
func mark(v any) any {
	s, ok := v.(string)
	switch rest, contains := strings.CutPrefix(s, "~"); {
	case ok && s == "<any>":
		return anything{}
	case ok && contains:
		return containing(rest)
	}
	return v
}

// listed turns objects whose keys are numbers into lists.
func listed(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for key := range m {
		m[key] = listed(m[key])
	}
	var list []any
	for key, value := range m {
		i, err := strconv.Atoi(key)
		if err != nil {
			return m
		}
		for len(list) <= i {
			list = append(list, nil)
		}
		list[i] = value
	}
	if list == nil {
		return m
	}
	return list
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
