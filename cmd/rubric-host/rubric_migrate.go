package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

type migrateFlags struct {
	version string
	dryRun  bool
	out     string
}

func migrateCommand(p *program) *cobra.Command {
	f := &migrateFlags{}
	cmd := &cobra.Command{
		Use:   "migrate FILE",
		Short: "Bring an old OpenRubricRL document to the current format",
		Long: "Bring an old OpenRubricRL document to the current format, and report every change: a version,\n" +
			"weights that sum to 1, one of the five domains, an explanation for each example. The document\ngoes to standard output, the report to standard error.",
		Example: `rubric-host rubric migrate old_rubric.json --to-version 2.0.0 -o rubric.json
rubric-host rubric migrate old_rubric.json --dry-run`,
		Args: args("FILE"), ValidArgsFunction: p.complete.rubric,
		RunE: func(_ *cobra.Command, a []string) error { return runMigrate(p, f, a[0]) },
	}
	s := cmd.Flags()
	s.StringVar(&f.version, "to-version", "", "version to give the rubric (default: its own, else 1.0.0)")
	s.BoolVar(&f.dryRun, "dry-run", false, "report the changes, and write nothing")
	bindOut(cmd, &f.out)
	bindStore(p, cmd)
	advanced(cmd, "store")
	keyed(cmd, "dry-run")
	return cmd
}

// migrated is the JSON answer of migrate.
type migrated struct {
	Changes   []change  `json:"changes"`
	Remaining []problem `json:"remaining"` // problems that only the author can fix, placed in the output
	delivery
}

type change struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Before string `json:"before"` // empty: it was not there
	After  string `json:"after"`
	Why    string `json:"why"`
}

func runMigrate(p *program, f *migrateFlags, file string) error {
	src, err := p.source(file)
	if err != nil {
		return err
	}
	m, err := tools.Migrate(file, src, f.version)
	if err != nil {
		return err
	}
	if err := tellMigration(p.console, f, file, m); err != nil {
		return err
	}
	left := len(m.Remaining.Errors())
	if left == 0 {
		return nil
	}
	p.told = p.json
	return fault.WithHint(fault.New(fault.Invalid, "%s: %s that only its author can mend", file, diag.Plural(left, "one thing remains", fmt.Sprintf("%d things remain", left))), "correct the problems listed above in the migrated document")
}

// tellMigration writes the document and the report.
func tellMigration(con *console, f *migrateFlags, file string, m *tools.Migration) error {
	var went delivery
	if !f.dryRun {
		var err error
		if went, err = con.deliver(f.out, m.Output); err != nil {
			return err
		}
	}
	if con.json {
		changes := xslices.Map(m.Changes, func(c tools.Change) change { return change{c.Path, c.Pos.Line, c.Pos.Column, c.Before, c.After, c.Why} })
		return con.printJSON(migrated{changes, problemsOf(m.Remaining), went})
	}
	to := con.err
	if f.dryRun {
		to = con.out
	}
	if !con.quiet || f.dryRun {
		writeChanges(to, file, m.Changes)
	}
	return wordProblems(m.Remaining).Write(con.err, m.Output)
}

// writeChanges writes the report of a migration, a line for each change.
func writeChanges(w io.Writer, file string, changes []tools.Change) {
	if len(changes) == 0 {
		fmt.Fprintf(w, "%s: nothing to change\n", diag.Plain(file))
		return
	}
	for _, c := range changes {
		before := cmp.Or(c.Before, "(none)")
		fmt.Fprintf(w, "%s: %s: %s -> %s (%s)\n", diag.Plain(c.Pos.String()), diag.Plain(c.Path), diag.Plain(before), diag.Plain(c.After), diag.Plain(c.Why))
	}
}
