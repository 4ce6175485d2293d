package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/inspect"
	"github.com/rubric-host/rubric-host/host/xslices"
)

func inspectCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "inspect FILE|NAME",
		Short: "Show a module's ABI, exports, imports, sizes and limits",
		Long: "Show the contents of a module: ABI, exports, imports, sizes, memory, the limits that it is close to,\n" +
			"what it costs, its manifest, what it asks for. It is read, validated, and not run.\n\n" +
			"A module that is refused exits 3; --json then has {refused: {section, offset, limit, message}}.",
		Example: "rubric-host plugin inspect bleu\nrubric-host plugin inspect ./target/mine.wasm --json",
		Args:    args("FILE|NAME"), ValidArgsFunction: p.complete.plugins,
		RunE: func(_ *cobra.Command, a []string) error { return runInspect(p, a[0]) },
	}
	bindPlugins(p, cmd)
	return cmd
}

// inspected is the JSON answer of inspect.
type inspected struct {
	File string `json:"file"`
	*inspect.Report
	Manifest *inspectedManifest `json:"manifest"` // null: none
	Problem  string             `json:"manifest_problem,omitzero"`
	Grants   []string           `json:"grants"` // that it requests
}

type inspectedManifest struct {
	listedPlugin
	Inputs []string       `json:"inputs"`
	Range  [2]float64     `json:"range"`
	Corpus string         `json:"corpus,omitzero"`
	Config jsontext.Value `json:"config_schema,omitzero"`
}

func runInspect(p *program, ref string) error {
	module, pl, problem, err := p.inspectable(ref)
	if err != nil {
		return err
	}
	in, err := inspect.Module(module, wasm.Limits{})
	if r := inspect.RefusalOf(err); r != nil {
		if p.json {
			refused := map[string]any{"section": r.Section, "offset": r.Offset, "limit": r.Limit, "message": r.Message}
			if err := p.printOutcome(map[string]any{"refused": refused}, nil); err != nil {
				return err
			}
		}
		if r.Limit != "" {
			err = fault.WithHint(err, "make the module smaller there")
		} else if h := fault.OwnHint(err); h == "" {
			err = fault.WithHint(err, "build it for wasm32-unknown-unknown or wasm32-wasip1, as a core module")
		}
		return fmt.Errorf("%s: %w", ref, err)
	} else if err != nil {
		return err
	}
	out := inspected{File: ref, Report: in}
	if problem != nil {
		out.Problem = problem.Error()
	}
	if pl != nil {
		out.File = pl.Source
		out.Manifest = manifestOf(pl)
		out.Grants = out.Manifest.Grants
	}
	if p.json {
		return p.printJSON(out)
	}
	return tellInspection(p.console, &out)
}

// inspectable finds the module that a reference means, of a file whatever its manifest is.
func (p *program) inspectable(ref string) (module []byte, pl *plugin.Plugin, problem, err error) {
	name, _ := plugin.SplitRef(ref)
	info, statErr := os.Stat(name)
	switch {
	case statErr == nil && (info.IsDir() || plugin.IsScript(name)):
		if pl, err = plugin.ReadFile(ref); err != nil {
			return nil, nil, nil, err
		}
		return pl.Module(), pl, nil, nil
	case statErr == nil && !info.Mode().IsRegular(): // a pipe or device may block, or have no end
		return nil, nil, nil, fault.New(fault.Invalid, "%s is not a regular file", ref)
	case statErr == nil:
		if module, err = file.Read(name, 4*plugin.MaxModule); err != nil { // the error of a larger module names its size
			return nil, nil, nil, err
		}
		pl, problem = plugin.ReadFile(ref)
		return module, pl, problem, nil
	case plugin.IsPath(ref):
		_, err = file.Read(ref, plugin.MaxModule)
		return nil, nil, nil, err
	}
	if pl, err = p.findPlugin(ref); err != nil {
		return nil, nil, nil, err
	}
	return pl.Module(), pl, nil, nil
}

func manifestOf(pl *plugin.Plugin) *inspectedManifest {
	out := &inspectedManifest{listedPlugin: listed(pl), Inputs: pl.Manifest.Inputs, Range: pl.Manifest.Range,
		Corpus: pl.Manifest.Corpus, Config: pl.Manifest.Config.Schema}
	if out.Range == [2]float64{} {
		out.Range = [2]float64{0, 1}
	}
	return out
}

// mostNames is how many exports, scorers and files a screen shows.
const mostNames = 12

