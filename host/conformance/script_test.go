package conformance

import (
	"regexp"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A script has the judge's answers of a row, translated.
type script struct {
	answers []scripted
	route   func(*llmtest.Call) string // which part of the rubric a call is about; nil: one for all

	mu    sync.Mutex
	count map[string]int // calls, by route
}

// A scripted is one answer, and the route that it belongs to; empty: every one.
type scripted struct {
	route  string
	answer llmtest.Answer
}

// play answers a call with the next answer of its route, the last one again and
// again.
func (s *script) play(c llmtest.Call) llmtest.Answer {
	route := ""
	if s.route != nil {
		route = s.route(&c)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == nil {
		s.count = map[string]int{}
	}
	s.count[route]++
	var mine []llmtest.Answer
	for _, a := range s.answers {
		if a.route == "" || a.route == route {
			mine = append(mine, a.answer)
		}
	}
	c.N = s.count[route]
	a := llmtest.InOrder(mine...)(c)
	a.Text = withNonce(a.Text, c.User())
	return a
}

// nonceOf finds the nonce of a message.
var nonceOf = regexp.MustCompile(`nonce="([a-z2-7]{8})"`)

// withNonce gives every answer in a text the nonce of the message, as a judge does
// that follows our prompt.
func withNonce(text, message string) string {
	m := nonceOf.FindStringSubmatch(message)
	if m == nil {
		return text
	}
	own := `{"nonce": "` + m[1] + `", `
	return strings.NewReplacer(`{"verdicts"`, own+`"verdicts"`, `{"verdict"`, own+`"verdict"`, `{"reason"`, own+`"reason"`, `{"route_choice_score"`, own+`"route_choice_score"`).Replace(text)
}

// script translates the answers of a row: say turns a text of the system's wire form
// into ours. Text that is not JSON is the same fault here as there.
func (row *seedRow) script(say func(string) string) *script {
	s := &script{}
	for _, a := range row.Answers {
		one := scripted{}
		switch of := a["for"].(type) {
		case float64:
			one.route = "#" + rubric.FormatNumber(of+1)
		case string:
			one.route = of
		}
		switch text, isText := a["text"].(string); {
		case isText:
			one.answer.Text = say(text)
		case a["null"] == true:
			one.answer.Body = `{"id": "x", "object": "chat.completion", "created": 1, "model": "test-judge", "choices": [` +
				`{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": null}}]}`
		default:
			status, _ := a["http_status"].(float64)
			one.answer.Status, one.answer.Error = int(status), "scripted failure"
		}
		one.answer.TokensIn, one.answer.TokensOut = usageOf(a)
		s.answers = append(s.answers, one)
	}
	return s
}

func usageOf(answer map[string]any) (in, out int) {
	i, _ := dig(answer, "usage", "prompt_tokens")
	o, _ := dig(answer, "usage", "completion_tokens")
	x, _ := i.(float64)
	y, _ := o.(float64)
	return int(x), int(y)
}
