package host_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/schema"
)

// evaluating writes files into a new directory, rubric.yaml among them, and returns
// an evaluator for it.
func evaluating(t *testing.T, files map[string]string) (dir string, doc *dialect.Document, ev *host.Evaluator) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	doc, err := host.Load(filepath.Join(dir, "rubric.yaml"))
	must(t, err)
	return dir, doc, evaluator(t)
}

// TestVerify_ABigNumberInARubric has a number in a schema that no float64
// holds: the plan that is read again has the digest that was written.
func TestVerify_ABigNumberInARubric(t *testing.T) {
	dir, doc, ev := evaluating(t, map[string]string{
		"rubric.yaml": "rubric: big\nversion: 1.0.0\ncriteria:\n  - {id: s, schema: {const: 12345678901234567890}}\n  - {id: e, metric: bleu}\n",
		"data.jsonl": `{"id":"a","output":12345678901234567890,"references":["x"]}
{"id":"b","output":12345678901234567891,"references":["x"]}
`,
	})
	data := dataset.Options{Paths: []string{filepath.Join(dir, "data.jsonl")}}
	var met []bool
	done, err := ev.Evaluate(t.Context(), doc, host.EvaluateOptions{Runs: filepath.Join(dir, "runs"), Dataset: data, Observe: func(r *result.Row) {
		met = append(met, *r.Criteria[0].Native.Met)
	}})
	must(t, err)
	if !slices.Equal(met, []bool{true, false}) {
		t.Errorf("met: %v", met)
	}
	v, err := ev.Verify(t.Context(), done.Dir, &data)
	if err != nil || v.Err() != nil || v.Derived != 4 || v.Totals != 2 {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestEvaluate_WritesFilesValidBySchema evaluates cases that pass, fail, cannot be
// decided and break a plugin, and validates the files of the run directory by the
// schemas that the program ships.
func TestEvaluate_WritesFilesValidBySchema(t *testing.T) {
	dir, doc, ev := evaluating(t, map[string]string{
		"rubric.yaml": `rubric: records
version: 1.0.0
pass: 0.5
criteria:
  - {id: right, weight: 3, metric: exact, min: 0.1}
  - {id: bleu, metric: bleu}
  - {id: grade, levels: [{id: valid, score: 1}, {id: not, score: 0.25}], schema: {type: string, maxLength: 20}}
`,
		"data.jsonl": `{"id":"same","output":"the cat sat","references":["the cat sat"]}
{"id":"other","output":"a dog that is far too long for this","references":["the cat sat"]}
{"id":"undecided","output":"no references"}
{"id":"empty","output":"","references":[""]}
{"id":"not text","output":{"a":1},"references":["x"]}
`,
	})
	gate, err := result.ParseGate("mean>=0.1")
	must(t, err)
	done, err := ev.Evaluate(t.Context(), doc, host.EvaluateOptions{
		PlanOptions: host.PlanOptions{Repeat: 2}, Runs: filepath.Join(dir, "runs"), Gates: []result.Gate{gate},
		Dataset: dataset.Options{Paths: []string{filepath.Join(dir, "data.jsonl")}},
	})
	must(t, err)
	shape := map[string]*schema.Schema{}
	for _, record := range result.Schemas() {
		text, err := result.Schema(record)
		must(t, err)
		if shape[record], err = schema.Compile(jsontext.Value(text)); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := os.ReadFile(filepath.Join(done.Dir, runner.RowsFile))
	must(t, err)
	statuses := map[string]int{}
	for line := range bytes.Lines(rows) {
		if err := shape["row"].Validate(jsontext.Value(line)); err != nil {
			t.Errorf("%v\n%s", err, line)
		}
		var row result.Row
		must(t, json.Unmarshal(line, &row))
		statuses[string(row.Status)]++
	}
	cases, err := os.ReadFile(filepath.Join(done.Dir, runner.CasesFile))
	if err != nil || bytes.Count(cases, []byte("\n")) != 5 {
		t.Errorf("cases.jsonl: %v\n%s", err, cases)
	}
	for line := range bytes.Lines(cases) {
		if err := shape["case"].Validate(jsontext.Value(line)); err != nil {
			t.Errorf("%v\n%s", err, line)
		}
	}
	if statuses["scored"] == 0 || statuses["unscored"] == 0 || len(rows) == 0 {
		t.Errorf("there are not both kinds of rows: %v", statuses)
	}
	run, err := os.ReadFile(filepath.Join(done.Dir, runner.RunFile))
	must(t, err)
	if err := shape["run"].Validate(jsontext.Value(run)); err != nil {
		t.Error(err)
	}
	var members map[string]jsontext.Value
	must(t, json.Unmarshal(run, &members))
	if err := shape["summary"].Validate(members["summary"]); err != nil {
		t.Error(err)
	}
	if !slices.Contains(result.Schemas(), "summary") || members["summary"].Kind() != '{' {
		t.Errorf("the run has no summary: %s", members["summary"])
	}
}

// TestVerify_WithoutTheDataset removes the data of a run, rows that could not be read
// among them, and verifies the run from its own files.
func TestVerify_WithoutTheDataset(t *testing.T) {
	dir, doc, ev := evaluating(t, map[string]string{
		"rubric.yaml": "rubric: kept\nversion: 1.0.0\ncriteria:\n  - {id: e, metric: exact}\n",
		"data.jsonl": `{"prompt":"caf\u00e9 \u007f","response":"x","reference":"x"}
{"prompt":"caf\u00e9 \u007f","response":"x","reference":"x"}
{"id":"none"}
{"id":"c","output":["a",{"b":null}],"expected_output":"x","metadata":{"lang":"fr"}}
`,
	})
	path := filepath.Join(dir, "data.jsonl")
	done, err := ev.Evaluate(t.Context(), doc, host.EvaluateOptions{
		PlanOptions: host.PlanOptions{Repeat: 2}, Runs: filepath.Join(dir, "runs"), MaxUnscored: result.Share{Count: 1}, Dataset: dataset.Options{Paths: []string{path}},
	})
	must(t, err)
	must(t, os.Remove(path))
	v, err := ev.Verify(t.Context(), done.Dir, nil)
	if err != nil || v.Err() != nil || v.Rows != 7 || v.Derived != 6 || v.UnseenCount != 0 || len(v.Notes) != 1 {
		t.Errorf("%+v, %v", v, err)
	}

	file := filepath.Join(done.Dir, runner.CasesFile)
	kept, err := os.ReadFile(file)
	must(t, err)
	if n := bytes.Count(kept, []byte("\n")); n != 2 {
		t.Errorf("%d contents are kept, want 2:\n%s", n, kept)
	}
	must(t, os.WriteFile(file, bytes.Replace(kept, []byte(`"fr"`), []byte(`"de"`), 1), 0o600))
	v, err = ev.Verify(t.Context(), done.Dir, nil)
	if err != nil || v.Err() == nil || len(v.Differences) != 1 || v.Differences[0].What != "content" || v.Differences[0].Case != "c" || !strings.HasPrefix(v.Differences[0].Is, "sha256:") {
		t.Errorf("changed content: %+v, %v", v, err)
	}
}

// TestEvaluate_NoContentKeepsNone looks for the texts of a dataset in every file of a run
// that is to keep digests only.
func TestEvaluate_NoContentKeepsNone(t *testing.T) {
	dir, doc, ev := evaluating(t, map[string]string{
		"rubric.yaml": "rubric: none\nversion: 1.0.0\ncriteria:\n  - {id: e, metric: rouge}\n",
		"data.jsonl":  `{"id":"a","input":"canary one","output":"canary two","references":["canary three"],"metadata":{"x":"canary four"}}` + "\n",
	})
	data := dataset.Options{Paths: []string{filepath.Join(dir, "data.jsonl")}}
	done, err := ev.Evaluate(t.Context(), doc, host.EvaluateOptions{Runs: filepath.Join(dir, "runs"), NoContent: true, Dataset: data})
	must(t, err)
	entries, err := os.ReadDir(done.Dir)
	if err != nil || len(entries) < 3 {
		t.Fatal(entries, err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(done.Dir, e.Name()))
		if err != nil || bytes.Contains(text, []byte("canary")) {
			t.Errorf("%s: %v\n%s", e.Name(), err, text)
		}
	}
	if _, err := ev.Verify(t.Context(), done.Dir, nil); !fault.Is(err, fault.Usage) {
		t.Errorf("verify without data: %v", err)
	}
	if v, err := ev.Verify(t.Context(), done.Dir, &data); err != nil || v.Err() != nil || v.Derived != 1 {
		t.Errorf("verify with data: %+v, %v", v, err)
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
