package dataset_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
)

// FuzzRead holds every format to its promises on any bytes: no panic, every
// error a row error with a code and a message, every case with an id and an
// output, every row accounted for, and the same again on a second reading.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "\xff\xfea", "[", "[]", "{}", "[1,2", `{"id":"a","output":"x"}`, `[{"output":1},{"output":[{"role":"user","content":[{"type":"text","text":"q"}]}]}]`,
		"id,output\na,x\n", "output\n\"a\n\"\"b\"\n", "- output: x\n- {output: [1, 2], tags: [a=b]}\n", "---\noutput: &a [x]\nb: *a\n", "{\"output\":\"\\u00e9\\n\"}\n{\"output\":1e999}\n",
		`{"a":{"output":"x"}}`, "\"", "]", "{\"output\": \"a\\\\\"}",
	} {
		for i := range 5 {
			f.Add([]byte(seed), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		formats := append(dataset.Formats(), "")
		opts := dataset.Options{Format: formats[int(which)%len(formats)], MaxRow: 1000, Map: []dataset.Mapping{{Field: "metadata", Path: "a.b.0"}}}
		first := account(t, string(text), opts)
		if again := account(t, string(text), opts); again != first {
			t.Errorf("digest %s, then %s", first, again)
		}
	})
}

func account(t *testing.T, text string, opts dataset.Options) string {
	opts.Paths, opts.Stdin = []string{"-"}, strings.NewReader(text)
	r, err := dataset.Open(opts)
	must(t, err)
	cases, bad := 0, 0
	for c, err := range r.Cases() {
		var row *dataset.RowError
		switch {
		case err == nil:
			cases++
			if c.ID == "" || !c.HasOutput || len(c.Fields) == 0 {
				t.Fatalf("case %+v", c)
			}
			c.Raw("a.b.0")
			c.Texts("output")
			c.Target()
			for _, f := range c.Fields {
				if !f.Value.IsValid() {
					t.Fatalf("field %q is not valid JSON: %s", f.Name, f.Value)
				}
			}
		case errors.As(err, &row) && len(row.Problems) > 0:
			bad++
			for _, d := range row.Problems {
				if d.Code == "" || d.Message == "" {
					t.Fatalf("a problem without a code or message: %+v", d)
				}
			}
		default:
			t.Fatalf("not a row error: %v", err)
		}
	}
	totals := r.Totals()
	if totals.Cases != cases || totals.Cases+totals.Bad != totals.Rows || totals.Bad > bad {
		t.Fatalf("%d cases and %d errors, totals %+v", cases, bad, totals)
	}
	return totals.Digest
}

// FuzzOutputs holds outputs files to the same.
func FuzzOutputs(f *testing.F) {
	f.Add("o.jsonl", []byte(`{"id":"a","output":"x"}`))
	f.Add("", []byte(`[{"id":"a"`))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		o, err := dataset.ReadOutputs(name, strings.NewReader(string(text)), "")
		if err == nil && o.Len() == 0 {
			t.Errorf("no outputs and no error")
		}
	})
}
