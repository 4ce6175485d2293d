package llm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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
	must(t, r.Err())
	return out.String()
}

func replay(t *testing.T, recording string) *llm.Replay {
	t.Helper()
	p, err := llm.NewReplay(strings.NewReader(recording), "calls.jsonl")
	must(t, err)
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

// TestRecorder_LineFormat runs by a clock of its own, so that the times of the line
// are known: the answer takes 412 ms.
func TestRecorder_LineFormat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		numbered := count()
		m := llm.Func(func(ctx context.Context, q llm.Request) (llm.Response, error) {
			time.Sleep(412 * time.Millisecond)
			return numbered.Complete(ctx, q)
		})
		got := record(t, m, llm.Request{Model: "m", System: "s", User: "q", Then: []llm.Message{{Role: "user", Content: "again"}},
			Temperature: new(0.0), MaxTokens: 4, Seed: new(2), Schema: jsontext.Value(`{"type": "object"}`), SchemaName: "v",
			ID: llm.CallID{Case: "c", CaseDigest: "sha256:1", Repeat: 3, Criteria: []string{"a", "b"}}})
		want := `{"v":2,"case":"c","case_digest":"sha256:1","repeat":3,"criteria":["a","b"],"attempt":1,"digest":"sha256:7eb5b75750db6a236749f038e9ebdcc7cd9df69718ce586aaaee873676cbe43c","started":"2000-01-01T00:00:00Z","latency_ms":412,` +
			`"request":{"model":"m","system":"s","user":"q","then":[{"role":"user","content":"again"}],"temperature":0,"max_tokens":4,"seed":2,"schema_name":"v","schema":{"type":"object"}},` +
			`"answer":{"text":"1","model":"m-1","finish":"stop","tokens_in":1,"tokens_out":2,"cost_usd":0.125,"dropped":["seed"]}}` + "\n"
		if got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}

func TestReplay_ReturnsTheRecordedAnswer(t *testing.T) {
	reqs := []llm.Request{
		{User: "a"}, {User: "b"}, {User: "a", ID: llm.CallID{Repeat: 2}}, {User: "a", ID: llm.CallID{Attempt: 2}}, {User: "a", ID: llm.CallID{Case: "x"}},
		{User: "a", ID: llm.CallID{Case: "x", CaseDigest: "y"}}, {User: "a", ID: llm.CallID{Rubric: "x"}}, {User: "a", ID: llm.CallID{Criteria: []string{"x"}}}, {User: "a", ID: llm.CallID{Criteria: []string{"x", ""}}}, {User: "a", Seed: new(1)}, {User: "a", Temperature: new(0.0)},
		{User: "a", System: "s"}, {User: "a", Model: "m"}, {User: "a", Schema: schema}, {User: "a", MaxTokens: 1},
		{User: "a", Then: []llm.Message{{Role: "user", Content: "b"}}}, {User: "a\xff"},
	}
	p := replay(t, record(t, count(), reqs...))
	if p.Len() != len(reqs) {
		t.Errorf("%d different requests, want %d", p.Len(), len(reqs))
	}
	for i, req := range slices.Backward(reqs) { // in any order
		n := i + 1
		want := llm.Response{Text: fmt.Sprint(n), Model: "m-1", Finish: "stop", TokensIn: n, TokensOut: 2 * n, CostUSD: float64(n) / 8, Dropped: []string{"seed"}, Replayed: true}
		got, err := p.Complete(context.Background(), req)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("request %d: %v\n%s", n, err, d)
		}
	}
}

