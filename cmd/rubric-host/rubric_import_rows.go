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
	File     string    `json:"file,omitzero"`
	Cases    int       `json:"cases"`
	Criteria int       `json:"criteria"`
	Differs  string    `json:"differs,omitzero"`
	Problems []problem `json:"problems"`
	Output   string    `json:"output,omitzero"` // if no file was written
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
	toFile := inFile(f.out)
	if err == nil && (toFile || !p.json) {
		if err := p.writeText(f.out, out.Text); err != nil {
			return err
		}
	}
	if p.json {
		done := importedRows{Cases: out.Cases, Criteria: out.Criteria, Differs: out.Differs, Problems: problemsOf(out.Problems)}
		switch {
		case err != nil:
		case toFile:
			done.File = f.out
		default:
			done.Output = string(out.Text)
		}
		return p.printOutcome(done, err)
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
	if toFile {
		p.say("next: rubric-host eval %s --outputs FILE --judge openai:MODEL", diag.Shell(f.out))
	}
	return nil
}
