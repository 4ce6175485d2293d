package metric

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
	"github.com/rubric-host/rubric-host/host/scorer/scorertest"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// A guest answers as its function does.
type guest func(export string, request []byte) (answer string, usage wasm.Usage, err error)

func (g guest) Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error) {
	if err := ctx.Err(); err != nil {
		return answer[:0], wasm.Usage{}, err
	}
	text, usage, err := g(export, request)
	return append(answer[:0], text...), usage, err
}

func says(answer string) guest {
	return func(string, []byte) (string, wasm.Usage, error) { return answer, wasm.Usage{Fuel: 7}, nil }
}

func options() Options {
	c := rubric.Criterion{ID: "c", Answer: rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Max: 1}}}
	r := &rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{c}}
	return Options{Rubric: r, Criterion: &r.Criteria[0], Plugin: "demo", Digest: "sha256:00", Export: "score"}
}

func newScorer(tb testing.TB, g Guest, o Options) scorer.Scorer {
	tb.Helper()
	s, err := New(g, o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func TestScore_ACheckGetsTheRubricAndAnswersWithALevel(t *testing.T) {
	o := options()
	o.Kind = KindCheck
	o.Criterion.Answer = rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "fail"}, {ID: "pass", Score: 1}}}
	var request string
	answer := `{"level":"pass"}`
	g := guest(func(_ string, r []byte) (string, wasm.Usage, error) {
		request = string(r)
		return answer, wasm.Usage{}, nil
	})
	s := newScorer(t, g, o)
	got, err := s.Score(t.Context(), caseOf(t, `{"output":{"criteria":[]},"references":["r"],"input":"i"}`))
	if err != nil || got[0].Native.Level != "pass" || got[0].Value != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if want := `{"contract":1,"kind":"check","config":{},"criterion":{"id":"c","levels":[{"id":"fail","score":0},{"id":"pass","score":1}]},"case":{"target":{"criteria":[]}}}`; request != want {
		t.Errorf("%s", request)
	}
	for _, bad := range []string{`{"score":1}`, `{"level":"good"}`} {
		answer = bad
		if got, err := s.Score(t.Context(), caseOf(t, `{"output":{}}`)); fault.Of(err) != fault.Protocol {
			t.Errorf("%s: %+v, %v", bad, got, err)
		}
	}
}

// TestScore_AFailedCallMayHoldItsRequest has a call go on behind its error, as one in a worker does whose caller has cancelled.
func TestScore_AFailedCallMayHoldItsRequest(t *testing.T) {
	var held [][]byte
	var want []string
	g := guest(func(_ string, r []byte) (string, wasm.Usage, error) {
		if len(held)%2 == 0 {
			held, want = append(held, r), append(want, string(r))
			return "", wasm.Usage{}, errors.New("stopped")
		}
		held, want = append(held, nil), append(want, "")
		return `{"score":1}`, wasm.Usage{}, nil
	})
	s := newScorer(t, g, options())
	for k := range 100 {
		_, err := s.Score(t.Context(), caseOf(t, fmt.Sprintf(`{"output":"%d"}`, k)))
		if (err != nil) != (k%2 == 0) {
			t.Fatal(k, err)
		}
	}
	for k := range held {
		if string(held[k]) != want[k] {
			t.Errorf("the request is now %s, was %s", held[k], want[k])
		}
	}
}

