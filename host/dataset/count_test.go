package dataset_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
)

// TestCount: of the selection, of rows with a repeated id, and of several outputs for a case.
func TestCount(t *testing.T) {
	t.Chdir(t.TempDir())
	text := strings.Repeat(`{"output":"x"}`+"\n", 30) + "{\n\n"
	for name, text := range map[string]string{"d.jsonl": text, "one.jsonl": `{"id":"a","input":"q"}`,
		"again.jsonl": strings.Repeat(`{"id":"a","output":"x","references":["x"]}`+"\n", 2) + `{"id":"b","output":"y","references":["y"]}`} {
		must(t, os.WriteFile(name, []byte(text), 0o600))
	}
	outputs, err := dataset.ReadOutputs("o.jsonl", strings.NewReader(strings.Repeat(`{"id":"a","output":"x"}`+"\n", 3)), "")
	must(t, err)
	for _, tt := range []struct {
		o    dataset.Options
		want int
	}{
		{dataset.Options{Paths: []string{"d.jsonl"}}, 31},
		{dataset.Options{Paths: []string{"d.jsonl"}, Select: dataset.Selection{To: 10}}, 10},
		{dataset.Options{Paths: []string{"again.jsonl"}}, 3},
		{dataset.Options{Paths: []string{"again.jsonl"}, Select: dataset.Selection{To: 2}}, 3},
		{dataset.Options{Paths: []string{"again.jsonl"}, Audit: true}, 9},
		{dataset.Options{Paths: []string{"one.jsonl"}, Samples: true, Outputs: outputs}, 3},
	} {
		r, err := dataset.Open(tt.o)
		must(t, err)
		_, _ = r.Next() // the count does not move the reader
		n, ok := r.Count(context.Background())
		left := 0
		for range r.Cases() {
			left++
		}
		if !ok || n != tt.want || left != n-1 {
			t.Errorf("%+v: %d %v, %d left; want %d", tt.o.Select, n, ok, left, tt.want)
		}
	}
	r, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	must(t, err)
	if _, ok := r.Count(context.Background()); ok {
		t.Error("standard input was counted")
	}
}
