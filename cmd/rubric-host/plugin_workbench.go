package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/workbench"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/plugins"
)

func pluginTestCommand(p *program) *cobra.Command {
	var watch bool
	cmd := &cobra.Command{
		Use:   "test FILE|DIR|NAME",
		Short: "Run a plugin's tests",
		Long: "Run a plugin's test cases and compare the answers. The key cases of its manifest\n" +
			"names the file: a line is {\"name\", \"export\", \"case\", \"config\", \"expect\", \"tolerance\"}.\n" +
			"expect is a part of the answer, or {\"class\": \"fuel\"} for a call that must fail.",
		Example: "rubric-host plugin test bleu\nrubric-host plugin test ./my-plugin",
		Args:    args("FILE|DIR|NAME"), ValidArgsFunction: p.complete.plugins,
		RunE: func(cmd *cobra.Command, a []string) error {
			once := func(ctx context.Context) error {
				return onWorkbench(ctx, p, a[0], func(w *workbench.Workbench) error { return pluginTest(ctx, p, w) })
			}
			if watch {
				return watchFiles(cmd.Context(), p.console, a[0], once)
			}
			return once(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&watch, "watch", false, "run again whenever a file of the plugin is saved")
	bindPlugins(p, cmd)
	return cmd
}

func pluginCheckCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE|DIR|NAME",
		Short: "Run the conformance checks",
		Long: "Run the conformance checks: the same answer for the same call, in any order and\n" +
			"in both engines; an answer, or an error of its own, whatever the case and the configuration.",
		Example: "rubric-host plugin check ./my-plugin\nrubric-host plugin check rouge --json",
		Args:    args("FILE|DIR|NAME"), ValidArgsFunction: p.complete.plugins,
		RunE: func(cmd *cobra.Command, a []string) error {
			return onWorkbench(cmd.Context(), p, a[0], func(w *workbench.Workbench) error { return pluginCheck(cmd.Context(), p, w) })
		},
	}
	bindPlugins(p, cmd)
	return cmd
}

func pluginBenchCommand(p *program) *cobra.Command {
	var export string
	d := limitFlag[time.Duration]{2 * time.Second}
	cmd := &cobra.Command{
		Use:   "bench FILE|DIR|NAME",
		Short: "Benchmark a plugin",
		Long: "Benchmark a plugin on its own test cases: median and 99th percentile latency, host\n" +
			"overhead, throughput, fuel, memory, and the time to the first score.",
		Example: "rubric-host plugin bench bleu\nrubric-host plugin bench ./my-plugin --time 10s --json",
		Args:    args("FILE|DIR|NAME"), ValidArgsFunction: p.complete.plugins,
		RunE: func(cmd *cobra.Command, a []string) error {
			return onWorkbench(cmd.Context(), p, a[0], func(w *workbench.Workbench) error { return pluginBench(cmd.Context(), p, w, export, d.n) })
		},
	}
	cmd.Flags().Var(&d, "time", "duration of the benchmark")
	cmd.Flags().StringVar(&export, "export", "", "scorer of the plugin (default: the plugin's default)")
	bindPlugins(p, cmd)
	return cmd
}

// onWorkbench opens the plugin that a reference means, and does something with it.
func onWorkbench(ctx context.Context, p *program, ref string, do func(*workbench.Workbench) error) error {
	pl, err := p.findPlugin(ref)
	if err != nil {
		return err
	}
	name, text, err := pl.ReadCases()
	if err != nil {
		return err
	}
	cases, err := workbench.ReadCases(name, text)
	if err != nil {
		return err
	}
	there := xslices.Filter(dataOf(pl), func(d listedData) bool { return d.Installed })
	installed := xslices.Map(there, func(d listedData) string { return d.Name })
	data, err := dataFiles().Of(pl, installed)
	if err != nil {
		return err
	}
	p.tellUnsealed()
	w, err := workbench.Open(ctx, pl, cases, workbench.Options{CacheDir: p.compiledDir(), Interpreters: runtimes().Bytes, Data: data})
	if err != nil {
		return err
	}
	defer w.Close(context.WithoutCancel(ctx)) //nolint:errcheck // the process ends
	return do(w)
}

