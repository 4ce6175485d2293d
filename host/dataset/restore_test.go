package dataset_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
)

// TestRestore_MakesTheSameCase writes cases of every kind and reads them back.
func TestRestore_MakesTheSameCase(t *testing.T) {
	for name, tt := range map[string]struct {
		row  string
		maps []dataset.Mapping
	}{
		"plain":            {row: `{"id":"a","input":"i","output":"o","references":["r","s"],"context":["c"],"metadata":{"k":[1, 2]},"tags":["x=1"],"cluster":"z"}`},
		"aliases":          {row: `{"test_id":7,"messages":[{"role":"user","content":"hi"}],"response":{"a": 1},"ideal":"r"}`},
		"no id":            {row: `{"output":"o"}`},
		"null":             {row: `{"id":null,"output":"o","input":null,"question":"q"}`},
		"mapped":           {row: `{"id":"a","output":"x","r":{"text":"o"},"response":"y"}`, maps: []dataset.Mapping{{Field: "output", Path: "r.text"}}},
		"mapped, missing":  {row: `{"id":"a","output":"x","question":"q"}`, maps: []dataset.Mapping{{Field: "input", Path: "nothing"}}},
		"hostile":          {row: "{\"id\":\"a\",\"output\":\"\u202e \u007f \\u001b[31m\",\"na\u202eme\":\"\u0085\"}"},
		"expected output":  {row: `{"id":"a","output":"o","expected_output":{"x":1.50}}`},
		"reference object": {row: `{"id":"a","output":"o","references":{"x":"y"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			cases, bad, _ := read(t, tt.row+"\n", dataset.Options{Format: dataset.JSONL, Map: tt.maps})
			if len(cases) != 1 {
				t.Fatal(bad)
			}
			want := cases[0]
			text := want.AppendFields(nil)
			for _, r := range string(text) {
				if diag.Plain(string(r)) != string(r) {
					t.Errorf("%U is not escaped", r)
				}
			}
			got, err := dataset.Restore(text, want.ID, diag.Pos{File: want.File, Line: want.Line})
			must(t, err)
			if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(dataset.Case{}), cmpopts.EquateEmpty()); diff != "" || got.Digest() != want.Digest() {
				t.Errorf("%s\n%s", text, diff)
			}
		})
	}
}
