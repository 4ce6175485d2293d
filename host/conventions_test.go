package host_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// conventionWords are the names that other evaluators give their scorers, and the
// names of their and our parameters. They belong into package script.
var conventionWords = []string{
	"promptfoo", "deepeval", "autoevals", "get_assert", "compute_score", "reward_func", "BaseMetric", "TaskState", "completions", "actual_output", "output_text",
	"ground_truth", "references", "unscored",
}

// TestFloors_TheEngineKnowsNoConventions reads all that packages below host/wasm bring with
// them: embedded files, and texts in their code. Package script, read in the same way, has every
// word, so the search does find them.
func TestFloors_TheEngineKnowsNoConventions(t *testing.T) {
	for file, text := range broughtAlong(t, "wasm") {
		text = strings.ToLower(text)
		for _, word := range conventionWords {
			if hasWord(text, strings.ToLower(word)) {
				t.Errorf("%s has %q: conventions of scorers belong into host/script", file, word)
			}
		}
	}
	var all strings.Builder
	for _, text := range broughtAlong(t, "script") {
		all.WriteString(text + "\n")
	}
	for _, word := range conventionWords {
		if !hasWord(all.String(), word) {
			t.Errorf("host/script does not have %q: the search does not work", word)
		}
	}
}

// hasWord reports whether text has a word by itself or behind an underscore. A regular
// expression takes seconds for the interpreters.
func hasWord(text, word string) bool {
	part := func(k int) bool {
		return k >= 0 && k < len(text) && (text[k] == '_' || text[k] >= '0' && text[k] <= '9' || text[k]|32 >= 'a' && text[k]|32 <= 'z')
	}
	for k := 0; k < len(text); k++ {
		found := strings.Index(text[k:], word)
		if found < 0 {
			return false
		}
		k += found
		begins := !part(k-1) || text[k-1] == '_' && !part(k-2)
		if begins && !part(k+len(word)) {
			return true
		}
	}
	return false
}

// broughtAlong returns the texts that the program has of a directory: string literals by the file
// that they are in, and embedded files.
func broughtAlong(t *testing.T, root string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				texts[file] += l.Value + "\n"
			}
			return true
		})
		for _, group := range f.Comments {
			for _, c := range group.List {
				if patterns, ok := strings.CutPrefix(c.Text, "//go:embed "); ok {
					embedded(t, filepath.Dir(file), patterns, texts)
				}
			}
		}
		return nil
	})
	must(t, err)
	return texts
}

// embedded adds the files that a directive embeds, those of directories too.
func embedded(t *testing.T, dir, patterns string, texts map[string]string) {
	t.Helper()
	for pattern := range strings.FieldsSeq(patterns) {
		found, err := filepath.Glob(filepath.Join(dir, strings.TrimPrefix(strings.Trim(pattern, "\"`"), "all:")))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: go:embed %s: no files, %v", dir, pattern, err)
		}
		for _, root := range found {
			err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				b, err := os.ReadFile(file)
				texts[file] = string(b)
				return err
			})
			must(t, err)
		}
	}
}
