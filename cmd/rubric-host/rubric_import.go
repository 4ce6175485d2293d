package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/schema"
)

// importFlags are the flags of rubric import.
type importFlags struct {
	from string
	by   string
}

// importSources is the table of what rubrics are imported from: a name for --from, and
// what imports a file.
var importSources = []struct {
	name, summary string
	run           func(ctx context.Context, p *program, f *importFlags, file string) error
}{
	{"dataknobs-config", "a registry configuration, {rubrics: [...]}, into the registry", importConfig},
}

func (p *program) importCommand() *cobra.Command {
	f := &importFlags{}
	var names []string
	long := "Import rubrics from another system's file:\n"
	for _, s := range importSources {
		names = append(names, s.name)
		long += "\n  " + s.name + "  " + s.summary
	}
	cmd := &cobra.Command{
		Use:     "import FILE --from SOURCE",
		Short:   "Import rubrics from a registry configuration of dataknobs",
		Long:    long,
		Example: "rubric-host rubric import rubrics.json --from dataknobs-config",
		Args:    args("FILE"),
		RunE: func(cmd *cobra.Command, a []string) error {
			for _, s := range importSources {
				if s.name == f.from {
					return s.run(cmd.Context(), p, f, a[0])
				}
			}
			return oneOf("--from", f.from, names...)
		},
	}
	cmd.Flags().StringVar(&f.from, "from", names[0], "where the rubrics come from")
	choices(cmd, "from", names...)
	bindBy(cmd, &f.by)
	bindStore(cmd, &p.store)
	return cmd
}

// importConfig registers the rubrics of a configuration, all or none.
func importConfig(ctx context.Context, p *program, f *importFlags, file string) error {
	text, err := p.source(file)
	if err != nil {
		return err
	}
	doc, err := dialect.Decode(file, text, dialect.Options{Dialect: dialect.Dataknobs, Schema: schema.Check})
	if err != nil {
		return err
	}
	if len(doc.Rubrics) == 0 {
		return fault.New(fault.Empty, "%s has no rubrics", file)
	}
	return p.registerAll(ctx, []*dialect.Document{doc}, f.by)
}
