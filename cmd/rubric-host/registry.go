package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
)

// noRubrics is the hint where there is no database.
const noRubrics = "register a rubric first: rubric-host rubric register FILE; or name the database with --store"

func (p *program) registryIn(s stores) *registry.Registry {
	return registry.New(s, registry.Options{By: p.whoever()})
}

// inRegistry is a command that works on registered rubrics.
func (p *program) inRegistry(do func(context.Context, *registry.Registry, []string) error) func(*cobra.Command, []string) error {
	return p.inStore(noRubrics, func(ctx context.Context, s stores, a []string) error { return do(ctx, p.registryIn(s), a) })
}

// registered reads a document of the registry, "registry:ID[@VERSION]".
func (p *program) registered(ctx context.Context, id, version string) (*dialect.Document, error) {
	if id == "" {
		return nil, fault.WithHint(fault.New(fault.Usage, "registry: names no rubric"), "write registry:ID or registry:ID@VERSION; rubric-host rubric list shows them")
	}
	s, err := p.openStore(ctx, noRubrics)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return p.registryIn(s).Load(ctx, id, version)
}

// pinned returns a command with the version of a registered rubric, which the command may
// have left open.
func pinned(command []string, path string, doc *dialect.Document) []string {
	if _, _, ok := registry.ParseRef(path); !ok {
		return command
	}
	out := slices.Clone(command)
	if i := slices.Index(out, path); i >= 0 {
		out[i] = doc.File
	}
	return out
}

func registerCommand(p *program) *cobra.Command {
	var dialectName string
	cmd := &cobra.Command{
		Use:   "register FILE...",
		Short: "Keep rubrics in the registry by id and version",
		Long: "Keep rubrics in the registry: a snapshot by id and version, which becomes the latest one. All\n" +
			"rubrics of the files are registered, or none. A version never changes: other content is an\nerror that shows the difference.\n\n" +
			"registry:ID or registry:ID@VERSION then stands for the file in eval, grade and the rubric commands.",
		Example: "rubric-host rubric register rubric.yaml\nrubric-host rubric register rubrics/*.yaml --by 'the quiz team'",
		Args:    args("FILE..."), ValidArgsFunction: p.complete.rubric,
		RunE: func(cmd *cobra.Command, files []string) error {
			return registerFiles(cmd.Context(), p, files, dialectName)
		},
	}
	bindBy(p, cmd)
	bindStore(p, cmd)
	bindDialect(cmd, &dialectName)
	return cmd
}

func registerFiles(ctx context.Context, p *program, files []string, dialectName string) error {
	docs := make([]*dialect.Document, len(files))
	for i, file := range files {
		var err error
		if docs[i], err = p.load(file, dialectName); err != nil {
			return err
		}
	}
	return registerRubrics(ctx, p, docs)
}

// registerRubrics registers documents, and reports the outcome of each rubric.
func registerRubrics(ctx context.Context, p *program, docs []*dialect.Document) error {
	s, err := p.openStore(ctx, "")
	if err != nil {
		return err
	}
	defer s.Close()
	list, err := p.registryIn(s).Register(ctx, docs...)
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string]any{"rubrics": list})
	}
	for i := range list {
		r := &list[i]
		after := ""
		switch r.Action {
		case registry.Selected:
			after = ": a known version, now the latest one"
		case registry.Unchanged:
			after = fmt.Sprintf(": registered by %s on %s", r.By, r.At.Local().Format(time.DateOnly))
		}
		fmt.Fprintf(p.out, "%s %s%s\n", r.Action, diag.Plain(registry.Ref(r.ID, r.Version)), diag.Plain(after))
	}
	return nil
}

func getCommand(p *program) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:     "get ID[@VERSION]",
		Short:   "Print a registered rubric as it was registered",
		Long:    "Print a registered rubric as it was registered, with its comments. -o FILE.json or FILE.yaml\nchooses the format.",
		Example: "rubric-host rubric get support-answer -o rubric.yaml\nrubric-host rubric get support-answer@2.0.0",
		Args:    args("ID[@VERSION]"),
		RunE: p.inRegistry(func(ctx context.Context, g *registry.Registry, a []string) error {
			return getRubric(ctx, p, g, a[0], out)
		}),
	}
	bindOut(cmd, &out)
	bindStore(p, cmd)
	return cmd
}

