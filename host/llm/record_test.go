package llm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

func record(t *testing.T, m llm.Model, reqs ...llm.Request) string {
	t.Helper()
	var out bytes.Buffer
	r := llm.NewRecorder(m, &out)
	for _, q := range reqs {
		_, _ = r.Complete(context.Background(), q)
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func replay(t *testing.T, recording string) *llm.Replay {
	t.Helper()
	p, err := llm.NewReplay(strings.NewReader(recording), "calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// count answers with its own number.
func count() llm.Model {
	n := 0
	return llm.Func(func(_ context.Context, q llm.Request) (llm.Response, error) {
		n++
		return llm.Response{Text: fmt.Sprint(n), Model: "m-1", Finish: "stop", TokensIn: n, TokensOut: 2 * n, CostUSD: float64(n) / 8, Dropped: []string{"seed"}}, nil
	})
}

func TestTheFormOfALine(t *testing.T) {
	got := record(t, count(), llm.Request{Model: "m", System: "s", User: "q", Then: []llm.Message{{Role: "user", Content: "again"}},
		Temperature: ptr(0.0), MaxTokens: 4, Seed: ptr(2), Schema: jsontext.Value(`{"type": "object"}`), SchemaName: "v", Repeat: 3})
	want := `{"v":1,"digest":"sha256:7eb5b75750db6a236749f038e9ebdcc7cd9df69718ce586aaaee873676cbe43c","repeat":3,` +
		`"request":{"model":"m","system":"s","user":"q","then":[{"role":"user","content":"again"}],"temperature":0,"max_tokens":4,"seed":2,"schema_name":"v","schema":{"type":"object"}},` +
		`"answer":{"text":"1","model":"m-1","finish":"stop","tokens_in":1,"tokens_out":2,"cost_usd":0.125,"dropped":["seed"]}}` + "\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestReplayGivesWhatWasRecorded(t *testing.T) {
	reqs := []llm.Request{
		{User: "a"}, {User: "b"}, {User: "a", Repeat: 2}, {User: "a", Seed: ptr(1)}, {User: "a", Temperature: ptr(0.0)},
		{User: "a", System: "s"}, {User: "a", Model: "m"}, {User: "a", Schema: schema}, {User: "a", MaxTokens: 1},
		{User: "a", Then: []llm.Message{{Role: "user", Content: "b"}}}, {User: "a\xff"},
	}
	p := replay(t, record(t, count(), reqs...))
	if p.Len() != len(reqs) {
		t.Errorf("%d different requests, want %d", p.Len(), len(reqs))
	}
	for i := len(reqs) - 1; i >= 0; i-- { // in any order
		n := i + 1
		want := llm.Response{Text: fmt.Sprint(n), Model: "m-1", Finish: "stop", TokensIn: n, TokensOut: 2 * n, CostUSD: float64(n) / 8, Dropped: []string{"seed"}, Replayed: true}
		got, err := p.Complete(context.Background(), reqs[i])
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("request %d: %v\n%s", n, err, d)
		}
	}
}

func TestEqualRequestsAreAnsweredInOrderAndTheLastStays(t *testing.T) {
	p := replay(t, record(t, count(), llm.Request{User: "a"}, llm.Request{User: "a"}))
	var got []string
	for range 4 {
		res, err := p.Complete(context.Background(), llm.Request{User: "a"})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, res.Text)
	}
	if strings.Join(got, " ") != "1 2 2 2" {
		t.Errorf("answers %v", got)
	}
}

func TestErrorsAreRecordedAndPlayedOnlyWhereThereIsNoAnswer(t *testing.T) {
	s := llmtest.New(t, func(c llmtest.Call) llmtest.Answer {
		switch {
		case c.User() == "down" || c.N == 1:
			return llmtest.Answer{Status: 503, Error: "busy"}
		case c.User() == "cut":
			return llmtest.Answer{Text: "par", Finish: "length", TokensIn: 3, TokensOut: 4}
		}
		return llmtest.Answer{Text: "fine"}
	})
	ask := func(m llm.Model, user string) (llm.Response, error) {
		return m.Complete(context.Background(), llm.Request{User: user})
	}
	p := replay(t, record(t, s.Client(t), llm.Request{User: "later"}, llm.Request{User: "later"}, llm.Request{User: "down"}, llm.Request{User: "cut"}))
	if res, err := ask(p, "later"); err != nil || res.Text != "fine" {
		t.Errorf("a 503 before the answer was played: %+v, %v", res, err)
	}
	if _, err := ask(p, "down"); fault.Of(err) != fault.JudgeServer || !strings.Contains(err.Error(), "busy") {
		t.Errorf("err = %v", err)
	}
	res, err := ask(p, "cut")
	if fault.Of(err) != fault.JudgeAnswer || res.TokensOut != 4 || !res.Replayed || fault.Hint(err) == fault.JudgeAnswer.Advice() {
		t.Errorf("cut answer: %+v, %v (%s)", res, err, fault.Hint(err))
	}
}

func TestWhatSaysNothingAboutTheModelIsNotRecorded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, m := range map[string]llm.Func{
		"cancelled": func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{}, fault.New(fault.JudgeUnreachable, "gone")
		},
		"budget": func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{}, fault.New(fault.Budget, "enough")
		},
	} {
		var out bytes.Buffer
		if _, err := llm.NewRecorder(m, &out).Complete(ctx, llm.Request{}); err == nil || out.Len() > 0 {
			t.Errorf("%s: err %v, recorded %q", name, err, out.String())
		}
	}
}

