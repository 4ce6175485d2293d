package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/generate"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/result"
)

// filledCase is a case of an eval file for a script.
type filledCase struct {
	ID        string              `json:"id"`
	Line      int                 `json:"line"`
	Status    generate.Status     `json:"status"`
	Criteria  []draftedCriterion  `json:"criteria,omitzero"`
	Meta      *generate.Meta      `json:"meta,omitzero"`
	Reference *generate.Reference `json:"reference,omitzero"`
	Error     *result.Failure     `json:"error,omitzero"`
}

// filledFile is the JSON answer of generate for an eval file.
type filledFile struct {
	File      string          `json:"file,omitzero"` // that was written; empty: none
	Dialect   string          `json:"dialect"`
	Drafted   int             `json:"drafted"`
	Kept      int             `json:"kept"`
	NoOutcome int             `json:"no_outcome"`
	Failed    int             `json:"failed"`
	Left      int             `json:"left"`
	Cases     []filledCase    `json:"cases"`
	Output    string          `json:"output,omitzero"` // if no file was written
	Judge     result.Usage    `json:"judge"`
	Error     *result.Failure `json:"error,omitzero"` // why drafting stopped
}

func runGenerateFile(p *program, cmd *cobra.Command, f *generateFlags, name string) error {
	for _, flag := range []string{"task", "good", "bad", "pairs", "name"} {
		if cmd.Flags().Changed(flag) {
			return fault.WithHint(fault.New(fault.Usage, "--%s does not go with an eval file", flag), "without EVALFILE a rubric of its own is drafted")
		}
	}
	if _, _, ok := registry.ParseRef(name); ok {
		return fault.WithHint(fault.New(fault.Usage, "%s is a registered rubric, which has no cases", name), "name an eval file; its cases get rubrics from their expected outcomes")
	}
	src, err := p.source(name)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	ev, err := newGenerator(ctx, p, &f.evaluatorFlags, &f.judgeFlags)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	done, stopped := generate.Fill(ctx, ev, name, src, generate.FillOptions{Dialect: f.dialect, Each: p.tellFilled})
	if done == nil {
		return stopped
	}
	if stopped == nil && !f.noTrial {
		stopped = done.TryReferences(ctx, ev, name)
		tellReferences(p.console, done)
	}
	to := cmp.Or(f.out, name)
	written := to != "-" && (to != name || done.Count(generate.Drafted) > 0)
	switch {
	case written && to == name:
		err = rewriteFile(name, src, done.Text)
	case written:
		err = writeFile(to, done.Text)
	case to == "-" && !p.json:
		err = p.writeText("", done.Text)
	}
	if err != nil {
		return err
	}
	return tellFile(p.console, ev, done, to, written, stopped)
}

// rewriteFile writes a file that was read some time ago, unless it has changed since.
func rewriteFile(name string, was, text []byte) error {
	if now, err := file.Read(name, dialect.MaxBytes); err != nil || !bytes.Equal(now, was) {
		return fault.WithHint(fault.New(fault.Conflict, "%s has changed while rubrics were drafted; nothing was written", name), "run it again: answers that were given are reused")
	}
	return writeFile(name, text)
}

func (con *console) tellFilled(c *generate.Filled) {
	switch c.Status {
	case generate.Drafted:
		con.say("%s: drafted %s", diag.Plain(c.ID), diag.Count(len(c.Criteria), "criterion"))
		tellMeta(con, c.ID+": ", c.Meta, true)
	case generate.Failed:
		con.say("%s: no draft: %s", diag.Plain(c.ID), diag.Plain(c.Err.Error()))
	case generate.NoOutcome:
		con.explain("%s: skipped: it has no expected outcome", diag.Plain(c.ID))
	case generate.Kept:
		con.explain("%s: skipped: it has rubrics", diag.Plain(c.ID))
	}
}

// tellReferences prints the drafts that the case's own expected output does not
// satisfy.
func tellReferences(con *console, done *generate.EvalFile) {
	tried, good := 0, 0
	for i := range done.Cases {
		c := &done.Cases[i]
		switch r := c.Reference; {
		case r == nil:
			continue
		case r.Score == nil:
			con.say("%s: the expected output could not be scored: %s", diag.Plain(c.ID), diag.Plain(r.Error))
		case len(r.Unmet) > 0:
			con.say("warning: %s: the expected output scores %s: it does not meet %s", diag.Plain(c.ID), scoreText(r.Score), diag.Plain(strings.Join(r.Unmet, ", ")))
		default:
			good++
		}
		tried++
	}
	if tried > 0 {
		con.say("%d of %d expected outputs meet every criterion drafted for them", good, tried)
	}
}

// tellFile prints the totals, and returns the error that decides the exit code.
func tellFile(con *console, ev *host.Evaluator, done *generate.EvalFile, to string, written bool, stopped error) error {
	answer := filledFile{
		Dialect: done.Dialect, Drafted: done.Count(generate.Drafted), Kept: done.Count(generate.Kept), NoOutcome: done.Count(generate.NoOutcome),
		Failed: done.Count(generate.Failed), Left: done.Count(generate.Left), Judge: ev.Stats().Spent, Error: failureOf(stopped),
	}
	for i := range done.Cases {
		c := &done.Cases[i]
		one := filledCase{ID: c.ID, Line: c.Line, Status: c.Status, Reference: c.Reference, Error: failureOf(c.Err)}
		if c.Status == generate.Drafted {
			one.Criteria, one.Meta = draftedCriteria(c.Criteria), c.Meta
		}
		answer.Cases = append(answer.Cases, one)
	}
	stopped = done.Err(stopped)
	if con.json {
		if written {
			answer.File = to
		} else if to == "-" {
			answer.Output = string(done.Text)
		}
		return con.printOutcome(answer, stopped)
	}
	con.say("%s", answer.summary(to))
	return stopped
}

// summary has the counts, in the words of AgentV's command.
func (a *filledFile) summary(to string) string {
	done := "no changes"
	if a.Drafted > 0 {
		done = "updated " + diag.Count(a.Drafted, "eval case")
		if to != "-" {
			done += " in " + diag.Plain(to)
		}
	}
	return fmt.Sprintf("%s; skipped %d with rubrics, %d without an expected outcome", done, a.Kept, a.NoOutcome)
}
