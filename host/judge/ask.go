package judge

import (
	"context"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// reply is the result of asking: the answer to the last attempt, or why there is
// none that can be used.
type reply struct {
	answer *answer // of the last attempt; nil: none came
	err    error   // why answer does not answer everything; nil: it does
	how    rubric.How
	notes  []string

	cut      int // answers that the limit of tokens ended
	failures int // requests since the last answer that brought none
	waited   time.Duration
}

// ask asks about a case; see conversation.run.
func (j *judge) ask(ctx context.Context, req llm.Request, to *message) (*reply, error) {
	s := &reply{how: rubric.How{By: "judge", Judge: j.o.Model, Digest: j.task.digest, PromptHash: to.hash(), Nondeterministic: true}}
	c := &conversation{judge: j, form: to.form, accept: func(text string) string {
		if s.answer = j.task.parse(text, to); s.answer.whole() {
			return ""
		}
		return s.answer.problems(j.task)
	}}
	return s, c.run(ctx, req, s)
}

// A conversation asks one thing until the answer is usable.
type conversation struct {
	*judge
	form   string                             // of the answer, to remind of
	accept func(text string) (problem string) // empty: the answer is usable
}

// run asks until there is a usable answer, the attempts are used up, or asking
// again is no use. The error is the run's, not the judge's.
func (j *conversation) run(ctx context.Context, req llm.Request, s *reply) error {
	wait := backoff.ExponentialBackOff{InitialInterval: j.o.Wait, Multiplier: 1.5, RandomizationFactor: 0.5, MaxInterval: llm.MaxPause}
	wait.Reset()
	for ; ; req.Retry = true {
		req.ID.Attempt = s.how.Attempts + 1 // failed deliveries are not attempts: the request stays the same
		res, err := j.model.Complete(ctx, req)
		problem := s.take(j.accept, &res, err)
		if s.err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if llm.Stops(s.err) {
			return s.err
		}
		switch fault.Of(s.err) {
		case fault.JudgeAnswer:
			if s.how.Attempts >= j.o.Attempts || s.cut > maxCut {
				return nil
			}
			req.Then = again(j.form, problem, res.Text, s.how.Attempts+1)
		case fault.JudgeUnreachable, fault.JudgeLimit, fault.JudgeServer: // undelivered
			if res.Replayed || !j.mayRetry(s) || !j.pause(ctx, &wait, s) {
				s.how.Attempts += s.failures
				return context.Cause(ctx)
			}
		case fault.JudgeAuth, fault.JudgeRequest, fault.JudgeRefusal, fault.ReplayMiss:
			return nil
		default:
			return s.err
		}
	}
}

// maxCut is how many answers that the limit of tokens ended are asked for again: to be brief
// may help once, the limit stays.
const maxCut = 1

// mayRetry reports whether a request that brought no answer is sent again.
// Failures have as many attempts as unusable answers, and of their own. An
// endpoint that is busy has as long as Patience: that it has others to serve
// says nothing about the request.
func (j *judge) mayRetry(s *reply) bool {
	if _, asked := llm.RetryAfter(s.err); asked || fault.Is(s.err, fault.JudgeLimit) {
		return s.waited < j.o.Patience
	}
	return s.failures < j.o.Attempts
}

// take notes the outcome of an attempt, and returns the feedback for the judge on
// it.
func (s *reply) take(accept func(string) string, res *llm.Response, err error) (problem string) {
	s.count(res, err)
	s.answer, s.err = nil, err
	if res.Finish == "length" {
		s.cut++
	}
	switch {
	case err == nil:
		s.how.ResponseHash = hash(res.Text)
		if problem = accept(res.Text); problem == "" {
			if res.Keep != nil {
				res.Keep()
			}
			return ""
		}
		s.err = fault.New(fault.JudgeAnswer, "the judge's answer cannot be used: %s; it said: %s", problem, brief(res.Text))
		return problem
	case strings.TrimSpace(res.Text) == "":
		return "it is empty"
	}
	return "it was cut off before its end; be brief"
}

// pause waits before the next attempt, at least as long as the endpoint asked
// for. It reports false if that is too long, or ctx is done.
func (j *judge) pause(ctx context.Context, wait *backoff.ExponentialBackOff, s *reply) bool {
	d := min(wait.NextBackOff(), llm.MaxPause)
	if asked, ok := llm.RetryAfter(s.err); ok {
		if asked > llm.MaxPause {
			return false
		}
		d = max(d, asked)
	}
	s.waited += d
	return llm.Sleep(ctx, d) == nil
}

// undelivered reports whether a request brought no answer, and may bring one when
// it is sent again.
func undelivered(err error) bool {
	return fault.Is(err, fault.JudgeUnreachable, fault.JudgeLimit, fault.JudgeServer)
}

// count adds an answer with its usage, or a request that brought none.
func (s *reply) count(res *llm.Response, err error) {
	h := &s.how
	if undelivered(err) {
		s.failures++
	} else {
		h.Attempts++
		s.failures, s.waited = 0, 0
	}
	h.TokensIn += res.TokensIn
	h.TokensOut += res.TokensOut
	h.CostUSD += res.CostUSD
	if res.Unpriced {
		h.Unpriced++
	}
	if res.Uncounted(err) {
		h.Uncounted++
	}
	if res.Model != "" {
		h.Judge = res.Model
	}
	h.Replayed = res.Replayed && (h.Attempts <= 1 || h.Replayed)
	h.Cached = res.Cached && (h.Attempts <= 1 || h.Cached)
	s.notes = nil
	for _, p := range res.Dropped {
		s.notes = append(s.notes, "the endpoint does not take "+p+"; its own setting applies")
	}
}

// maxQuoted is how much of an unusable answer is shown to the judge again, in
// bytes.
const maxQuoted = 4 << 10

// again returns the turns that ask once more, with the problem named. The
// number of the attempt makes each of them another request than the one before.
func again(form, problem, text string, attempt int) []llm.Message {
	quoted := strings.ToValidUTF8(text[:min(len(text), maxQuoted)], "")
	if strings.TrimSpace(quoted) == "" {
		quoted = "(no answer)"
	}
	ask := render("again.tmpl", map[string]any{"Problem": problem, "Attempt": attempt, "Form": form})
	return []llm.Message{{Role: "assistant", Content: quoted}, {Role: "user", Content: strings.TrimSpace(ask)}}
}