func TestAMissSaysHowTheNearestRequestDiffers(t *testing.T) {
	base := llm.Request{Model: "m", System: "s", User: "q", Temperature: ptr(0.0), Schema: schema}
	tests := []struct {
		name   string
		change func(*llm.Request)
		says   string
	}{
		{"another model", func(q *llm.Request) { q.Model = "x" }, "same question with another model"},
		{"another system prompt", func(q *llm.Request) { q.System = "x" }, "another system prompt"},
		{"another temperature", func(q *llm.Request) { q.Temperature = nil }, "another temperature, seed or token limit"},
		{"another schema", func(q *llm.Request) { q.Schema = nil }, "another answer schema"},
		{"another repeat", func(q *llm.Request) { q.Repeat = 2 }, "repeat (1 recorded, 2 asked for)"},
		{"another question", func(q *llm.Request) { q.User = "x" }, "the case, the criterion or the prompt changed"},
		{"another question and system prompt", func(q *llm.Request) { q.User, q.System = "x", "x" }, "the rubric or the prompt changed"},
		{"another question and model", func(q *llm.Request) { q.User, q.Model = "x", "gpt\x1b" }, `another model than "gpt`},
		{"the nearest of several", func(q *llm.Request) { q.User, q.System = "two", "s2" }, "another system prompt"},
	}
	p := replay(t, record(t, count(), base, llm.Request{User: "two", Model: "far"}, llm.Request{Model: "m", System: "s", User: "two", Temperature: ptr(0.0), Schema: schema}))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := base
			tt.change(&q)
			_, err := p.Complete(context.Background(), q)
			if fault.Of(err) != fault.ReplayMiss || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("err = %v, want one that says %q", err, tt.says)
			}
		})
	}
	_, err := replay(t, "").Complete(context.Background(), base)
	if fault.Of(err) != fault.ReplayMiss || !strings.Contains(err.Error(), "empty") {
		t.Errorf("err = %v", err)
	}
}

func TestHostileRecordings(t *testing.T) {
	good := record(t, count(), llm.Request{User: "a"})
	tests := []struct {
		name string
		text string
		says string // empty: it is read
	}{
		{"a torn last line is left out", good + `{"v":1,"digest":"sha2`, ""},
		{"blank lines are nothing", "\n\n" + good + "  \n", ""},
		{"a byte order mark is not JSON", "\uFEFF" + good, "calls.jsonl:1"},
		{"a line of prose", good + "hello\n", "calls.jsonl:2"},
		{"every bad line is named", "x\n" + good + "y\n", "calls.jsonl:3"},
		{"a changed request", strings.Replace(good, `"user":"a"`, `"user":"b"`, 1), "changed by hand"},
		{"a duplicate member", strings.Replace(good, `"v":1`, `"v":1,"v":1`, 1), "calls.jsonl:1"},
		{"a newer format", strings.Replace(good, `"v":1`, `"v":2`, 1), "newer"},
		{"neither answer nor error", `{"v":1,"repeat":1,"request":{"user":"a"}}` + "\n", "neither"},
		{"numbers that are none", strings.Replace(good, `"tokens_in":1`, `"tokens_in":1e999`, 1), "calls.jsonl:1"},
		{"a line that never ends", strings.Repeat("x", 33<<20), "longer than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := llm.NewReplay(strings.NewReader(tt.text), "calls.jsonl")
			switch {
			case tt.says == "":
				if err != nil || p.Len() != 1 {
					t.Errorf("err = %v", err)
				}
			case fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), tt.says):
				t.Errorf("err = %.300v, want one that says %q", err, tt.says)
			}
		})
	}
	t.Run("a class that is not a judge's is none", func(t *testing.T) {
		p := replay(t, `{"v":1,"request":{"user":"a"},"error":{"class":"budget","message":"\u001b[2J"}}`+"\n")
		if _, err := p.Complete(context.Background(), llm.Request{User: "a"}); fault.Of(err) != fault.JudgeAnswer || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("err = %v", err)
		}
	})
}