// findPlugin finds a plugin by its path, else in the catalog.
func (p *program) findPlugin(ref string) (*plugin.Plugin, error) {
	if file, _ := plugin.SplitRef(ref); exists(file) {
		return plugin.ReadFile(ref)
	}
	catalog, err := plugins.Catalog(p.dirs...)
	if err != nil {
		return nil, err
	}
	s, err := catalog.Find(ref, "")
	return s.Plugin, err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func pluginTest(ctx context.Context, p *program, w *workbench.Workbench) error {
	outcomes, err := w.Test(ctx)
	if err != nil {
		return err
	}
	failed := xslices.Count(outcomes, func(o workbench.Outcome) bool { return !o.Passed })
	if err := tellOutcomes(p.console, outcomes, failed); err != nil {
		return err
	}
	name := w.Plugin().Manifest.Name
	switch {
	case len(outcomes) == 0:
		return fault.WithHint(fault.New(fault.Empty, "plugin %s has no cases", name), "write some, and name the file with the key cases of plugin.yaml")
	case failed > 0:
		err := fault.New(fault.PluginError, "plugin %s: %d of %s not as expected", name, failed, diag.Count(len(outcomes), "answer"))
		return fault.WithHint(err, "correct the plugin, or its cases; --json shows the answers whole")
	}
	return nil
}

// tested is an outcome, for a script.
type tested struct {
	Name   string      `json:"name"`
	Export string      `json:"export,omitzero"`
	Passed bool        `json:"passed"`
	Why    string      `json:"why,omitzero"`
	Class  fault.Class `json:"class,omitzero"`
	Fuel   uint64      `json:"fuel"`
	Peer   uint64      `json:"peer_fuel,omitzero"`
}

func tellOutcomes(con *console, outcomes []workbench.Outcome, failed int) error {
	if con.json {
		list := xslices.Map(outcomes, func(o workbench.Outcome) tested {
			return tested{o.Case.Name, o.Case.Export, o.Passed, o.Why, o.Class, o.Fuel, o.PeerFuel}
		})
		return con.printOutcome(map[string]any{"cases": list, "passed": len(outcomes) - failed, "failed": failed}, nil)
	}
	for _, o := range outcomes {
		if !o.Passed {
			fmt.Fprintf(con.out, "FAIL  %s: %s\n", diag.Plain(o.Case.Name), diag.Plain(o.Why))
		}
	}
	if len(outcomes) > 0 && !con.quiet {
		fmt.Fprintf(con.out, "%s of %s as expected\n", diag.Thousands(len(outcomes)-failed), diag.Count(len(outcomes), "answer"))
	}
	return nil
}

func pluginCheck(ctx context.Context, p *program, w *workbench.Workbench) error {
	rules, err := w.Check(ctx)
	if err != nil {
		return err
	}
	broken := xslices.Count(rules, func(r workbench.Rule) bool { return !r.Passed })
	if p.json {
		err = p.printOutcome(map[string]any{"rules": rules, "passed": broken == 0}, nil)
	} else {
		err = tellRules(p.console, rules)
	}
	if err != nil {
		return err
	}
	if broken > 0 {
		return fault.WithHint(fault.New(fault.PluginError, "plugin %s: %s broken", w.Plugin().Manifest.Name, diag.Count(broken, "rule")),
			"sdk/ABI.md lists the rules for plugins")
	}
	return nil
}

func tellRules(con *console, rules []workbench.Rule) error {
	t := con.page()
	for _, r := range rules {
		mark, calls := "ok", ""
		if !r.Passed {
			mark = "FAIL"
		}
		if r.Calls > 0 {
			calls = diag.Count(r.Calls, "call")
		}
		t.row(mark, r.Name, calls, r.What)
	}
	for _, r := range rules {
		if r.Why != "" {
			t.row("")
			t.row(r.Name + ": " + r.Why)
		}
	}
	return t.Flush()
}

func pluginBench(ctx context.Context, p *program, w *workbench.Workbench, export string, d time.Duration) error {
	f, err := w.Measure(ctx, export, d)
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(f)
	}
	return tellFigures(p.console, w.Plugin(), f)
}

func tellFigures(con *console, pl *plugin.Plugin, f *workbench.Figures) error {
	fmt.Fprintf(con.out, "%s %s  %s  %s\n\n", diag.Plain(pl.Manifest.Name), diag.Plain(f.Export), pl.Digest, diag.Plain(pl.Source))
	t := con.table()
	t.line("call", "median %.1f µs, 99th percentile %.1f µs (%s)", f.P50, f.P99, diag.Count(f.Calls, "call"))
	t.line("overhead", "median %.1f µs of it: request, answer, restoring memory", f.Overhead)
	t.line("calls a second", "%s on one core, %s on %d", diag.Thousands(int(math.Round(f.PerSecond))), diag.Thousands(int(math.Round(f.AllCores))), f.Cores)
	t.line("fuel", "%s a call", diag.Thousands(int(f.Fuel)))
	if f.PeerFuel > 0 {
		t.line("peer fuel", "%s a call", diag.Thousands(int(f.PeerFuel)))
	}
	t.line("memory", "%s bytes", diag.Thousands(int(f.PeakMemory)))
	t.line("first score", "%.1f ms from the module, %.1f ms from the compile cache", f.FirstCold, f.FirstCached)
	return t.Flush()
}