// TestReplay_IgnoresTheOrderOfLines plays a recording of many calls with the same
// prompt, of several rounds, some of them voided, in any order.
func TestReplay_IgnoresTheOrderOfLines(t *testing.T) {
	id := func(c string, attempt int) llm.CallID {
		return llm.CallID{Case: c, Repeat: 1, Criteria: []string{"x"}, Attempt: attempt}
	}
	var out bytes.Buffer
	fails := false
	m := count()
	r := llm.NewRecorder(llm.Func(func(ctx context.Context, q llm.Request) (llm.Response, error) {
		if fails {
			return llm.Response{}, fault.New(fault.JudgeServer, "busy")
		}
		return m.Complete(ctx, q)
	}), &out)
	ask := func(c string, attempt int) {
		_, _ = r.Complete(t.Context(), llm.Request{User: "same", ID: id(c, attempt)})
	}
	r.Begin(nil, 1, false)
	ask("a", 1) // 1
	ask("b", 1) // 2
	ask("a", 2) // 3
	ask("c", 1) // 4
	r.Begin(nil, 2, false)
	fails = true
	ask("b", 1) // a later round counts, although it failed
	ask("d", 1)
	fails = false
	ask("d", 1) // 5: within a round an answer counts before an error
	fails = true
	ask("d", 1)
	r.Begin(nil, 3, false)
	must(t, r.Redo(id("c", 0), ""))
	must(t, r.Redo(id("b", 0), "another judge"))
	must(t, r.Redo(id("a", 0), ""))
	fails = false
	ask("a", 1) // 6
	lines := strings.SplitAfter(strings.TrimSuffix(out.String(), "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	rapid.Check(t, func(rt *rapid.T) {
		p := replay(t, strings.Join(rapid.Permutation(lines).Draw(rt, "order"), ""))
		for _, tt := range []struct {
			id    llm.CallID
			text  string
			class fault.Class
		}{
			{id("a", 1), "6", fault.None}, {id("a", 2), "", fault.ReplayMiss}, {id("b", 1), "", fault.JudgeServer},
			{id("c", 1), "", fault.ReplayMiss}, {id("d", 1), "5", fault.None},
		} {
			for range 2 {
				res, err := p.Complete(context.Background(), llm.Request{User: "same", ID: tt.id})
				if res.Text != tt.text || fault.Of(err) != tt.class {
					rt.Fatalf("%v: %+v, %v", tt.id, res, err)
				}
			}
		}
	})
}

// TestOpenCalls_RegularFilesOnly names a device and nothing.
func TestOpenCalls_RegularFilesOnly(t *testing.T) {
	if _, err := llm.OpenCalls(os.DevNull); !fault.Is(err, fault.Invalid) {
		t.Errorf("a device: %v", err)
	}
	if _, err := llm.OpenCalls(filepath.Join(t.TempDir(), "none")); !fault.Is(err, fault.NotFound) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestCalls_AreFoundByCriterion reads the calls of a case from a file.
func TestCalls_AreFoundByCriterion(t *testing.T) {
	id := func(c string, criteria ...string) llm.CallID { return llm.CallID{Case: c, Criteria: criteria} }
	text := record(t, count(), llm.Request{User: "1", ID: id("a", "x", "y")}, llm.Request{User: "2", ID: id("a", "z")}, llm.Request{User: "3", ID: id("b", "x")},
		llm.Request{User: "4", ID: llm.CallID{Case: "a", Criteria: []string{"x", "y"}, Attempt: 2}}, llm.Request{User: "5", ID: id("a", "")})
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	must(t, os.WriteFile(path, []byte(text+"{torn"), 0o600))
	calls, err := llm.OpenCalls(path)
	must(t, err)
	defer calls.Close()
	for _, tt := range []struct{ c, criterion, want string }{{"a", "x", "1 4"}, {"a", "y", "1 4"}, {"a", "z", "2"}, {"b", "x", "3"}, {"b", "y", ""}, {"a", "", "5"}} {
		list, err := calls.Of(tt.c, 1, tt.criterion)
		must(t, err)
		var got []string
		for _, c := range list {
			got = append(got, c.Request.User)
			if c.Response.TokensIn == 0 || c.Started.IsZero() || c.Err != nil || !c.Answered {
				t.Errorf("call %+v", c)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s %s: %v, want %s", tt.c, tt.criterion, got, tt.want)
		}
	}
}

func TestReplay_PlaysErrorsOnlyWithoutAnAnswer(t *testing.T) {
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

func TestRecorder_SkipsErrorsThatAreNotTheModels(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for name, tt := range map[string]struct {
		ctx   context.Context //nolint:containedctx // of the test
		asked int
	}{"it has ended before": {ended, 0}, "budget": {t.Context(), 1}} {
		var out bytes.Buffer
		asked := 0
		m := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
			asked++
			return llm.Response{}, fault.New(fault.Budget, "enough")
		})
		if _, err := llm.NewRecorder(m, &out).Complete(tt.ctx, llm.Request{}); err == nil || out.Len() > 0 || asked != tt.asked {
			t.Errorf("%s: err %v, asked %d times, recorded %q", name, err, asked, out.String())
		}
	}
}

func TestReplay_AMissNamesTheNearestRequest(t *testing.T) {
	id := llm.CallID{Case: "c1", CaseDigest: "sha256:1", Criteria: []string{"tone"}}
	base := llm.Request{Model: "m", System: "s", User: "q", Temperature: new(0.0), Schema: schema, ID: id}
	tests := []struct {
		name   string
		change func(*llm.Request)
		says   string
	}{
		{"another model", func(q *llm.Request) { q.Model = "x\x1b" }, `case "c1", criterion tone (line 1), which has another model ("m" recorded, "x`},
		{"another system prompt", func(q *llm.Request) { q.System = "x" }, "another system prompt"},
		{"another temperature", func(q *llm.Request) { q.Temperature = nil }, "another temperature, seed or token limit"},
		{"another schema", func(q *llm.Request) { q.Schema = nil }, "another answer schema"},
		{"another repeat", func(q *llm.Request) { q.ID.Repeat = 2 }, "repeat (1 recorded, 2 requested)"},
		{"another attempt", func(q *llm.Request) { q.ID.Attempt = 2 }, "attempt (1 recorded, 2 requested)"},
		{"what is asked for", func(q *llm.Request) { q.ID.Repeat, q.ID.Attempt = 2, 3 }, `the request for case "c1", repeat 2, criterion tone, attempt 3`},
		{"another case", func(q *llm.Request) { q.ID.Case = "c9" }, `which has another case ("c1" recorded, "c9" requested)`},
		{"another content", func(q *llm.Request) { q.ID.CaseDigest, q.User = "sha256:9", "z" }, "another case content"},
		{"another criterion", func(q *llm.Request) { q.ID.Criteria = []string{"x"} }, "list of criteria (tone recorded, x requested)"},
		{"another question", func(q *llm.Request) { q.User = "x" }, "another prompt: the case, the criterion or the prompt template"},
		{"another question and system prompt", func(q *llm.Request) { q.User, q.System = "x", "x" }, "the rubric or the program has changed"},
		{"the nearest of several", func(q *llm.Request) { q.ID.Case, q.User, q.System = "c3", "two", "s2" }, `case "c3", criterion tone (line 3), which has another system prompt`},
	}
	second, third := id, id
	second.Case, third.Case = "c2", "c3"
	p := replay(t, record(t, count(), base, llm.Request{User: "two", Model: "far", ID: second}, llm.Request{Model: "m", System: "s", User: "two", Temperature: new(0.0), Schema: schema, ID: third}))
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

func TestReplay_HostileRecordings(t *testing.T) {
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
		{"a duplicate member", strings.Replace(good, `"v":2`, `"v":2,"v":2`, 1), "calls.jsonl:1"},
		{"another format", strings.Replace(good, `"v":2`, `"v":3`, 1), "version 3"},
		{"neither answer nor error", `{"repeat":1,"request":{"user":"a"}}` + "\n", "neither"},
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
		p := replay(t, `{"v":2,"request":{"user":"a"},"error":{"class":"budget","message":"\u001b[2J"}}`+"\n")
		if _, err := p.Complete(context.Background(), llm.Request{User: "a"}); fault.Of(err) != fault.JudgeAnswer || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("err = %v", err)
		}
	})
}