func TestHandwrittenLinesNeedNoDigest(t *testing.T) {
	p := replay(t, `{"request":{"user":"a"},"answer":{"text":"b"}}`+"\n")
	if res, err := p.Complete(context.Background(), llm.Request{User: "a"}); err != nil || res.Text != "b" {
		t.Errorf("%+v, %v", res, err)
	}
}

type brokenWriter struct{ after int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.after--; w.after < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestARecordingWithHolesFailsLoudly(t *testing.T) {
	r := llm.NewRecorder(count(), &brokenWriter{after: 1})
	for i, want := range []bool{true, false, false} {
		if _, err := r.Complete(context.Background(), llm.Request{}); (err == nil) != want {
			t.Errorf("call %d: %v", i+1, err)
		}
	}
	if r.Err() == nil {
		t.Error("Err is nil")
	}
}

func TestLinesOfManyCallsDoNotMix(t *testing.T) {
	var out bytes.Buffer
	r := llm.NewRecorder(llm.Func(func(_ context.Context, q llm.Request) (llm.Response, error) {
		return llm.Response{Text: strings.Repeat(q.User, 1000)}, nil
	}), &out)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() { _, _ = r.Complete(context.Background(), llm.Request{User: fmt.Sprint(i)}) })
	}
	wg.Wait()
	p := replay(t, out.String())
	for i := range 50 {
		if res, err := p.Complete(context.Background(), llm.Request{User: fmt.Sprint(i)}); err != nil || res.Text != strings.Repeat(fmt.Sprint(i), 1000) {
			t.Errorf("request %d: %v", i, err)
		}
	}
}

// TestAnyRequestIsFoundAgain: whatever a request holds, the recording of its
// answer answers it, and one that differs anywhere is not taken for it.
func TestAnyRequestIsFoundAgain(t *testing.T) {
	text := rapid.StringN(0, 20, -1)
	maybe := func(rt *rapid.T, name string) *float64 {
		if rapid.Bool().Draw(rt, name) {
			return nil
		}
		return ptr(rapid.Float64Range(-1, 3).Draw(rt, name))
	}
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string) llm.Request {
			q := llm.Request{Model: text.Draw(rt, name), System: text.Draw(rt, name), User: text.Draw(rt, name), Temperature: maybe(rt, name),
				MaxTokens: rapid.IntRange(0, 3).Draw(rt, name), SchemaName: text.Draw(rt, name), Repeat: rapid.IntRange(1, 3).Draw(rt, name)}
			if rapid.Bool().Draw(rt, name) {
				b, err := json.Marshal(map[string]any{"n": rapid.Float64().Draw(rt, name), text.Draw(rt, name): text.Draw(rt, name)})
				if err != nil {
					rt.Fatal(err)
				}
				q.Schema = b
			}
			for range rapid.IntRange(0, 2).Draw(rt, name) {
				q.Then = append(q.Then, llm.Message{Role: text.Draw(rt, name), Content: text.Draw(rt, name)})
			}
			return q
		}
		a, b := draw("a"), draw("b")
		p := replay(t, record(t, count(), a))
		if _, err := p.Complete(context.Background(), a); err != nil {
			rt.Fatal(err)
		}
		_, err := p.Complete(context.Background(), b)
		if same := cmp.Equal(a, b); (err == nil) != same {
			rt.Fatalf("equal %v, but err = %v", same, err)
		}
	})
}

func FuzzReplay(f *testing.F) {
	f.Add(`{"v":1,"digest":"","repeat":1,"request":{"user":"a"},"answer":{"text":"b"}}` + "\n")
	f.Add(`{"request":{"user":"a","schema":{"a":[1.50,"\u0041"]}},"error":{"class":"judge-limit","message":"x"}}` + "\nx")
	f.Add("\x00\n{}\n{")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := llm.NewReplay(strings.NewReader(text), "fuzz")
		if err != nil {
			if fault.Of(err) != fault.Invalid {
				t.Fatalf("class %q: %v", fault.Of(err), err)
			}
			return
		}
		res, err := p.Complete(context.Background(), llm.Request{User: "a"})
		if err == nil && !res.Replayed {
			t.Fatal("an answer from a recording does not say so")
		}
	})
}
