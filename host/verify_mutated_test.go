package host_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// A mutant is a document with one change.
type mutant struct {
	at, what string // the JSON Pointer of the value, and its change
	text     []byte
}

// zero is a value that means the same as none.
var zero = regexp.MustCompile(`^(0|""|\[\s*\]|\{(\s*"\w+": ?0,?)*\s*\})$`)

// mutants returns a document with each of its values changed.
func mutants(t *testing.T, text []byte) (all []mutant) {
	t.Helper()
	d := jsontext.NewDecoder(bytes.NewReader(text))
	type open struct {
		from int
		at   string
	}
	var stack []open
	add := func(at, what string, from, to int, instead string) {
		was := string(text[from:to])
		if instead == was || zero.MatchString(was) && (zero.MatchString(instead) || instead == "null") {
			return
		}
		if a, err := strconv.ParseFloat(was, 64); err == nil {
			if b, err := strconv.ParseFloat(instead, 64); err == nil && a == b {
				return
			}
		}
		all = append(all, mutant{at, what, slices.Concat(text[:from], []byte(instead), text[to:])})
	}
	for {
		before := d.InputOffset()
		token, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			return all
		}
		must(t, err)
		kind, to, at := token.Kind(), int(d.InputOffset()), string(d.StackPointer())
		from := to - len(bytes.TrimLeft(text[before:to], " \n,:"))
		switch kind {
		case '{', '[':
			stack = append(stack, open{from, at})
			continue
		case '}', ']':
			from, at = stack[len(stack)-1].from, stack[len(stack)-1].at
			stack = stack[:len(stack)-1]
			add(at, "emptied", from, to, string(text[from])+string(text[to-1]))
		}
		if in, n := d.StackIndex(d.StackDepth()); in == '{' && n%2 == 1 { // a name
			continue
		}
		for _, instead := range map[jsontext.Kind][]string{
			'"': {`""`, `"a"`, `null`}, 't': {"false"}, 'f': {"true"}, 'n': {"0", "true", `"a"`},
			'0': {"0", "1", "2", "0.75", "-1", "null", string(text[from:to]) + "1"}, '}': {"null"}, ']': {"null"},
		}[kind] {
			add(at, string(text[from:to])+" -> "+instead, from, to, instead)
		}
	}
}

// underived is the part of a run that verify cannot derive: where and when it ran and was read, and what
// a program of this version says of failures.
var underived = regexp.MustCompile(`^(` + strings.Join([]string{
	`run.json/(id|command|seconds|started|cache|repeats|environment.*|versions.*|rubric/file)`,
	`run.json/dataset/(rows|paths.*|sources.*)`,
	`run.json/plugins/\d+/wall.*`,
	`run.json/plan/(repeat|graders/0/rubric/source/.*)`,
	`rows.jsonl/criteria/\d+/reason`,
	`cases.jsonl(/id|/source.*|:twice)`,
}, "|") + `)$`)

// TestVerify_EveryChangeOfARun changes each value of a run's files, deletes and doubles their lines: none
// of these runs is verified, but those with a change that verify cannot see.
func TestVerify_EveryChangeOfARun(t *testing.T) {
	dir, doc, ev := evaluating(t, map[string]string{
		"rubric.yaml": `rubric: changed
version: 1.0.0
pass: 0.6
criteria:
  - {id: right, metric: exact, weight: 2, required: true}
  - {id: near, metric: rouge, with: {variant: rougeL}}
  - {id: short, schema: {type: string, maxLength: 9}}
`,
		"data.jsonl": `{"id":"a","output":"the boat","reference":"the boat"}
{"id":"b","output":"a very late boat","reference":"the boat","metadata":{"lang":"en"}}
{"id":"c","output":"the boat"}
`,
	})
	done, err := ev.Evaluate(t.Context(), doc, host.EvaluateOptions{
		Runs: filepath.Join(dir, "runs"), MaxUnscored: result.Share{Count: 9}, Dataset: dataset.Options{Paths: []string{filepath.Join(dir, "data.jsonl")}},
	})
	must(t, err)
	tried := 0
	try := func(name string, text []byte, at, what string) {
		if tried++; tried%12 != 0 && os.Getenv("TEST_FULL") == "" {
			return
		}
		must(t, os.WriteFile(filepath.Join(done.Dir, name), text, 0o600))
		if v, err := ev.Verify(t.Context(), done.Dir, nil); err == nil && v.Err() == nil && !underived.MatchString(name+at) {
			t.Errorf("%s%s: %s is verified", name, at, what)
		}
	}
	for _, name := range []string{runner.RowsFile, runner.CasesFile, runner.RunFile} {
		was, err := os.ReadFile(filepath.Join(done.Dir, name))
		must(t, err)
		if name == runner.RunFile {
			for _, m := range mutants(t, was) {
				try(name, m.text, m.at, m.what)
			}
		} else {
			lines := slices.Collect(bytes.Lines(was))
			for i, line := range lines {
				with := func(instead ...[]byte) []byte {
					return bytes.Join(slices.Concat(lines[:i], instead, lines[i+1:]), nil)
				}
				try(name, with(), ":missing", "a line less")
				try(name, with(line, line), ":twice", "a line twice")
				for _, m := range mutants(t, line) {
					try(name, with(m.text), m.at, m.what)
				}
			}
		}
		must(t, os.WriteFile(filepath.Join(done.Dir, name), was, 0o600))
	}
	if tried < 2_000 {
		t.Errorf("%d changes", tried)
	}
}
