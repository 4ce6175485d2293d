package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/schema"
)

type importFlags struct {
	from  string
	named bool // --from is given

	// of published sets
	out, format, name, limit, pitfalls string
	skipBad                            bool
}

// An importSource is a value of --from, with the function that imports its files.
type importSource struct {
	name, summary string
	run           func(ctx context.Context, p *program, f *importFlags, file string) error
}

// importSources returns the values of --from, the default first.
func importSources() []importSource {
	list := []importSource{{"dataknobs-config", "a registry configuration, {rubrics: [...]}, into the registry", importConfig}}
	for _, s := range tools.ImportSources() {
		list = append(list, importSource{s.Name, s.Summary, importRows})
	}
	return list
}

func importCommand(p *program) *cobra.Command {
	f := &importFlags{}
	sources, names := importSources(), []string(nil)
	long := "Import rubrics from another system's file. Rows of published sets become a document whose cases\nbring their rubrics; eval then needs only outputs (--outputs).\n"
	for _, s := range sources {
		names = append(names, s.name)
		long += fmt.Sprintf("\n| %s | %s |", s.name, s.summary)
	}
	cmd := &cobra.Command{
		Use:     "import FILE --from SOURCE",
		Short:   "Import rubrics of dataknobs, HealthBench, ResearchRubrics or RaR",
		Long:    long,
		Example: "rubric-host rubric import rubrics.json --from dataknobs-config\nrubric-host rubric import healthbench.jsonl --from healthbench --limit 500 -o healthbench.yaml",
		Args:    args("FILE"),
		RunE: func(cmd *cobra.Command, a []string) error {
			f.named = cmd.Flags().Changed("from")
			s := sources[max(0, slices.Index(names, f.from))]
			if err := fitting(cmd, s.name == names[0], s.name); err != nil {
				return err
			}
			return s.run(cmd.Context(), p, f, a[0])
		},
	}
	cmd.Flags().StringVar(&f.from, "from", names[0], "where the rubrics come from")
	choices(cmd, "from", names...)
	bindOut(cmd, &f.out)
	bindFormat(cmd, &f.format, "format", "format of the document: yaml or json (default: by -o, else yaml)")
	t := cmd.Flags()
	t.StringVar(&f.name, "name", "", "id of the document (default: the source)")
	t.StringVar(&f.limit, "limit", "", "only the first N rows, or rows A:B")
	t.StringVar(&f.pitfalls, "pitfalls", string(tools.PitfallsAreFaults), "meaning of negative weights of rar: faults, or avoided")
	choices(cmd, "pitfalls", string(tools.PitfallsAreFaults), string(tools.PitfallsAvoided))
	t.BoolVar(&f.skipBad, "skip-bad", false, "leave out rows that cannot be used")
	keyed(cmd, "from", "format", "name", "limit", "pitfalls", "skip-bad")
	bindBy(p, cmd)
	bindStore(p, cmd)
	return cmd
}

// fitting refuses flags that would have no effect: a configuration goes into the
// registry, a published set into a document.
func fitting(cmd *cobra.Command, registry bool, source string) error {
	flags := []string{"by", "store"}
	if registry {
		flags = []string{"out", "format", "name", "limit", "pitfalls", "skip-bad"}
	}
	for _, name := range flags {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			return fault.New(fault.Usage, "--%s has no effect with --from %s", name, source)
		}
	}
	return nil
}

// otherSource returns an error for a file that is not a dataknobs configuration, if --from does
// not say that it is one: rows of a published set, or a rubric of another dialect.
func otherSource(file string, text []byte) error {
	if dataset.NamesRows(file) || strings.EqualFold(filepath.Ext(file), ".parquet") {
		return fault.WithHint(fault.New(fault.Usage, "%s has rows, and --from does not say of which set", file), "add --from healthbench, researchrubrics or rar")
	}
	doc, _ := dialect.Decode(file, text, dialect.Options{}) // only the dialect matters here
	if doc == nil || doc.Dialect == "" || doc.Dialect == dialect.Dataknobs || len(doc.Rubrics)+len(doc.Cases) == 0 {
		return nil // {"rubrics": []} is an empty configuration
	}
	err := fault.New(fault.Usage, "%s is a document of %s, not a configuration of dataknobs", file, doc.Dialect)
	return fault.WithHint(err, "register it as it is: rubric-host rubric register %s; or name its source with --from", diag.Shell(file))
}

// importConfig registers the rubrics of a configuration, all or none.
func importConfig(ctx context.Context, p *program, f *importFlags, file string) error {
	text, err := p.source(file)
	if err != nil {
		return err
	}
	if !f.named {
		if err := otherSource(file, text); err != nil {
			return err
		}
	}
	doc, err := dialect.Decode(file, text, dialect.Options{Dialect: dialect.Dataknobs, Schema: schema.Check})
	if err != nil {
		return err
	}
	if len(doc.Rubrics) == 0 { // dataknobs takes such a configuration, too
		if p.json {
			return p.printJSON(registerAnswer{})
		}
		p.say("%s has no rubrics: nothing is registered", file)
		return nil
	}
	return registerRubrics(ctx, p, []*dialect.Document{doc})
}

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
	p.say("imported %s with %s", diag.Count(out.Cases, "case"), diag.Count(out.Criteria, "criterion"))
	if out.Differs != "" {
		p.say("note: %s", out.Differs)
	}
	if went.File != "" {
		p.say("next: rubric-host eval %s --outputs FILE --judge openai:MODEL", diag.Shell(f.out))
	}
	return nil
}
