package llm_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

func answer(t *testing.T, s *llmtest.Server, user string) (llm.Response, error) {
	t.Helper()
	return s.Client(t).Complete(context.Background(), llm.Request{System: "sys", User: user, Then: []llm.Message{{Role: "user", Content: "last"}}})
}

func TestServer_AnswersInOrderAndRepeatsTheLast(t *testing.T) {
	s := llmtest.Texts(t, "a", "b")
	for i, want := range []string{"a", "b", "b"} {
		if res, err := answer(t, s, "q"); err != nil || res.Text != want || res.TokensIn == 0 || res.TokensOut == 0 {
			t.Errorf("call %d: %+v, %v", i+1, res, err)
		}
	}
	c := s.Calls()[1]
	if c.N != 2 || c.System() != "sys" || c.User() != "q" || c.Last() != "last" || c.Model != "test-judge" || c.Path != "/v1/chat/completions" {
		t.Errorf("call %+v", c)
	}
}

func TestServer_RefusesAnEmptyScript(t *testing.T) {
	if _, err := answer(t, llmtest.Script(t), "q"); fault.Of(err) != fault.JudgeServer || !strings.Contains(err.Error(), "script is empty") {
		t.Errorf("err = %v", err)
	}
}

func TestServer_AnswersDependOnTheCall(t *testing.T) {
	s := llmtest.New(t, func(c llmtest.Call) llmtest.Answer {
		return llmtest.Answer{Text: strings.ToUpper(c.User()), Model: "m", TokensIn: 7, NoUsage: c.User() == "b"}
	})
	if res, err := answer(t, s, "a"); err != nil || res.Text != "A" || res.Model != "m" || res.TokensIn != 7 {
		t.Errorf("%+v, %v", res, err)
	}
	if res, err := answer(t, s, "b"); err != nil || res.TokensIn != 0 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestServer_HeldAnswersOverlap(t *testing.T) {
	hold, arrived := make(chan struct{}), make(chan struct{})
	s := llmtest.New(t, func(llmtest.Call) llmtest.Answer { arrived <- struct{}{}; return llmtest.Answer{Text: "x", Hold: hold} })
	done := make(chan error)
	for range 3 {
		go func() { _, err := answer(t, s, "q"); done <- err }()
	}
	for range 3 {
		<-arrived
	}
	close(hold)
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := s.MaxInFlight(); n != 3 {
		t.Errorf("at most %d at once", n)
	}
}

func TestServer_CloseEndsHangingCalls(t *testing.T) {
	arrived := make(chan struct{})
	s := llmtest.Start(func(llmtest.Call) llmtest.Answer { close(arrived); return llmtest.Answer{Hang: true} })
	done := make(chan error)
	go func() { _, err := answer(t, s, "q"); done <- err }()
	<-arrived
	s.Close()
	if err := <-done; fault.Of(err) != fault.JudgeUnreachable {
		t.Errorf("err = %v", err)
	}
}

func TestServer_ShowsRequestsThatAreNotJSON(t *testing.T) {
	s := llmtest.Texts(t, "x")
	res, err := http.Post(s.URL+"/anything", "text/plain", bytes.NewReader([]byte("hello")))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(res.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if c := s.Calls()[0]; string(c.Body) != "hello" || c.Model != "" || c.Path != "/anything" || c.Last() != "" {
		t.Errorf("call %+v", c)
	}
}