func TestScore_AVerdictNamesItsOrigin(t *testing.T) {
	o := options()
	o.Nondeterministic = true
	var export, request string
	g := guest(func(e string, r []byte) (string, wasm.Usage, error) {
		export, request = e, string(r)
		return `{"score":0.5,"reason":"r","evidence":[{"text":"e"}],"hits":["h"],"misses":["m"],"details":{"a":1},"stats":[1,2]}`, wasm.Usage{Fuel: 42}, nil
	})
	got, err := newScorer(t, g, o).Score(t.Context(), caseOf(t, `{"output":"a"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []rubric.Verdict{{
		Criterion: "c", Status: rubric.Scored, Native: rubric.NumberIs(0.5), Value: 0.5, Reason: "r",
		Evidence: []rubric.Evidence{{Text: "e"}}, Hits: []string{"h"}, Misses: []string{"m"}, Details: []byte(`{"a":1}`), Stats: []float64{1, 2},
		How: rubric.How{By: "metric", Plugin: "demo", Export: "score", Digest: "sha256:00", Fuel: 42, Nondeterministic: true},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if export != "score" || request != `{"contract":1,"kind":"metric","config":{},"case":{"output":"a"}}` {
		t.Errorf("called %s with %s", export, request)
	}
}

func TestScore_AFailureIsNeverANumber(t *testing.T) {
	trap := fault.New(fault.Trap, "plugin demo: score: trap: unreachable")
	tests := []struct {
		name  string
		guest guest
		class fault.Class
		want  string
	}{
		{"the call fails", func(string, []byte) (string, wasm.Usage, error) { return `{"score":1}`, wasm.Usage{}, trap }, fault.Trap, "plugin demo: score: trap: unreachable"},
		{"no answer", says(""), fault.Protocol, "plugin demo: score: the answer is empty"},
		{"an answer out of range", says(`{"score":2}`), fault.Protocol, "plugin demo: score: the score 2 is outside the declared range 0..1"},
		{"the plugin's own error", says(`{"error":"no such option"}`), fault.PluginError, "plugin demo: score: no such option"},
		{"the plugin printed what was wrong", func(string, []byte) (string, wasm.Usage, error) {
			return "", wasm.Usage{Log: []byte("line 1\nTypeError: \x1b[31mx\n\n")}, nil
		}, fault.Protocol, `the answer is empty; it printed: "TypeError: ` + "\uFFFD" + `[31mx"`},
		{"the plugin printed before its traceback", func(string, []byte) (string, wasm.Usage, error) {
			return `{"error":"KeyError: 'a'\n    ^^^"}`, wasm.Usage{Log: []byte("seen\n")}, nil
		}, fault.PluginError, "    ^^^\n  it printed: \"seen\""},
		{"the caller stops", func(string, []byte) (string, wasm.Usage, error) {
			return "", wasm.Usage{}, fmt.Errorf("plugin demo: stopped: %w", context.Canceled)
		}, fault.Interrupted, "plugin demo: stopped"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := newScorer(t, tt.guest, options()).Score(t.Context(), caseOf(t, `{"output":"a"}`))
			if got != nil || fault.Of(err) != tt.class || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %s: %v; want %s: %s", got, fault.Of(err), err, tt.class, tt.want)
			}
		})
	}
}

func TestScore_KeepsHints(t *testing.T) {
	o := options()
	o.Criterion.Answer = rubric.Answer{}
	_, err := newScorer(t, says(`{"score":0.5}`), o).Score(t.Context(), caseOf(t, `{"output":"a"}`))
	if h := fault.Hint(err); !strings.Contains(h, "answer with a number") {
		t.Errorf("hint %q of %v", h, err)
	}
}

func TestNew_RefusesMeaninglessOptions(t *testing.T) {
	inf := 1e308
	for name, change := range map[string]func(*Options){
		"a kind that there is not":       func(o *Options) { o.Kind = "metrik" },
		"the kind of a corpus":           func(o *Options) { o.Kind = KindCorpus },
		"a range upside down":            func(o *Options) { o.Range = [2]float64{1, 0} },
		"an empty range":                 func(o *Options) { o.Range = [2]float64{2, 2} },
		"a range too wide":               func(o *Options) { o.Range = [2]float64{-inf, inf} },
		"a range that is not a number":   func(o *Options) { o.Range = [2]float64{0, inf * 10} },
		"a configuration that is a list": func(o *Options) { o.Config = jsontext.Value("[1]") },
	} {
		o := options()
		change(&o)
		if _, err := New(says(`{"score":1}`), o); fault.Of(err) != fault.Invalid || !strings.HasPrefix(err.Error(), "plugin demo: score: ") {
			t.Errorf("%s: %s: %v", name, fault.Of(err), err)
		}
	}
}

func TestCorpus_IsAskedOnce(t *testing.T) {
	o := Options{Plugin: "demo", Export: "corpus", Config: jsontext.Value(`{"n":4}`)}
	var request string
	answer := func(text string) guest {
		return func(_ string, r []byte) (string, wasm.Usage, error) {
			request = string(r)
			return text, wasm.Usage{Fuel: 3}, nil
		}
	}
	a, usage, err := Corpus(t.Context(), answer(`{"score":0.25,"details":{"score":25}}`), o, []float64{1, 2.5, 1 << 53})
	if err != nil || *a.Score != 0.25 || usage.Fuel != 3 {
		t.Fatal(a, usage, err)
	}
	if want := `{"contract":1,"kind":"corpus","config":{"n":4},"stats":[1,2.5,9007199254740992]}`; request != want {
		t.Errorf("sent %s, want %s", request, want)
	}
	if a, _, err := Corpus(t.Context(), answer(`{"unscored":"nothing to count"}`), Options{}, nil); err != nil || a.Unscored == nil {
		t.Error(a, err)
	}
	for text, want := range map[string]string{
		`{"score":1.5}`:    "outside the declared range 0..1",
		`{"level":"good"}`: "a corpus answer has a level",
		`{"error":"x"}`:    "plugin demo: corpus: x",
		``:                 "the answer is empty",
	} {
		if a, _, err := Corpus(t.Context(), answer(text), o, nil); a != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", text, a, err, want)
		}
	}
	sum := 1e308
	if _, _, err := Corpus(t.Context(), answer(`{"score":1}`), o, []float64{1, sum * 10}); fault.Of(err) != fault.Protocol || !strings.Contains(err.Error(), "number 1 of stats is not finite") {
		t.Error(err)
	}
	broke := errors.New("broke")
	if _, _, err := Corpus(t.Context(), guest(func(string, []byte) (string, wasm.Usage, error) { return "", wasm.Usage{}, broke }), o, nil); !errors.Is(err, broke) {
		t.Error(err)
	}
}

// TestScore_KeepsTheContract has a guest whose answer depends on all that it
// is sent, and breaks the contract now and then.
func TestScore_KeepsTheContract(t *testing.T) {
	scorertest.Run(t, func(t *testing.T) scorertest.Subject {
		o := options()
		o.Inputs = []string{"id", "output", "references", "input", "target", "metadata.x"}
		g := guest(func(_ string, request []byte) (string, wasm.Usage, error) {
			switch n := len(request) % 8; n {
			case 0:
				return `{"unscored":"eight"}`, wasm.Usage{}, nil
			case 1:
				return `{"score":7}`, wasm.Usage{}, nil
			default:
				return fmt.Sprintf(`{"score":0.%d,"details":{"bytes":%d}}`, n, len(request)), wasm.Usage{Fuel: uint64(n)}, nil
			}
		})
		return scorertest.Subject{Scorer: newScorer(t, g, o), Rubric: o.Rubric, Criteria: []string{"c"}}
	})
}

func BenchmarkScore(b *testing.B) {
	for _, bb := range []struct{ name, answer string }{{"score", `{"score":0.5}`}, {"rouge", rougeAnswer}} {
		b.Run(bb.name, func(b *testing.B) {
			s := newScorer(b, says(bb.answer), options())
			c := caseOf(b, `{"output":"The cat sat on the mat.","references":["A cat sat on the mat.","The cat sat."]}`)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Score(b.Context(), c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRequest(b *testing.B) {
	t := templateOf(b, KindMetric, nil, nil)
	c := caseOf(b, `{"output":"The cat sat on the mat.","references":["A cat sat on the mat.","The cat sat."]}`)
	buf := t.appendTo(nil, c)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = t.appendTo(buf[:0], c)
	}
}
