package dataset_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// read returns the cases and the problems of text.
func read(t testing.TB, text string, opts dataset.Options) ([]*dataset.Case, diag.List, dataset.Totals) {
	t.Helper()
	opts.Paths, opts.Stdin = append(opts.Paths, "-"), strings.NewReader(text)
	return drain(t, opts)
}

func drain(t testing.TB, opts dataset.Options) ([]*dataset.Case, diag.List, dataset.Totals) {
	t.Helper()
	if opts.StdinName == "" {
		opts.StdinName = "in"
	}
	r, err := dataset.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	var cases []*dataset.Case
	var bad diag.List
	for c, err := range r.Cases() {
		if err == nil {
			cases = append(cases, c)
			continue
		}
		var row *dataset.RowError
		if !errors.As(err, &row) || !fault.Is(err, fault.Invalid) || len(diag.In(err)) == 0 {
			t.Fatalf("not a row error of class invalid: %v", err)
		}
		bad = append(bad, row.Problems...)
	}
	return cases, bad, r.Totals()
}

func ids(cases []*dataset.Case) []string {
	out := []string{}
	for _, c := range cases {
		out = append(out, c.ID)
	}
	return out
}

const nested = 200

// TestReader_ReportsWrongRows holds every reader to the promise of the package: a bad row
// is a diagnostic with a place, a code and a hint, and the good rows around it
// are read.
func TestReader_ReportsWrongRows(t *testing.T) {
	const good = `{"id":"good","output":"x"}`
	tests := []struct {
		name   string
		format dataset.Format
		text   string
		code   string
		pos    string // where
		says   string // part of message or hint
		rest   string // ids of the rows that are read all the same
	}{
		{"broken syntax", dataset.JSONL, `{"id":"a","output":"x"` + "}}\n" + good, "row-syntax", "in:1:24", "not valid JSON", "good"},
		{"Python in place of JSON", dataset.JSONL, `{'id': 'a'}` + "\n" + good, "row-syntax", "in:1:2", "json.dumps", "good"},
		{"Python's None", dataset.JSONL, `{"id":"a","output":None}` + "\n" + good, "row-syntax", "in:1:20", "json.dumps", "good"},
		{"NaN", dataset.JSONL, `{"id":"a","output":NaN}` + "\n" + good, "number-range", "in:1:20", "null", "good"},
		{"a number beyond float64", dataset.JSONL, `{"id":"a","output":"x","n":[1,{"m":-1e999}]}` + "\n" + good, "number-range", "in:1:1", "-1e999", "good"},
		{"a duplicate key", dataset.JSONL, `{"id":"a","output":"x","output":"y"}` + "\n" + good, "key-duplicate", "in:1:24", `"output"`, "good"},
		{"a duplicate key deep inside", dataset.JSONL, `{"id":"a","output":"x","m":{"k":1,"k":2}}` + "\n" + good, "key-duplicate", "in:1:35", `"k"`, "good"},
		{"invalid UTF-8 in a cell", dataset.CSV, "id,output\n\na,caf\xe9\ngood,b\n", "row-encoding", "in:3:3", "UTF-8: byte 0xe9", "good"},
		{"invalid UTF-8 in a cell of two lines", dataset.CSV, "id,output\na,\"x\ncaf\xe9\"\ngood,b\n", "row-encoding", "in:3", "UTF-8: byte 0xe9", "good"},
		{"invalid UTF-8", dataset.JSONL, "{\"id\":\"a\",\"output\":\"caf\xe9\"}\n" + good, "row-encoding", "in:1:", "iconv", "good"},
		{"a NUL inside a string", dataset.JSONL, "{\"id\":\"a\",\"output\":\"x\x00\"}\n" + good, "row-control", "in:1:22", `\u0000`, "good"},
		{"a row that is a list", dataset.JSONL, "[1,2]\n" + good, "row-not-object", "in:1:1", "dataset.Options.Format json", "good"},
		{"a row that is a number", dataset.JSONL, "17\n" + good, "row-not-object", "in:1:1", "a number", "good"},
		{"two objects on a line", dataset.JSONL, `{"id":"a","output":"x"} {"id":"b","output":"y"}` + "\n" + good, "row-syntax", "in:1:1", "follows", "good"},
		{"a truncated file", dataset.JSONL, good + "\n" + `{"id":"a","output":"x`, "row-truncated", "in:2:", "cut off", "good"},
		{"a row that is too long", dataset.JSONL, `{"id":"a","output":"` + strings.Repeat("x", 5000) + `"}` + "\n" + good, "row-too-long", "in:1:1", "limit", "good"},
		{"nesting 200 deep", dataset.JSONL, `{"id":"a","output":` + strings.Repeat("[", nested) + strings.Repeat("]", nested) + "}\n" + good, "row-too-deep", "in:1:1", "100", "good"},
		{"nesting 100,000 deep", dataset.JSON, `[{"id":"a","output":` + strings.Repeat("[", 1500) + strings.Repeat("]", 1500) + "}," + good + "]", "row-too-deep", "in:1:2", "100", "good"},
		{"no output", dataset.JSONL, `{"id":"a","input":"q"}` + "\n" + good, "output-missing", "in:1:1", `case "a" has no output`, "good"},
		{"an output that is null", dataset.JSONL, `{"id":"a","output":null}` + "\n" + good, "output-missing", "in:1:1", `case "a"`, "good"},
		{"no output, but an answer", dataset.JSONL, `{"id":"a","answer":"x"}` + "\n" + good, "output-missing", "in:1:1", "dataset.Options.Map output=answer", "good"},
		{"a misspelt output", dataset.JSONL, `{"id":"a","outputt":"x"}` + "\n" + good, "output-missing", "in:1:1", "dataset.Options.Map output=outputt", "good"},
		{"an object around the rows", dataset.JSON, `{"n":1,"data":[{"input":"q","actual_output":"x"}]}`, "output-missing", "in:1:1", `the rows are in its list "data"`, ""},
		{"a duplicate id", dataset.JSONL, good + "\n\n" + good, "id-duplicate", "in:3:1", "row 1 of in", "good"},
		{"an id that is a list", dataset.JSONL, `{"id":["a"],"output":"x"}` + "\n" + good, "id-type", "in:1:1", "a list", "good"},
		{"an id of two kilobytes", dataset.JSONL, `{"id":"` + strings.Repeat("a", 2000) + `","output":"x"}` + "\n" + good, "id-too-long", "in:1:1", "2000", "good"},
		{"tags that are a number", dataset.JSONL, `{"id":"a","output":"x","tags":3}` + "\n" + good, "tags-type", "in:1:1", "a number", "good"},
		{"a tag that is a list", dataset.JSONL, `{"id":"a","output":"x","tags":{"k":[]}}` + "\n" + good, "tags-type", "in:1:1", `"k"`, "good"},
		{"a cluster that is an object", dataset.JSONL, `{"id":"a","output":"x","cluster":{}}` + "\n" + good, "cluster-type", "in:1:1", "an object", "good"},
		{"an empty file", dataset.JSONL, "", "file-empty", "in", "no rows", ""},
		{"white space only", "", " \n\n", "file-empty", "in", "no rows", ""},

		{"a broken element of a list", dataset.JSON, `[{"id":"a","output":tru},` + "\n" + good + "]", "row-syntax", "in:1:24", "not valid JSON", "good"},
		{"a broken element over several lines", dataset.JSON, "[{\n\"id\":\"a\",\n\"output\":?},\n" + good + "]", "row-syntax", "in:3:10", "not valid JSON", "good"},
		{"a list without an end", dataset.JSON, `[` + good, "row-truncated", "in:1:28", "no end", "good"},
		{"a list cut off inside a row", dataset.JSON, `[` + good + `,{"id":"b","out`, "row-truncated", "in:1:29", "missing quote", "good"},
		{"a comma too many", dataset.JSON, `[` + good + `,]`, "row-syntax", "in:1:29", "last comma", "good"},
		{"a comma too few", dataset.JSON, `[` + good + ` {"id":"b"}]`, "row-syntax", "in:1:29", "comma between rows", "good"},
		{"something after the list", dataset.JSON, `[` + good + `] {}`, "row-syntax", "in:1:30", "follows the list", "good"},
		{"a list element that is too long", dataset.JSON, `[{"id":"a","output":"` + strings.Repeat("x", 5000) + `"},` + good + `]`, "row-too-long", "in:1:2", "limit", "good"},
		{"a scalar in the list", dataset.JSON, `[12,` + good + `]`, "row-not-object", "in:1:2", "a number", "good"},
		{"an empty list", dataset.JSON, `[]`, "file-empty", "in", "no rows", ""},

		{"a ragged row", dataset.CSV, "id,output\na,x,y\ngood,x\n", "row-ragged", "in:2:1", "3 cells", "good"},
		{"a short row", dataset.CSV, "id,output\na\ngood,x\n", "row-ragged", "in:2:1", "1 cells", "good"},
		{"a bare quote", dataset.CSV, "id,output\na,x \"y\" z\ngood,x\n", "csv-quote", "in:2:5", "double", "good"},
		{"a quote that is not closed", dataset.CSV, "id,output\ngood,x\na,\"x\n", "csv-quote", "in:3:1", "not closed", "good"},
		{"a quote that swallows the file", dataset.CSV, "id,output\ngood,x\na,\"" + strings.Repeat("x\n", 200000), "row-too-long", "in:2:1", "close the quote", "good"},
		{"a cell that is too long", dataset.CSV, "id,output\ngood,x\na," + strings.Repeat("x", 400000), "row-too-long", "in:2:1", "shorten that row", "good"},
		{"a column twice", dataset.CSV, "id,output,output\na,x,y\n", "header-duplicate", "in:1:1", `"output"`, ""},
		{"the CSV of promptfoo", dataset.CSV, "name,[a] P,Grader Reason,Comment,[b] P,Grader Reason,Comment\nx,y,,,z,,\n", "header-duplicate", "in:1:1", "promptfoo eval -o results.json", ""},
		{"a column whose name is Latin-1", dataset.CSV, "id,output,L\xf6sung\na,x,y\n", "row-encoding", "in:1:1", "column 3 is not valid UTF-8", ""},
		{"a column twice but for white space", dataset.CSV, "id, output,output\na,x,y\n", "header-duplicate", "in:1:1", `"output"`, ""},
		{"white space around names of columns", dataset.CSV, " id , output\ngood,x\na\n", "row-ragged", "in:3:1", "1 cells", "good"},
		{"half of a character", dataset.JSONL, `{"id":"a","output":"\ud83d!"}` + "\n" + good, "row-surrogate", "in:1:21", "text.encode", "good"},
		{"the index of a DataFrame", dataset.CSV, ",output\n0,x\n", "header-empty", "in:1:1", "column 1", ""},
		{"a column without a name", dataset.CSV, "id,,output\na,x,y\n", "header-empty", "in:1:1", "column 2", ""},
		{"a NUL in a cell", dataset.CSV, "id,output\na,x\x00\ngood,x\n", "row-control", "in:2:3", "NUL", "good"},
		{"Latin-1 in a cell", dataset.CSV, "id,output\na,caf\xe9\ngood,x\n", "row-encoding", "in:2:3", "iconv", "good"},
		{"a header alone", dataset.CSV, "id,output\n", "file-empty", "in", "no rows", ""},
		{"no output column", dataset.CSV, "id,answer\na,x\n", "output-missing", "in:2:1", "dataset.Options.Map output=answer", ""},

		{"YAML that is broken", dataset.YAML, "- id: a\n  output: [x\n", "row-syntax", "in:2", "not valid YAML", ""},
		{"one JSON value over several lines", dataset.JSONL, "{\n  \"id\": \"a\",\n  \"output\": \"x\"\n}\n", "format-mismatch", "in", "not one object per line", ""},
		{"a YAML scalar as a row", dataset.YAML, "- just text\n- {id: good, output: x}\n", "row-not-object", "in:1:3", "not a mapping", "good"},
		{"a duplicate YAML key", dataset.YAML, "- id: a\n  output: x\n  output: y\n- {id: good, output: x}\n", "key-duplicate", "in:3:3", `"output"`, "good"},
		{"a YAML infinity", dataset.YAML, "- {id: a, output: x, n: .inf}\n- {id: good, output: x}\n", "number-range", "in:1:25", ".inf", "good"},
		{"a YAML infinity behind other letters", dataset.YAML, "- {id: é, output: x, n: .inf}\n- {id: good, output: x}\n", "number-range", "in:1:26", ".inf", "good"},
		{"a YAML tab", dataset.YAML, "- id: a\n\toutput: x\n", "row-syntax", "in:2", "not valid YAML", ""},
		{"a YAML merge key", dataset.YAML, "- &a {id: good, output: x}\n- {<<: *a, id: b}\n", "key-merge", "in:2:4", "merge", "good"},
		{"a YAML bomb", dataset.YAML, bomb(), "row-too-long", "in:", "aliases", "good"},
		{"YAML nesting 200 deep", dataset.YAML, "- {id: a, output: " + strings.Repeat("[", nested) + strings.Repeat("]", nested) + "}\n- {id: good, output: x}\n", "row-too-deep", "in:1:", "100", "good"},
		{"YAML that is not UTF-8", dataset.YAML, "- id: a\n- output: caf\xe9\n", "row-encoding", "in:2", "iconv", ""},

		{"UTF-16 with a mark", "", "\xff\xfe{\x00}\x00", "file-encoding", "in", "UTF-16", ""},
		{"UTF-16 without a mark", "", "{\x00\"\x00i\x00d\x00\"\x00", "file-encoding", "in", "UTF-16LE", ""},
		{"UTF-16 without a mark, its high bytes first", "", "\x00{\x00\"\x00i\x00d\x00\"", "file-encoding", "in", "UTF-16BE", ""},
		{"NULs, which are not UTF-16", "", "\x00\x00\x01\x00{}", "format-unknown", "in", "format", ""},
		{"CSV of a Mac before 2001", dataset.CSV, "id,output\rgood,x\r", "file-lines", "in", "carriage return", ""},
		{"a gzip file", "", "\x1f\x8b\x08\x00", "file-binary", "in", "gzip", ""},
		{"a spreadsheet", "", "PK\x03\x04", "file-binary", "in", "CSV", ""},
		{"Parquet", "", "PAR1xxxx", "file-binary", "in", "to_json", ""},
		{"Arrow", "", "ARROW1\x00\x00xx", "file-binary", "in", "to_json", ""},
		{"a stream of Arrow", "", "\xff\xff\xff\xff\x10\x00\x00\x00", "file-binary", "in", "to_json", ""},
		{"a text that is not UTF-8", dataset.Text, "caf\xe9", "row-encoding", "in:1:1", "not valid UTF-8", ""},
		{"a text with NUL", dataset.Text, "abc\x00", "row-control", "in:1:1", "NUL", ""},
		{"a text that is too long", dataset.Text, strings.Repeat("x", 5000), "row-too-long", "in:1:1", "4.9 KiB", ""},
		{"prose", "", "Dear reader", "format-unknown", "in", "dataset.Options.Format", ""},
		{"CSV with columns in upper case", "", "ID,Output\na,x\n", "output-missing", "in:2", "output=Output", ""},
		{"code with a comma", "", "def f(a, b):\n    return a\n", "format-unknown", "in", "dataset.Options.Format", ""},
		{"a format nobody knows", "jsnl", good, "format-unknown", "in", `did you mean "jsonl"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cases, bad, totals := read(t, tt.text, dataset.Options{Format: tt.format, MaxRow: 4096})
			if len(bad) == 0 {
				t.Fatalf("no diagnostic; cases %v", ids(cases))
			}
			d := bad[0]
			if d.Code != tt.code || d.Severity != diag.Error {
				t.Errorf("code %s %s, want error %s: %v", d.Severity, d.Code, tt.code, d)
			}
			if got := d.Pos.String(); !strings.HasPrefix(got, tt.pos) {
				t.Errorf("place %s, want %s…: %v", got, tt.pos, d)
			}
			if !strings.Contains(d.Message+"\n"+d.Hint, tt.says) {
				t.Errorf("%q does not say %q", d.String(), tt.says)
			}
			if d.Hint == "" || d.Message == "" {
				t.Errorf("no message or no hint: %+v", d)
			}
			if got := strings.Join(ids(cases), " "); got != tt.rest {
				t.Errorf("the rest is %q, want %q (problems: %v)", got, tt.rest, bad)
			}
			if totals.Cases != len(cases) || !totals.Complete {
				t.Errorf("totals %+v", totals)
			}
		})
	}
}

// bomb doubles its size with every field.
func bomb() string {
	var b strings.Builder
	b.WriteString("- {id: good, output: x}\n- id: a\n  output: x\n  f0: &a0 [x, x]\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  f%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	return b.String()
}

func TestReader_FormatsGiveTheSameCases(t *testing.T) {
	texts := map[dataset.Format]string{
		dataset.JSONL: `{"id":"1","output":"a, \"b\"","expected_output":"c"}` + "\r\n\n" + `{"id":"2","output":"line\nbreak","expected_output":"d"}`,
		dataset.JSON:  "[\n {\"id\" : \"1\", \"output\": \"a, \\\"b\\\"\", \"expected_output\": \"c\"},\n {\"id\": \"2\", \"output\": \"line\\nbreak\", \"expected_output\": \"d\"}\n]\n",
		dataset.CSV:   "id,output,expected_output\n1,\"a, \"\"b\"\"\",c\r\n2,\"line\nbreak\",d\n",
		dataset.YAML:  "- id: '1'\n  output: a, \"b\"\n  expected_output: c\n- id: '2'\n  output: |-\n    line\n    break\n  expected_output: d\n",
	}
	var digest string
	for f := range texts {
		t.Run(string(f), func(t *testing.T) {
			for _, bom := range []string{"", "\xef\xbb\xbf"} {
				for _, named := range []dataset.Format{f, ""} { // sniffed too
					cases, bad, totals := read(t, bom+texts[f], dataset.Options{Format: named})
					if bad != nil || len(cases) != 2 {
						t.Fatalf("cases %v, problems %v", ids(cases), bad)
					}
					if a, b := cases[0], cases[1]; a.Output != `a, "b"` || b.Output != "line\nbreak" || b.References[0] != "d" || a.ID != "1" || b.ID != "2" {
						t.Errorf("cases %+v, %+v", a, b)
					}
					if digest == "" {
						digest = totals.Digest
					}
					if totals.Digest != digest {
						t.Errorf("digest %s, other formats %s", totals.Digest, digest)
					}
				}
			}
		})
	}
}

func TestReader_TextIsOneCase(t *testing.T) {
	for text, output := range map[string]string{"def f():\n    return {}\n": "def f():\n    return {}\n", "\xef\xbb\xbfx": "x", "{\"id\":\"a\"}": "{\"id\":\"a\"}", "": ""} {
		cases, bad, totals := read(t, text, dataset.Options{Format: dataset.Text})
		if bad != nil || len(cases) != 1 || totals.Cases != 1 || !totals.Complete {
			t.Fatalf("%q: cases %v, problems %v, totals %+v", text, ids(cases), bad, totals)
		}
		if c := cases[0]; c.ID != "in" || c.Output != output || string(c.Raw("file")) != `"in"` {
			t.Errorf("%q: %+v", text, c)
		}
	}
}

func TestReader_PlacesRows(t *testing.T) {
	tests := map[dataset.Format]struct {
		text string
		want []int
	}{
		dataset.JSONL: {`{"id":"a","output":1}` + "\n\n" + `{"id":"b","output":2}`, []int{1, 3}},
		dataset.JSON:  {"[\n\n{\"id\":\"a\",\n\"output\":1}\n,\n{\"id\":\"b\",\"output\":2}]", []int{3, 6}},
		dataset.CSV:   {"id,output\na,\"1\n2\"\nb,3\n", []int{2, 4}},
		dataset.YAML:  {"# cases\n- id: a\n  output: 1\n- id: b\n  output: 2\n", []int{2, 4}},
	}
	for f, tt := range tests {
		cases, bad, _ := read(t, tt.text, dataset.Options{Format: f})
		if bad != nil || len(cases) != 2 || cases[0].Line != tt.want[0] || cases[1].Line != tt.want[1] || cases[0].File != "in" {
			t.Errorf("%s: problems %v, cases %+v", f, bad, cases)
		}
	}
}

func TestOpen_FilesAndGlobs(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	b := write("b.jsonl", `{"id":"b","output":"x"}`+"\n"+`{"id":"a","output":"again"}`)
	write("a.jsonl", `{"id":"a","output":"x"}`)
	write("c.csv", "id,output\nc,x\n")
	cases, bad, totals := drain(t, dataset.Options{Paths: []string{filepath.Join(dir, "*.jsonl"), filepath.Join(dir, "c.csv")}})
	if got := ids(cases); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("ids %v", got)
	}
	if len(bad) != 1 || !strings.HasSuffix(bad[0].Message, "row 1 of "+filepath.Join(dir, "a.jsonl")) || bad[0].Pos.File != b {
		t.Errorf("a duplicate in another file: %v", bad)
	}
	if len(totals.Sources) != 3 || totals.Sources[1].Rows != 2 || totals.Sources[2].Format != dataset.CSV {
		t.Errorf("sources %+v", totals.Sources)
	}
	// The digest of a source is the output of sha256sum on the file.
	sum := sha256.Sum256([]byte(`{"id":"a","output":"x"}`))
	if want := "sha256:" + hex.EncodeToString(sum[:]); totals.Sources[0].Digest != want {
		t.Errorf("digest %s, want %s", totals.Sources[0].Digest, want)
	}
}

func TestOpen_NamesMissingFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "answers.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		opts  dataset.Options
		class fault.Class
		says  string
	}{
		{"a file that is not there", dataset.Options{Paths: []string{filepath.Join(dir, "answer.jsonl")}}, fault.NotFound, "did you mean"},
		{"a directory that is not there", dataset.Options{Paths: []string{filepath.Join(dir, "no", "answer.jsonl")}}, fault.NotFound, "does not exist either"},
		{"a URL of a file, as promptfoo has them", dataset.Options{Paths: []string{"file://answer.jsonl"}}, fault.NotFound, "without file://"},
		{"a directory", dataset.Options{Paths: []string{dir}}, fault.Invalid, "*.jsonl"},
		{"a glob that matches nothing", dataset.Options{Paths: []string{filepath.Join(dir, "*.csv")}}, fault.NotFound, "no file matches"},
		{"nothing at all", dataset.Options{}, fault.Usage, "EvaluateOptions.Dataset"},
		{"an empty name", dataset.Options{Paths: []string{""}}, fault.Usage, "empty name"},
		{"standard input twice", dataset.Options{Paths: []string{"-", "-"}, Stdin: strings.NewReader("")}, fault.Usage, "once"},
		{"a limit that takes nothing", dataset.Options{Select: dataset.Selection{From: 3, To: 2}}, fault.Usage, "takes nothing"},
		{"a shard that is not there", dataset.Options{Select: dataset.Selection{Shard: 3, Shards: 2}}, fault.Usage, "3/2"},
		{"a pattern that is malformed", dataset.Options{Select: dataset.Selection{Match: "[a"}}, fault.Usage, "[a"},
		{"a tag without a key", dataset.Options{Select: dataset.Selection{Tags: []string{"=x"}}}, fault.Usage, "no key"},
		{"a sample below zero", dataset.Options{Select: dataset.Selection{Sample: -1}}, fault.Usage, "negative"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := dataset.Open(tt.opts)
			if !fault.Is(err, tt.class) || !strings.Contains(err.Error()+fault.Hint(err), tt.says) {
				t.Errorf("class %s: %v (hint %s)", fault.Of(err), err, fault.Hint(err))
			}
		})
	}
	_, err := dataset.Open(dataset.Options{Paths: []string{"nothing-1.jsonl", "nothing-2.jsonl"}})
	if !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), "nothing-1") || !strings.Contains(err.Error(), "nothing-2") {
		t.Errorf("not every missing file is named: %v", err)
	}
}

// failing gives some text, and then an error.
type failing struct{ text string }

func (f *failing) Read(p []byte) (int, error) {
	if f.text == "" {
		return 0, errors.New("the disk is on fire")
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

func TestReader_ReadErrorsAreNoEnd(t *testing.T) {
	for f, text := range map[dataset.Format]string{
		dataset.JSONL: `{"id":"a","output":"x"}` + "\n",
		dataset.JSON:  `[{"id":"a","output":"x"},`,
		dataset.CSV:   "id,output\na,x\n",
		dataset.YAML:  "- {id: a, output: x}\n",
	} {
		long := text
		if f == dataset.JSONL {
			long += strings.Repeat("\n", 100_000)
		}
		r, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: &failing{long}, Format: f})
		if err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range r.Cases() {
			if err != nil {
				last = err
			}
		}
		if last == nil || !strings.Contains(last.Error(), "on fire") {
			t.Errorf("%s: a read error passed for the end: %v", f, last)
		}
	}
}

func TestCases_ClosesTheReader(t *testing.T) {
	r, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(`{"output":1}` + "\n" + `{"output":2}`)})
	if err != nil {
		t.Fatal(err)
	}
	for range r.Cases() {
		break
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("Next after an early break: %v", err)
	}
}

func TestReader_GivesUpOnGarbage(t *testing.T) {
	good := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "{\"id\":\"c%d\",\"output\":\"x\"}\n", i)
		}
		return b.String()
	}
	bad := strings.Repeat("x\n", dataset.MaxBad)
	for name, tt := range map[string]struct {
		text          string
		early, midway bool
	}{
		"no usable row in a while":     {bad + good(1), true, false},
		"nearly nothing usable":        {good(3) + bad + bad, false, true},
		"as many unusable as allowed":  {good(3) + bad, false, false},
		"half of the rows and no more": {good(2*dataset.MaxBad) + bad + bad, false, false},
		"more than half after a while": {good(dataset.MaxBad) + bad + bad, false, true},
		"every row usable":             {good(2 * dataset.MaxBad), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(tt.text), Format: dataset.JSONL})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			err = r.Preflight()
			if (err != nil) != tt.early || err != nil && (fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), "none of the first 1000 rows is usable")) {
				t.Fatalf("before: %v", err)
			}
			if tt.early {
				return
			}
			var gaveUp error
			rows := 0
			for range r.Cases() {
				rows++
				if gaveUp = r.Garbage(); gaveUp != nil {
					break
				}
			}
			if (gaveUp != nil) != tt.midway || gaveUp != nil && (fault.Of(gaveUp) != fault.Invalid || r.Totals().Bad <= dataset.MaxBad) {
				t.Errorf("after %d rows: %v", rows, gaveUp)
			}
		})
	}
}

func TestReader_BoundsProblemsOfARow(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"id":"a","output":"x"`)
	for i := range 1000 {
		fmt.Fprintf(&b, `,"f%d":1e999`, i)
	}
	b.WriteString("}\n")
	r, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(b.String()), Format: dataset.JSONL})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, err = r.Next()
	if err == nil || len(err.Error()) > 4000 || !strings.Contains(err.Error(), "the row has more problems than these") {
		t.Errorf("%.3000v", err)
	}
}

// TestReader_TellsWhereAnIDIsTaken has duplicates of rows in this file and in each one before.
func TestReader_TellsWhereAnIDIsTaken(t *testing.T) {
	t.Chdir(t.TempDir())
	var paths []string
	for i, ids := range []string{"a b", "c a d", "", "e b d e"} {
		var rows strings.Builder
		for id := range strings.FieldsSeq(ids) {
			fmt.Fprintf(&rows, `{"id":%q,"output":"o"}`+"\n", id)
		}
		paths = append(paths, fmt.Sprintf("%d.jsonl", i))
		if err := os.WriteFile(paths[i], []byte(rows.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, bad, _ := drain(t, dataset.Options{Paths: paths})
	var got []string
	for _, d := range bad {
		if _, at, taken := strings.Cut(d.Message, "taken by row "); taken {
			got = append(got, at)
		}
	}
	if want := []string{"1 of 0.jsonl", "2 of 0.jsonl", "3 of 1.jsonl", "1 of 3.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("taken at %v, want %v", got, want)
	}
}
