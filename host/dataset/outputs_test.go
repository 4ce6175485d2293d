package dataset_test

import (
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
		{"an object", "o.json", `{"a":"A","b":{"k":1}}`},
		{"an object, name unknown", "", "\xef\xbb\xbf" + `{"a":"A","b":{"k":1}}`},
		{"CSV with an alias", "o.csv", "id,response\na,A\nb,\"{\"\"k\"\":1}\"\n"},
		{"YAML", "o.yaml", "- {id: a, output: A}\n- {id: b, output: {k: 1}}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, err := dataset.ReadOutputs(tt.file, strings.NewReader(tt.text))
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
			if v, ok := o.Output("a"); !ok || string(v) != `"A"` {
				t.Errorf("Output = %s, %v", v, ok)
			}
			if _, ok := o.Output("none"); ok {
				t.Error("there is an output for nothing")
			}
		})
	}
}

func TestOutputs_RefusesWrongFiles(t *testing.T) {
	tests := []struct{ name, file, text, code string }{
		{"an id twice", "o.jsonl", `{"id":"a","output":"A"}` + "\n" + `{"id":"a","output":"B"}`, "id-duplicate"},
		{"an id twice in an object", "o.json", `{"a":"A","a":"B"}`, "key-duplicate"},
		{"no id", "o.jsonl", `{"output":"A"}`, "id-missing"},
		{"no output", "o.jsonl", `{"id":"a"}`, "output-missing"},
		{"an object that is broken", "o.json", `{"a":"A",`, "row-truncated"},
		{"nothing", "o.jsonl", "", "file-empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := dataset.ReadOutputs(tt.file, strings.NewReader(tt.text))
			if list := diag.In(err); !fault.Is(err, fault.Invalid) || len(list) != 1 || list[0].Code != tt.code || list[0].Pos.File != tt.file {
				t.Errorf("error %v", err)
			}
		})
	}
	if _, err := dataset.ReadOutputs("o.jsonl", &failing{}); err == nil {
		t.Error("a read error passed for no outputs")
	}
	if _, err := dataset.OpenOutputs(filepath.Join(t.TempDir(), "none.jsonl")); !fault.Is(err, fault.NotFound) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestOutputs_NamesMissingOnes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "o.jsonl")
	if err := os.WriteFile(file, []byte(`{"id":"case-1","output":"A"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := dataset.OpenOutputs(file)
	if err != nil {
		t.Fatal(err)
	}
	_, bad, totals := read(t, `{"id":"case1"}`+"\n"+`{"input":"x"}`, dataset.Options{Outputs: o})
	if len(bad) != 2 || !strings.Contains(bad[0].Hint, `"case-1"`) || !strings.Contains(bad[1].Message, "no id") {
		t.Errorf("problems %v", bad)
	}
	if len(totals.Warnings) != 1 || totals.Warnings[0].Code != "outputs-unused" {
		t.Errorf("warnings %v", totals.Warnings)
	}
}

func TestReadOutputs(t *testing.T) {
	var o dataset.Outputs
	o.Set("a", "say \"x\"\xff")
	cases, bad, _ := read(t, `{"id":"a"}`, dataset.Options{Outputs: &o})
	if bad != nil || cases[0].Output != "say \"x\"\uFFFD" {
		t.Errorf("problems %v, cases %+v", bad, cases)
	}
}
