package dataset_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

func TestOutputs_AreJoinedByID(t *testing.T) {
	tests := []struct{ name, file, text string }{
		{"lines", "o.jsonl", `{"id":"a","output":"A","logprobs":[-1],"input":"other"}` + "\n" + `{"id":"b","output":{"k":1}}`},
		{"a list", "o.json", `[{"id":"a","output":"A","logprobs":[-1]},{"id":"b","output":{"k":1}}]`},
		{"CSV with an alias", "o.csv", "id,response\na,A\nb,\"{\"\"k\"\":1}\"\n"},
		{"YAML", "o.yaml", "- {id: a, output: A}\n- {id: b, output: {k: 1}}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, err := dataset.ReadOutputs(tt.file, strings.NewReader(tt.text), "")
			if err != nil || o.Len() != 2 {
				t.Fatalf("%d outputs: %v", o.Len(), err)
			}
			cases, bad, _ := read(t, `{"id":"a","input":"q","output":"old"}`+"\n"+`{"id":"b","output":null}`, dataset.Options{Outputs: o})
			if bad != nil || cases[0].Output != "A" || cases[1].Output != `{"k":1}` || cases[0].Input != "q" {
				t.Errorf("problems %v, cases %+v", bad, cases)
			}
			if strings.Contains(tt.text, "logprobs") && string(cases[0].Raw("logprobs")) != "[-1]" {
				t.Errorf("logprobs %s", cases[0].Raw("logprobs"))
			}
		})
	}
}