func tellInspection(con *console, in *inspected) error {
	title := diag.Plain(in.File)
	if m := in.Manifest; m != nil {
		title = strings.Join(strings.Fields(diag.Plain(m.Name+" "+m.Version+" "+m.Summary)), " ")
	}
	fmt.Fprintf(con.out, "%s\n\n", strings.Join(wrapWords(title, cmp.Or(width(con.out), usualColumns)), "\n"))
	t := con.page()
	t.row("module", in.File)
	t.row("", in.Digest)
	if m := in.Manifest; m != nil { // as results name it: module and manifest
		t.row("plugin", m.Digest)
	}
	t.row("abi", in.ABI)
	if !in.Loads {
		t.row("loads", "no: "+in.Why)
	} else if n := len(in.Scorers); n > mostNames {
		t.line("scorers", "%s and %s more", strings.Join(in.Scorers[:mostNames], " "), diag.Thousands(n-mostNames))
	} else {
		t.row("scorers", strings.Join(in.Scorers, " "))
	}
	if in.Problem != "" {
		t.row("manifest", in.Problem)
	}
	if in.Script != nil {
		t.script(in.Script)
	} else {
		t.module(in.Report)
	}
	if m := in.Manifest; m != nil {
		t.line("manifest", "%s %s, range %g..%g, inputs %s", m.Kind, cmp.Or(m.License, "without a license"), m.Range[0], m.Range[1], cmp.Or(strings.Join(m.Inputs, " "), "those of its kind"))
	}
	grants := "nothing"
	if len(in.Grants) > 0 {
		grants = strings.Join(in.Grants, ", ")
	}
	t.row("asks for", grants)
	if m := in.Manifest; m != nil && m.Limits != "" {
		t.row("limits", m.Limits)
	}
	return t.Flush()
}

func (t *table) script(s *inspect.Script) {
	title := s.Language
	if l, ok := script.Find(s.Language); ok {
		title = l.Title
	}
	t.line("runs in", "%s, %s", title, digest.Short(s.Interpreter))
	t.some("files", xslices.Map(s.Files, func(f inspect.File) string { return f.Name + ", " + diag.Thousands(f.Bytes) + " bytes" }))
	if s.FrontBytes > 0 {
		t.line("front", "a module of %s bytes, which is asked before the script", diag.Thousands(s.FrontBytes))
	}
	if s.Peer {
		t.line("peer", "a call may run code in a second instance of the script")
	}
}

// module adds the sizes of a module, the limits that it comes near, and its cost.
func (t *table) module(in *inspect.Report) {
	z := in.Sizes
	t.line("size", "%s bytes: %s functions, %s of code, %s of data, %s of custom sections", diag.Thousands(z.Bytes), diag.Thousands(z.Functions), diag.Thousands(z.CodeBytes), diag.Thousands(z.DataBytes), diag.Thousands(z.CustomBytes))
	t.row("memory", memoryWords(&in.Memory))
	t.some("exports", xslices.Map(in.Exports, func(e inspect.Extern) string { return fmt.Sprintf("%s %s %s", e.Kind, e.Name, e.Type) }))
	t.imports(in.Imports)
	for _, text := range nearWords(in.Limits) {
		t.row("limits", text)
	}
	keeps := "memory is put back after each call"
	if !in.Cost.Keeps {
		keeps = "each call starts a new instance"
	}
	t.line("cost", "%s bytes with its fuel counters, compiled in about %d ms, %s bytes an instance; %s", diag.Thousands(in.Cost.MeteredBytes), in.Cost.CompileMillis, diag.Thousands(in.Cost.InstanceBytes), keeps)
}

// some adds a row for each of the first texts, and says how many more there are.
func (t *table) some(key string, list []string) {
	if len(list) == 0 {
		t.row(key, "none")
	}
	for _, text := range list[:min(mostNames, len(list))] {
		t.row(key, text)
		key = ""
	}
	if n := len(list) - mostNames; n > 0 {
		t.line("", "and %s more", diag.Thousands(n))
	}
}

// imports shows the name of every import, a row for each module: these are what the module may ask the host for.
func (t *table) imports(list []inspect.Extern) {
	if len(list) == 0 {
		t.row("imports", "none")
	}
	key := "imports"
	for _, from := range xslices.Unique(xslices.Map(list, func(e inspect.Extern) string { return e.Module })) {
		names := []string{diag.Fit(from, 60) + ":"}
		for _, e := range list {
			if e.Module == from {
				names = append(names, strings.TrimPrefix(e.Kind+" ", "function ")+diag.Fit(e.Name, 60))
			}
		}
		t.row(key, strings.Join(xslices.Unique(names), " "))
		key = ""
	}
}

func memoryWords(m *inspect.Memory) string {
	words := diag.Count(int(m.MinPages), "page") + " of 64 KiB to begin with"
	switch {
	case !m.Grows:
		words += ", and no more"
	case m.MaxPages != nil:
		words += fmt.Sprintf(", at most %d", *m.MaxPages)
	default:
		words += ", and as many as the host allows"
	}
	return words
}

// nearWords are the limits that a module comes near, or the nearest one.
func nearWords(limits []inspect.Usage) []string {
	var out []string
	for i, l := range limits {
		if l.Near || i == 0 {
			words := fmt.Sprintf("%s %s of %s (%.0f%%)", l.Name, diag.Thousands(int(l.Value)), diag.Thousands(int(l.Limit)), l.Share*100)
			if !l.Near {
				words = "none is near; the nearest is " + words
			}
			out = append(out, words)
		}
	}
	return out
}
