package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// callsOf returns the judge's calls about a row, each once. Those of one round start in any order.
func (v *view) callsOf(row *result.Row) []llm.Call {
	if v.Calls == nil {
		return nil
	}
	var out []llm.Call
	for c := range row.All() {
		if c.How != nil && c.How.By != "judge" {
			continue
		}
		id := c.ID
		if id == result.OverallID {
			id = rubric.Overall
		}
		calls, err := v.Calls(row, id)
		if err != nil && v.broken == nil {
			v.broken = fmt.Errorf("judge calls are not in the report: %w", err)
		}
		for _, call := range calls {
			if !slices.ContainsFunc(out, func(have llm.Call) bool { return sameCall(&have, &call) }) {
				out = append(out, call)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b llm.Call) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Attempt, b.Attempt))
	})
	return out
}

// sameCall reports whether two are one call about several criteria.
func sameCall(a, b *llm.Call) bool {
	return a.Digest == b.Digest && a.Round == b.Round && a.Attempt == b.Attempt && a.Started.Equal(b.Started) && slices.Equal(a.Criteria, b.Criteria)
}

// callTitle names the criteria of a call, and which attempt it was.
func callTitle(c *llm.Call) string {
	title := cmp.Or(plain(strings.Join(c.Criteria, ", ")), result.OverallID)
	if c.Attempt > 1 {
		title += fmt.Sprintf(", attempt %d", c.Attempt)
	}
	if c.Round > 1 {
		title += fmt.Sprintf(", round %d", c.Round)
	}
	return diag.Fit(title, 200)
}

func callFacts(c *llm.Call) string {
	var parts []string
	if model := cmp.Or(c.Response.Model, c.Request.Model); model != "" {
		parts = append(parts, diag.Fit(plain(model), 80))
	}
	if r := c.Response; r.TokensIn+r.TokensOut > 0 {
		parts = append(parts, fmt.Sprintf("%s tokens in, %s out", diag.Thousands(r.TokensIn), diag.Thousands(r.TokensOut)))
	}
	if c.Latency > 0 && !c.Replayed { // the time that reading a recording took says nothing
		parts = append(parts, (time.Duration(c.Latency) * time.Millisecond).String())
	}
	if c.Response.CostUSD > 0 {
		parts = append(parts, money(c.Response.CostUSD))
	}
	if f := c.Response.Finish; f != "" && f != "stop" {
		parts = append(parts, "finish "+diag.Fit(plain(f), 40))
	}
	if c.Replayed {
		parts = append(parts, "from a recording")
	}
	return strings.Join(parts, ", ")
}

func callPrompt(c *llm.Call) string {
	user := "user:\n" + userPrompt(c)
	if c.Request.System == "" {
		return user
	}
	return "system:\n" + c.Request.System + "\n\n" + user
}

// userPrompt is the prompt to the judge, and the messages after it.
func userPrompt(c *llm.Call) string {
	var b strings.Builder
	b.WriteString(c.Request.User)
	for _, m := range c.Request.Then {
		b.WriteString("\n\n" + m.Role + ":\n" + m.Content)
	}
	return b.String()
}

func (v *view) explainCalls(w io.Writer, row *result.Row, o Options) {
	calls := v.callsOf(row)
	first := map[string]string{} // the call with a prompt, by the prompt
	system := ""
	for i := range calls {
		c := &calls[i]
		fmt.Fprintf(w, "\n %s  %s\n", o.bold("judge call: "+callTitle(c)), o.dim(callFacts(c)))
		if c.Request.System != system { // most calls have the same
			system = c.Request.System
			writeBlock(w, o, "system", system)
		}
		prompt := userPrompt(c)
		if title, shown := first[prompt]; shown {
			writeBlock(w, o, "prompt", "that of "+title)
		} else {
			first[prompt] = callTitle(c)
			writeBlock(w, o, "prompt", prompt)
		}
		if c.Answered {
			writeBlock(w, o, "answer", c.Response.Text)
		}
		if c.Err != nil {
			writeBlock(w, o, "error", c.Err.Error())
		}
	}
}

// A pageCall is a judge's call as the page shows it.
type pageCall struct {
	Title  string `json:"title"`
	Facts  string `json:"facts,omitzero"`
	Prompt string `json:"prompt"`
	Answer string `json:"answer,omitzero"`
	Error  string `json:"error,omitzero"`
}

func (v *view) pageCalls(row *result.Row) []pageCall {
	calls := v.callsOf(row)
	var out []pageCall
	for i := range calls[:min(len(calls), maxPageList)] {
		c := &calls[i]
		call := pageCall{Title: callTitle(c), Facts: callFacts(c), Prompt: pageText(callPrompt(c))}
		if c.Answered {
			call.Answer = pageText(c.Response.Text)
		}
		if c.Err != nil {
			call.Error = pageText(c.Err.Error())
		}
		out = append(out, call)
	}
	return out
}