func TestOutputs_RefusesWrongFiles(t *testing.T) {
	tests := []struct{ name, file, text, code string }{
		{"an object from id to output", "o.json", `{"a":"A","b":"B"}`, "output-missing"},
		{"an object from id to output, one as a field", "o.json", `{"response":"A","b":"B"}`, "id-missing"},
		{"no id", "o.jsonl", `{"output":"A"}`, "id-missing"},
		{"no output", "o.jsonl", `{"id":"a"}`, "output-missing"},
		{"a row that is broken", "o.json", `{"id":"a",`, "row-truncated"},
		{"nothing", "o.jsonl", "", "file-empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := dataset.ReadOutputs(tt.file, strings.NewReader(tt.text), "")
			if list := diag.In(err); !fault.Is(err, fault.Invalid) || len(list) != 1 || list[0].Code != tt.code || list[0].Pos.File != tt.file {
				t.Errorf("error %v", err)
			}
		})
	}
	if _, err := dataset.ReadOutputs("o.jsonl", &failing{}, ""); err == nil {
		t.Error("a read error passed for no outputs")
	}
	if _, err := dataset.OpenOutputs(filepath.Join(t.TempDir(), "none.jsonl"), ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestOutputs_CutGzip(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	for i := range 5000 {
		fmt.Fprintf(w, "{\"id\":\"c%d\",\"output\":\"%x\"}\n", i, sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	must(t, w.Close())
	for _, n := range []int{5, 15, 1000, z.Len() - 100000, z.Len() - 9, z.Len() - 1} {
		_, err := dataset.ReadOutputs("o.jsonl.gz", bytes.NewReader(z.Bytes()[:n]), "")
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "not valid gzip: ") || n > 10 && !strings.Contains(err.Error(), "too early") {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestOutputs_NamesMissingOnes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "o.jsonl")
	must(t, os.WriteFile(file, []byte(`{"id":"case-1","output":"A"}`), 0o600))
	o, err := dataset.OpenOutputs(file, "")
	must(t, err)
	_, bad, totals := read(t, `{"id":"case1"}`+"\n"+`{"input":"x"}`, dataset.Options{Outputs: o})
	if len(bad) != 2 || !strings.Contains(bad[0].Hint, "add it to the file") || !strings.Contains(bad[1].Message, "no id") {
		t.Errorf("problems %v", bad)
	}
	if len(totals.Warnings) != 1 || totals.Warnings[0].Code != "outputs-unused" {
		t.Errorf("warnings %v", totals.Warnings)
	}
}

func TestRead_JoinsOutputs(t *testing.T) {
	var o dataset.Outputs
	o.Set("a", "say \"x\"\xff")
	cases, bad, _ := read(t, `{"id":"a"}`, dataset.Options{Outputs: &o})
	if bad != nil || cases[0].Output != "say \"x\"\uFFFD" {
		t.Errorf("problems %v, cases %+v", bad, cases)
	}
}

func TestOutputs_SamplesOfOneCase(t *testing.T) {
	o, err := dataset.ReadOutputs("o.jsonl", strings.NewReader(`{"id":"a","output":"A","seed":1}`+"\n"+`{"id":"a","output":"B"}`+"\n"+`{"id":"a","output":"A"}`), "")
	if err != nil || o.Len() != 1 {
		t.Fatalf("%d cases have outputs: %v", o.Len(), err)
	}
	opts := dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(`{"id":"a"}`), Outputs: o}
	if _, err := dataset.Open(opts); !fault.Is(err, fault.Invalid) || diag.In(err)[0].Code != "id-duplicate" || diag.In(err)[0].Pos.Line != 2 {
		t.Errorf("without Samples: %v", err)
	}
	cases, bad, totals := read(t, `{"id":"a","input":"q"}`+"\n"+`{"id":"b"}`, dataset.Options{Outputs: o, Samples: true})
	if got := strings.Join(ids(cases), " "); got != "a a#2 a#3" || len(bad) != 1 || totals.Rows != 2 {
		t.Fatalf("cases %s, problems %v, rows %d", got, bad, totals.Rows)
	}
	for i, want := range []struct{ output, same string }{{"A", ""}, {"B", ""}, {"A", "a"}} {
		if c := cases[i]; c.Output != want.output || c.SameAs != want.same || c.Cluster != "a" || c.Input != "q" || string(c.Raw("id")) != `"`+c.ID+`"` {
			t.Errorf("sample %d: %+v", i, c)
		}
	}
	if string(cases[0].Raw("seed")) != "1" || cases[1].Raw("seed") != nil {
		t.Errorf("fields of one sample reached another: %s", cases[1].Raw("seed"))
	}
}

func TestReader_Samples(t *testing.T) {
	text := strings.Join([]string{`{"id":"a","output":"x"}`, `{"id":"a#2","output":"y"}`, `{"id":"b","output":"x","cluster":"doc"}`, `{"id":"a","output":"x"}`, `{"id":"a","output":"z"}`, `{"output":"free"}`}, "\n")
	cases, bad, _ := read(t, text, dataset.Options{Samples: true})
	if got := strings.Join(ids(cases)[:5], " "); bad != nil || got != "a a#2 b a#3 a#4" {
		t.Fatalf("cases %s, problems %v", got, bad)
	}
	if cases[3].SameAs != "a" || cases[4].SameAs != "" || cases[2].Cluster != "doc" || cases[3].Cluster != "a" || cases[5].Cluster != "" {
		t.Errorf("cases %+v", cases)
	}
	again, err := dataset.Restore(cases[3].AppendFields(nil), "", diag.Pos{})
	if err != nil || again.ID != "a#3" || again.Cluster != "a" || again.Digest() != cases[3].Digest() {
		t.Errorf("restored %+v: %v", again, err)
	}
	if _, bad, _ := read(t, text, dataset.Options{}); len(bad) != 2 || bad[0].Code != "id-duplicate" || !strings.Contains(bad[0].Hint, "pass_at") {
		t.Errorf("without Samples: %v", bad)
	}
	few, _, _ := read(t, text, dataset.Options{Samples: true, Select: dataset.Selection{Match: "a"}})
	if got := strings.Join(ids(few), " "); got != "a a#3 a#4" {
		t.Errorf("the id of the problem selects %s", got)
	}
}