func TestReplay_HandwrittenLinesNeedNoDigest(t *testing.T) {
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

func TestReplay_RefusesARecordingWithHoles(t *testing.T) {
	asked := 0
	m := count()
	r := llm.NewRecorder(llm.Func(func(ctx context.Context, q llm.Request) (llm.Response, error) {
		asked++
		return m.Complete(ctx, q)
	}), &brokenWriter{after: 1})
	for i, want := range []bool{true, false, false} {
		if _, err := r.Complete(context.Background(), llm.Request{}); (err == nil) != want || !want && !llm.Stops(err) {
			t.Errorf("call %d: %v", i+1, err)
		}
	}
	if asked != 2 {
		t.Errorf("%d calls were paid for, the last after a line that could not be written", asked)
	}
	if r.Err() == nil {
		t.Error("Err is nil")
	}
}

func TestRecorder_LinesOfManyCallsDoNotMix(t *testing.T) {
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

// TestReplay_FindsAnyRequest: whatever a request holds, the recording of its
// answer answers it, and one that differs anywhere is not taken for it.
func TestReplay_FindsAnyRequest(t *testing.T) {
	text := rapid.StringN(0, 20, -1)
	maybe := func(rt *rapid.T, name string) *float64 {
		if rapid.Bool().Draw(rt, name) {
			return nil
		}
		return new(rapid.Float64Range(-1, 3).Draw(rt, name))
	}
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string) llm.Request {
			q := llm.Request{Model: text.Draw(rt, name), System: text.Draw(rt, name), User: text.Draw(rt, name), Temperature: maybe(rt, name),
				MaxTokens: rapid.IntRange(0, 3).Draw(rt, name), SchemaName: text.Draw(rt, name), ID: llm.CallID{Case: text.Draw(rt, name), CaseDigest: text.Draw(rt, name), Rubric: text.Draw(rt, name),
					Repeat: rapid.IntRange(1, 3).Draw(rt, name), Attempt: rapid.IntRange(1, 3).Draw(rt, name), Criteria: rapid.SliceOfN(text, 1, 3).Draw(rt, name)}}
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
	f.Add(`{"v":2,"digest":"","repeat":1,"request":{"user":"a"},"answer":{"text":"b"}}` + "\n")
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
