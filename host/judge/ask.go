package judge

import (
	"context"
	"strings"

	"github.com/cenkalti/backoff/v5"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// said is what came of asking: the answer to the last attempt, or why there is
// none that can be used.
type said struct {
	answer *answer // of the last attempt; nil: none came
	err    error   // why answer does not answer everything; nil: it does
	how    rubric.How
	notes  []string
}

// ask asks until there is a usable answer, the attempts are used up, or asking
// again is no use. The error is the run's, not the judge's.
func (j *judge) ask(ctx context.Context, req llm.Request) (*said, error) {
	s := &said{how: rubric.How{By: "judge", Judge: j.o.Model, Digest: j.task.digest, Nondeterministic: true}}
	wait := backoff.ExponentialBackOff{InitialInterval: j.o.Wait, Multiplier: 1.5, RandomizationFactor: 0.5, MaxInterval: j.o.MaxWait}
	wait.Reset()
	for {
		res, err := j.model.Complete(ctx, req)
		problem := s.take(j.task, &res, err)
		if s.err == nil {
			return s, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		last := s.how.Attempts >= j.o.Attempts
		switch fault.Of(s.err) {
		case fault.JudgeAnswer:
			req.Then = j.again(problem, res.Text, s.how.Attempts+1)
		case fault.JudgeUnreachable, fault.JudgeLimit, fault.JudgeServer:
			if !last && !j.pause(ctx, &wait, s.err) {
				return s, endOf(ctx)
			}
		case fault.JudgeAuth, fault.JudgeRequest, fault.JudgeRefusal, fault.ReplayMiss:
			return s, nil
		default:
			return nil, s.err
		}
		if last {
			return s, nil
		}
	}
}

// take notes what came of an attempt, and returns what the judge should know of
// it.
func (s *said) take(t *task, res *llm.Response, err error) (problem string) {
	s.count(res)
	s.answer, s.err = nil, err
	switch {
	case err == nil:
		s.answer = t.parse(res.Text)
		if s.answer.whole() {
			return ""
		}
		problem = s.answer.problems(t)
		s.err = fault.New(fault.JudgeAnswer, "the judge's answer cannot be used: %s; it said: %s", problem, brief(res.Text))
		return problem
	case strings.TrimSpace(res.Text) == "":
		return "it is empty"
	}
	return "it was cut off before its end; be brief"
}

// endOf returns why ctx is done, nil if it is not.
func endOf(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return context.Cause(ctx)
}

// pause waits before the next attempt, at least as long as the endpoint asked
// for. It reports false if that is too long, or ctx is done.
func (j *judge) pause(ctx context.Context, wait *backoff.ExponentialBackOff, err error) bool {
	d := min(wait.NextBackOff(), j.o.MaxWait)
	if asked, ok := llm.RetryAfter(err); ok {
		if asked > j.o.MaxWait {
			return false
		}
		d = max(d, asked)
	}
	return llm.Sleep(ctx, d) == nil
}

// count adds an attempt and what it used.
func (s *said) count(res *llm.Response) {
	h := &s.how
	h.Attempts++
	h.TokensIn += res.TokensIn
	h.TokensOut += res.TokensOut
	h.CostUSD += res.CostUSD
	if res.Model != "" {
		h.Judge = res.Model
	}
	h.Replayed = res.Replayed && (h.Attempts == 1 || h.Replayed)
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
func (j *judge) again(problem, text string, attempt int) []llm.Message {
	quoted := strings.ToValidUTF8(text[:min(len(text), maxQuoted)], "")
	if strings.TrimSpace(quoted) == "" {
		quoted = "(no answer)"
	}
	ask := render("again.tmpl", map[string]any{"Problem": problem, "Attempt": attempt, "Form": j.task.form})
	return []llm.Message{{Role: "assistant", Content: quoted}, {Role: "user", Content: strings.TrimSpace(ask)}}
}
