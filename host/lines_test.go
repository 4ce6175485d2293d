package host_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

func TestScoreLines_AnswersInOrder(t *testing.T) {
	ev := evaluator(t)
	var in strings.Builder
	const n = 200
	for i := range n {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&in, `{"output":"the cat %d","references":["the cat %d"]}`+"\n", i, i)
		case 1:
			fmt.Fprintf(&in, `{"output":"x"}`+"\n")
		case 2:
			fmt.Fprintf(&in, "not json\n")
		case 3:
			fmt.Fprintf(&in, `{"output":"Cat","references":["cat"],"config":{"lowercase":true}}`+"\n")
		}
	}
	next := 1
	lines, err := ev.ScoreLines(t.Context(), host.Call{Plugin: "bleu"}, strings.NewReader(in.String()), func(line int, v *rubric.Verdict, _ bool) error {
		if line != next {
			t.Fatalf("line %d comes where %d should", line, next)
		}
		want := []rubric.Status{rubric.Scored, rubric.Unscored, rubric.Failed, rubric.Scored}[(next-1)%4]
		if v.Status != want {
			t.Fatalf("line %d: %+v, want %s", line, *v, want)
		}
		next++
		return nil
	})
	if err != nil || next != n+1 || lines.N() != n/2 {
		t.Fatalf("%d lines, %d in the set, %v", next-1, lines.N(), err)
	}
	if v := lines.Corpus(t.Context()); v.Status != rubric.Scored {
		t.Fatalf("%+v", v)
	}
}

// TestScoreLines_AnswersWhatIsThere writes a line once the one before is answered: no line
// waits for others.
func TestScoreLines_AnswersWhatIsThere(t *testing.T) {
	ev := evaluator(t)
	in, out := io.Pipe()
	write := func() {
		if _, err := io.WriteString(out, `{"output":"a","references":["a"]}`+"\n"); err != nil {
			t.Error(err)
		}
	}
	go write()
	const n = 5
	_, err := ev.ScoreLines(t.Context(), host.Call{Plugin: "bleu"}, in, func(line int, _ *rubric.Verdict, _ bool) error {
		if line == n {
			return out.Close()
		}
		go write()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestScoreLines_EndsEarly(t *testing.T) {
	ev := evaluator(t)
	full := errors.New("no space left")
	got := 0
	_, err := ev.ScoreLines(t.Context(), host.Call{Plugin: "bleu"}, endless{}, func(int, *rubric.Verdict, bool) error {
		if got++; got == 3 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || got != 3 {
		t.Fatalf("%d answers, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = ev.ScoreLines(ctx, host.Call{Plugin: "bleu"}, endless{}, func(line int, v *rubric.Verdict, _ bool) error {
		if line == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	_, err = ev.ScoreLines(t.Context(), host.Call{Plugin: "no-such-plugin"}, endless{}, nil)
	if !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
}

// TestScoreLines_LeavesNoCallBehind closes the evaluator as soon as ScoreLines is
// over: a call that still ran would run code that is not there any more.
func TestScoreLines_LeavesNoCallBehind(t *testing.T) {
	dir := wasmtest.CacheDir(t)
	for range 20 {
		ev, err := host.New(t.Context(), host.Options{CacheDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		full := errors.New("no space left")
		slow := strings.Repeat(`{"output":"a"}`+"\n"+`{"output":"`+strings.Repeat("a b ", 50_000)+`","references":["`+strings.Repeat("b a ", 50_000)+`"]}`+"\n", 8)
		if _, err := ev.ScoreLines(t.Context(), host.Call{Plugin: "bleu"}, strings.NewReader(slow), func(int, *rubric.Verdict, bool) error { return full }); !errors.Is(err, full) {
			t.Fatal(err)
		}
		if err := ev.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// endless has lines without end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	n := copy(b, strings.Repeat(`{"output":"a"}`+"\n", 1+len(b)/15))
	return n, nil
}

func TestScoreLines_AnswersBlankLines(t *testing.T) {
	ev := evaluator(t)
	const good = `{"output":"a","references":["a"]}`
	for in, want := range map[string]string{
		"":                             "",
		"\n":                           "1 failed",
		good + "\n":                    "1 scored",
		good + "\n\n\r\n":              "1 scored,2 failed,3 failed",
		"\n" + good + "\n" + good:      "1 failed,2 scored,3 scored",
		good + "\n" + good + "\n \n  ": "1 scored,2 scored,3 failed,4 failed",
	} {
		var got []string
		if _, err := ev.ScoreLines(t.Context(), host.Call{Plugin: "bleu"}, strings.NewReader(in), func(line int, v *rubric.Verdict, _ bool) error {
			got = append(got, fmt.Sprint(line, " ", v.Status))
			return nil
		}); err != nil || strings.Join(got, ",") != want {
			t.Errorf("%q: %v, %v; want %s", in, got, err, want)
		}
	}
}

func TestScoreLines_PassesOverLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	ev := evaluator(t)
	const good = `{"output":"a","references":["a"]}` + "\n"
	var got []string
	long := io.LimitReader(letters{}, 65<<20)
	withoutEnd := io.LimitReader(letters{}, 65<<20)
	in := io.MultiReader(strings.NewReader(good), long, strings.NewReader("\n"+good+`{"output":"`), withoutEnd)
	if _, err := ev.ScoreLines(t.Context(), host.Call{Plugin: "bleu"}, in, func(line int, v *rubric.Verdict, _ bool) error {
		got = append(got, fmt.Sprint(line, " ", v.Status, " ", v.Class))
		return nil
	}); err != nil || strings.Join(got, ",") != "1 scored ,2 failed input,3 scored ,4 failed input" {
		t.Fatal(got, err)
	}
}

func TestScoreLines_SaysWhereReadingFailed(t *testing.T) {
	ev := evaluator(t)
	var got []string
	in := io.MultiReader(strings.NewReader("{}\n"), iotest.ErrReader(errors.New("is a directory")))
	if _, err := ev.ScoreLines(t.Context(), host.Call{Plugin: "bleu"}, in, func(line int, v *rubric.Verdict, _ bool) error {
		got = append(got, fmt.Sprint(line, " ", v.Class, " ", v.Message))
		return nil
	}); err != nil || len(got) != 2 || got[1] != "2 invalid line 2: is a directory" {
		t.Errorf("%q, %v", got, err)
	}
}

type letters struct{}

func (letters) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'a'
	}
	return len(b), nil
}

func evaluator(t *testing.T) *host.Evaluator {
	t.Helper()
	ev, err := host.New(t.Context(), host.Options{CacheDir: wasmtest.CacheDir(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ev.Close(t.Context()) })
	return ev
}

// TestScoreLines_StopsWhileItWaits is stopped after an answer, while no further line comes.
func TestScoreLines_StopsWhileItWaits(t *testing.T) {
	in, out := io.Pipe()
	t.Cleanup(func() { _ = out.Close() })
	go io.WriteString(out, `{"output":"a","references":["a"]}`+"\n")
	ctx, stop := context.WithCancelCause(t.Context())
	_, err := evaluator(t).ScoreLines(ctx, host.Call{Plugin: "bleu"}, in, func(int, *rubric.Verdict, bool) error {
		stop(fault.New(fault.Terminated, "stopped by a signal"))
		return nil
	})
	if !fault.Is(err, fault.Terminated) {
		t.Fatalf("%v", err)
	}
}