// getAnswer is the JSON answer of get.
type getAnswer struct {
	registry.Snapshot
	Document string `json:"document,omitzero"` // if it is not written to a file
	File     string `json:"file,omitzero"`
}

func getRubric(ctx context.Context, p *program, g *registry.Registry, name, out string) error {
	id, version := registry.SplitVersion(strings.TrimPrefix(name, "registry:"))
	s, err := g.Get(ctx, id, version)
	if err != nil {
		return err
	}
	doc, err := s.Decode()
	if err != nil {
		return err
	}
	if format := formatOf(out); format != "" && format != s.Format {
		if s.Document, _, err = dialect.Encode(doc, "", format); err != nil {
			return err
		}
		s.Format = format
	}
	went, err := p.deliver(out, s.Document)
	switch {
	case err != nil:
		return err
	case p.json:
		return p.printJSON(getAnswer{s, went.Output, went.File})
	case went.File != "":
		p.say("wrote %s to %s", diag.Plain(registry.Ref(s.ID, s.Version)), diag.Plain(out))
	}
	return nil
}

func listCommand(p *program) *cobra.Command {
	var f registry.Filter
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List registered rubrics, each with its latest version",
		Example: "rubric-host rubric list --target-type content",
		RunE:    p.inRegistry(func(ctx context.Context, g *registry.Registry, _ []string) error { return listRubrics(ctx, p, g, f) }),
	}
	cmd.Flags().StringVar(&f.TargetType, "target-type", "", "only rubrics of this target type")
	bindStore(p, cmd)
	return cmd
}

func listRubrics(ctx context.Context, p *program, g *registry.Registry, f registry.Filter) error {
	list, err := g.List(ctx, f)
	if err != nil {
		return err
	}
	none := "no rubrics are registered"
	if f.TargetType != "" {
		none += " for target type " + f.TargetType
	}
	t := p.table("RUBRIC", "VERSION", "TARGET TYPE", "DIALECT", "BY", "REGISTERED")
	for i := range list {
		s := &list[i]
		t.row(s.ID, s.Version, orDash(s.TargetType), s.Dialect, s.By, s.At)
	}
	return p.list(map[string]any{"rubrics": list}, len(list), t, none)
}

func historyCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "history ID",
		Short:   "Show who registered and deleted a rubric, and when",
		Example: "rubric-host rubric history support-answer",
		Args:    args("ID"),
		RunE:    p.inRegistry(func(ctx context.Context, g *registry.Registry, a []string) error { return listHistory(ctx, p, g, a[0]) }),
	}
	bindStore(p, cmd)
	return cmd
}

func listHistory(ctx context.Context, p *program, g *registry.Registry, id string) error {
	id = strings.TrimPrefix(id, "registry:")
	events, err := g.History(ctx, id)
	if err != nil {
		return err
	}
	t := p.table("VERSION", "ACTION", "BY", "AT")
	for _, e := range events {
		t.row(e.Version, e.Action, e.By, e.At)
	}
	return p.list(map[string]any{"id": id, "events": events}, len(events), t, "no events")
}

func deleteCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete ID",
		Short: "Remove a rubric from the list; its versions stay for audit",
		Long: "Remove a rubric from the list. Its versions and its history stay: registry:ID@VERSION and runs\n" +
			"that used it work as before.",
		Example: "rubric-host rubric delete support-answer",
		Args:    args("ID"),
		RunE: p.inRegistry(func(ctx context.Context, g *registry.Registry, a []string) error {
			return deleteRubric(ctx, p, g, a[0])
		}),
	}
	bindBy(p, cmd)
	bindStore(p, cmd)
	return cmd
}

func deleteRubric(ctx context.Context, p *program, g *registry.Registry, id string) error {
	id = strings.TrimPrefix(id, "registry:")
	latest, err := g.Get(ctx, id, "") // its error lists the alternatives
	if err != nil {
		return err
	}
	if _, err := g.Delete(ctx, id); err != nil {
		return err
	}
	return p.answer(map[string]any{"id": id, "deleted": true, "version": latest.Version},
		"deleted %s; its versions stay: %s", diag.Plain(id), diag.Plain(registry.Ref(id, latest.Version)))
}
