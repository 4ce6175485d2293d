package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
)

type importFlags struct {
	from, out, name, limit, pitfalls string
	skipBad                          bool
}

func importCommand(p *program) *cobra.Command {
	f := &importFlags{}
	var names []string
	long := "Import the rubrics of a published set. Its rows become a document whose cases bring their rubrics;\neval then needs only outputs (--outputs).\n"
	for _, s := range tools.ImportSources() {
		names = append(names, s.Name)
		long += fmt.Sprintf("\n| %s | %s |", s.Name, s.Summary)
	}
	cmd := &cobra.Command{
		Use:     "import FILE --from SOURCE",
		Short:   "Import rubrics of HealthBench, ResearchRubrics or RaR",
		Long:    long,
		Example: "rubric-host rubric import healthbench.jsonl --from healthbench --limit 500 -o healthbench.yaml",
		Args:    args("FILE"),
		RunE: func(_ *cobra.Command, a []string) error {
			if f.from == "" {
				return fault.WithHint(fault.New(fault.Usage, "missing flag: --from %s", strings.Join(names, "|")), "rubrics of a document, or of a configuration of dataknobs, need no import: rubric-host rubric register %s", diag.Shell(a[0]))
			}
			return importRows(p, f, a[0])
		},
	}
	t := cmd.Flags()
	t.StringVar(&f.from, "from", "", "where the rubrics come from")
	choices(cmd, "from", names...)
	bindOut(cmd, &f.out)
	t.StringVar(&f.name, "name", "", "id of the document (default: the source)")
	t.StringVar(&f.limit, "limit", "", "only the first N rows, or rows A:B")
	t.StringVar(&f.pitfalls, "pitfalls", string(tools.PitfallsAreFaults), "meaning of negative weights of rar: faults, or avoided")
	choices(cmd, "pitfalls", string(tools.PitfallsAreFaults), string(tools.PitfallsAvoided))
	t.BoolVar(&f.skipBad, "skip-bad", false, "leave out rows that cannot be used")
	keyed(cmd, "from", "name", "limit", "pitfalls", "skip-bad")
	return cmd
}

// importedRows is the JSON answer of import.
type importedRows struct {
	Cases    int       `json:"cases"`
	Criteria int       `json:"criteria"`
	Differs  string    `json:"differs,omitzero"`
	Problems []problem `json:"problems"`
	delivery
}

// importRows writes the rows of a published set as a document whose cases bring
// their rubrics.
func importRows(p *program, f *importFlags, file string) error {
	rows := dataset.Options{Paths: []string{file}, Stdin: p.in}
	if f.limit != "" {
		var err error
		if rows.Select.From, rows.Select.To, err = dataset.ParseLimit(f.limit); err != nil {
			return err
		}
	}
	out, err := tools.Import(rows, tools.ImportOptions{Source: f.from, ID: f.name, Format: formatOf(f.out), Pitfalls: tools.Pitfalls(f.pitfalls)})
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
	p.say("imported %s with %s", diag.Count(out.Cases, "case"), diag.Count(out.Criteria, "criterion"))
	if out.Differs != "" {
		p.say("note: %s", out.Differs)
	}
	if went.File != "" {
		p.say("next: rubric-host eval %s --outputs FILE --judge openai:MODEL", diag.Shell(f.out))
	}
	return nil
}
