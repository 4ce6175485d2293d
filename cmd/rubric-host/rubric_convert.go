package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
)

type convertFlags struct {
	dialect string
	to      string
	format  string
	out     string
	force   bool
}

func convertCommand(p *program) *cobra.Command {
	f := &convertFlags{}
	cmd := &cobra.Command{
		Use:   "convert FILE --to DIALECT",
		Short: "Write a document in another dialect, and list the losses",
		Long: "Write a document in another dialect, or another format. Losses are listed.\n" +
			"If a loss changes scores, nothing is written unless --force is given.",
		Example: "rubric-host rubric convert rubric.json --to native -o rubric.yaml\nrubric-host rubric convert evals.yaml --to openrubricrl --format json",
		Args:    args("FILE"), ValidArgsFunction: p.complete.rubric,
		RunE: func(_ *cobra.Command, a []string) error { return runConvert(p, f, a[0]) },
	}
	s := cmd.Flags()
	s.StringVar(&f.to, "to", "", "dialect to write: "+strings.Join(dialect.Names(), ", "))
	choices(cmd, "to", dialect.Names()...)
	bindFormat(cmd, &f.format, "format", "format to write: yaml or json (default: by -o, else unchanged)")
	bindOut(cmd, &f.out)
	s.BoolVar(&f.force, "force", false, "write it although scores change")
	bindDocument(p, cmd, &f.dialect)
	keyed(cmd, "to", "format", "force")
	return cmd
}

// converted is the JSON answer of convert.
type converted struct {
	From    string    `json:"from"`
	To      string    `json:"to"`
	Format  string    `json:"format"`
	Changes bool      `json:"changes"` // something is measured differently
	Losses  []problem `json:"losses"`
	delivery
}

func runConvert(p *program, f *convertFlags, file string) error {
	if f.to == "" {
		return fault.WithHint(fault.New(fault.Usage, "missing target dialect"), "name a dialect with --to: %s", strings.Join(dialect.Names(), ", "))
	}
	doc, err := p.load(file, f.dialect)
	if err != nil {
		return err
	}
	format := cmp.Or(f.format, formatOf(f.out), doc.Format)
	text, losses, err := tools.Convert(doc, tools.ConvertOptions{To: f.to, Format: format, AcceptChanges: f.force})
	refused := errors.Is(err, tools.ErrScoresChange)
	if (err == nil || refused) && !p.json {
		tellLosses(p.console, losses) // without a document the error says why
	}
	if refused {
		err = fault.WithHint(err, "add --force to write it all the same")
	}
	done := converted{From: doc.Dialect, To: f.to, Format: format, Changes: len(losses.Errors()) > 0, Losses: problemsOf(losses)}
	if err != nil {
		if p.json {
			return p.printOutcome(done, err)
		}
		return err
	}
	if done.delivery, err = p.deliver(f.out, text); err != nil || !p.json {
		return err
	}
	return p.printJSON(done)
}

// tellLosses lists the content that a dialect cannot express.
func tellLosses(con *console, losses diag.List) {
	for _, d := range losses {
		word := "lost"
		if d.Severity == diag.Error {
			word = "CHANGED"
		}
		path := d.Path
		if path != "" {
			path += ": "
		}
		con.say("%s: %s%s", word, diag.Plain(path), diag.Plain(d.Message))
	}
}
