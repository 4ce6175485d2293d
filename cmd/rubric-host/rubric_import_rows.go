package main

import (
	"cmp"
	"context"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
)

// importedRows is the JSON answer of import for a published set.
type importedRows struct {
	Cases    int       `json:"cases"`
	Criteria int       `json:"criteria"`
	Differs  string    `json:"differs,omitzero"`
	Problems []problem `json:"problems"`
	delivery
}

// importRows writes the rows of a published set as a document whose cases bring
// their rubrics.
func importRows(_ context.Context, p *program, f *importFlags, file string) error {
	rows := dataset.Options{Paths: []string{file}, Stdin: p.in}
	if f.limit != "" {
		var err error
		if rows.Select.From, rows.Select.To, err = dataset.ParseLimit(f.limit); err != nil {
			return err
		}
	}
	out, err := tools.Import(rows, tools.ImportOptions{Source: f.from, ID: f.name, Format: cmp.Or(f.format, formatOf(f.out)), Pitfalls: tools.Pitfalls(f.pitfalls)})
	if err != nil {
		return err
	}
	bad := len(out.Problems.Errors())
	if bad > 0 && !f.skipBad {
		err = fault.WithHint(fault.New(fault.Invalid, "%s cannot be used; nothing was written", diag.Count(bad, "row")), "correct them, or add --skip-bad to leave them out")
	}
	var went delivery
	if err == nil {
		if went, err = p.deliver(f.out, out.Text); err != nil {
			return err
		}
	}
	if p.json {
		return p.printOutcome(importedRows{out.Cases, out.Criteria, out.Differs, problemsOf(out.Problems), went}, err)
	}
	if !p.quiet || err != nil {
		p.diagnostics(out.Problems)
	}
	if err != nil {
		return err
	}
	p.say("imported %s with %s", diag.Count(out.Cases, "case"), criteriaCount(out.Criteria))
	if out.Differs != "" {
		p.say("note: %s", out.Differs)
	}
	if went.File != "" {
		p.say("next: rubric-host eval %s --outputs FILE --judge openai:MODEL", diag.Shell(f.out))
	}
	return nil
}
