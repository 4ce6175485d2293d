package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/plugins"
)

func doctorCommand(p *program) *cobra.Command {
	f := &evaluatorFlags{}
	cmd := unconfigured(&cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and report problems",
		Long: "Check the installation and report problems: versions, cache, configuration, judges\n" +
			"and their keys, one call of every plugin. Nothing is sent anywhere. Exit 0, or 3 if a check fails.",
		Example: "rubric-host doctor\nrubric-host doctor --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), p, f) },
	})
	f.bind(p, cmd)
	f.bindLimits(cmd)
	return cmd
}

// finding is one line of the doctor.
type finding struct {
	Status  string `json:"status"` // ok, warn or fail
	Check   string `json:"check"`
	Message string `json:"message"`
	Advice  string `json:"advice,omitzero"`
}

// A checklist collects findings.
type checklist []finding

func (c *checklist) ok(check, format string, args ...any) {
	*c = append(*c, finding{"ok", check, fmt.Sprintf(format, args...), ""})
}

func (c *checklist) warn(check, advice, format string, args ...any) {
	*c = append(*c, finding{"warn", check, worded(fmt.Sprintf(format, args...)), worded(advice)})
}

func (c *checklist) fail(check, advice, format string, args ...any) {
	*c = append(*c, finding{"fail", check, worded(fmt.Sprintf(format, args...)), worded(advice)})
}

func (c *checklist) failed() int {
	return xslices.Count(*c, func(f finding) bool { return f.Status == "fail" })
}

func runDoctor(ctx context.Context, p *program, f *evaluatorFlags) error {
	c := &checklist{}
	c.program()
	if f.noCache {
		c.cache("")
	} else {
		c.cache(cmp.Or(f.cacheDir, compiledCache()))
	}
	c.configuration(p.settings)
	c.judges(p.settings)
	c.plugins(ctx, p, f)
	if err := tellFindings(p.console, c); err != nil {
		return err
	}
	if n := c.failed(); n > 0 {
		p.told = true // each line says it
		return fault.New(fault.Load, "%s failed", diag.Count(n, "check"))
	}
	return nil
}

func tellFindings(con *console, c *checklist) error {
	if con.json {
		facts := versionFacts()
		facts["ok"], facts["checks"] = c.failed() == 0, c
		return con.printJSON(facts)
	}
	list := con.page()
	for _, f := range *c {
		if con.quiet && f.Status == "ok" {
			continue
		}
		list.row(f.Status, f.Check, f.Message)
		if f.Advice != "" {
			list.row("", "", "-> "+f.Advice)
		}
	}
	return list.Flush()
}

func (c *checklist) program() {
	v := result.CurrentVersions("")
	c.ok("program", "rubric-host %s, %s, wazero %s, fuel table %s", v.RubricHost, v.Go, v.Wazero, v.FuelTable)
	system := runtime.GOOS + "/" + runtime.GOARCH
	if release, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		system += " " + strings.TrimSpace(string(release))
	}
	cpus := fmt.Sprintf("%s, %d of them used", diag.Count(runtime.NumCPU(), "processor"), runtime.GOMAXPROCS(0))
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		c.warn("system", "use amd64 or arm64 for speed", "%s, %s: plugins are interpreted, a factor of thirty slower, with the same numbers", system, cpus)
		return
	}
	c.ok("system", "%s, %s", system, cpus)
}

// cache looks at the directory of compiled plugins.
func (c *checklist) cache(dir string) {
	if dir == "" {
		c.warn("cache", "give one with --cache-dir", "none: every command compiles plugins again")
		return
	}
	if _, err := private.UserKey(); err != nil {
		c.warn("cache", "correct it, or name another place with XDG_STATE_HOME", "nothing is kept: %v", err)
		return
	}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.ok("cache", "%s: does not exist yet", dir)
	case err != nil:
		c.fail("cache", "use another one with --cache-dir", "%v", err)
	case !info.IsDir():
		c.fail("cache", "remove it, or use another one with --cache-dir", "%s is not a directory", dir)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		c.fail("cache", "chmod 700 "+diag.Shell(dir), "%s has mode %#o: other users can change the code that is run from it", dir, info.Mode().Perm())
	default:
		c.ok("cache", "%s: mode %#o", dir, info.Mode().Perm())
	}
}

// configuration looks at the file and the variables.
func (c *checklist) configuration(s *settings) {
	list := s.problems()
	if s.problem != nil && len(list) == 0 {
		c.fail("config", fault.Hint(s.problem), "%v", s.problem)
		return
	}
	for _, d := range list.Errors() {
		c.fail("config", cmp.Or(d.Hint, "rubric-host config verify shows the place"), "%s: %s", d.Pos, d.Message)
	}
	for _, d := range list.Warnings() {
		if d.Code != "key-unset" { // said of the judge
			c.warn("config", d.Hint, "%s: %s", d.Pos, d.Message)
		}
	}
	switch {
	case s.file == "":
		c.ok("config", "no %s here or above", configName)
	case len(list.Errors()) == 0:
		c.ok("config", "%s: %s", s.file, diag.Count(len(s.values), "setting"))
	}
}

// judges looks at the named judges, and at the default one. One whose configuration names the variable of the key
// needs a key wherever its endpoint is.
func (c *checklist) judges(s *settings) {
	names := slices.Sorted(maps.Keys(s.judges))
	if os.Getenv(defaultKeyEnv) != "" || os.Getenv("OPENAI_BASE_URL") != "" {
		names = append(names, "openai:MODEL")
	} else if len(names) == 0 {
		c.ok("judge", "none; plugins and schemas need none, and --replay answers from a recording")
	}
	for _, name := range names {
		named := cmp.Or(s.judges[name], &namedJudge{keyEnv: defaultKeyEnv})
		if named.needs != "" { // said of the file
			continue
		}
		j, err := s.judge(name)
		if err != nil {
			c.fail("judge", fault.Hint(err), "%s: %v", name, err)
			continue
		}
		at := name + " at " + withoutUser(cmp.Or(strings.TrimRight(j.Endpoint.BaseURL, "/"), llm.DefaultBaseURL))
		switch {
		case j.Endpoint.Key != "":
			c.ok("judge", "%s, key in %s (not contacted)", at, named.keyEnv)
		case j.Endpoint.BaseURL == "" || named.keyNamed:
			c.fail("judge", "set the key: export "+named.keyEnv+"=...", "%s, %s is not set", at, named.keyEnv)
		default:
			c.ok("judge", "%s, %s is not set (not contacted)", at, named.keyEnv)
		}
	}
}

// plugins loads every plugin, and calls its default scorer once.
func (c *checklist) plugins(ctx context.Context, p *program, f *evaluatorFlags) {
	catalog, err := plugins.Catalog(p.dirs...)
	if err != nil {
		c.fail("plugins", fault.Hint(err), "%v", err)
		p.dirs = nil
		catalog, _ = plugins.Catalog() // the built-in plugins alone cannot fail
	}
	for _, b := range catalog.Broken() {
		c.fail("plugin", fault.Hint(b.Err), "%s: %s: %v", b.Name, b.Source, b.Err)
	}
	ev, err := p.evaluator(ctx, f, nil, nil)
	if err != nil {
		c.fail("plugins", fault.Hint(err), "%v", err)
		return
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	c.memory(ev.Memory())
	c.workers(ctx, ev)
	for _, pl := range catalog.Plugins() {
		c.plugin(ctx, ev, pl)
	}
}

// memory says how calls are undone, and why not in a better way.
func (c *checklist) memory(found []image.Finding) {
	way, missing := image.Copy, ""
	for _, f := range found {
		if f.Err != nil {
			missing += fmt.Sprintf("; %s: %v", f.Way, f.Err)
		} else if way == image.Copy && slices.Contains([]image.Way{image.Scan, image.Pagemap, image.Drop}, f.Way) {
			way = f.Way
		}
	}
	if way == image.Scan || way == image.Pagemap {
		c.ok("memory", "written pages are found by %s, and put back%s", way, missing)
		return
	}
	c.warn("memory", "it is slower, with the same answers", "memories are put back whole, by %s%s", way, missing)
}

// workers reports how the processes of plugins are confined.
func (c *checklist) workers(ctx context.Context, ev *host.Evaluator) {
	list, err := ev.Isolation(ctx)
	switch {
	case err != nil:
		c.fail("worker", "run plugins without one with --isolate=never", "%v", err)
	case list == nil:
		c.warn("worker", "--isolate=auto isolates them", "no plugin has a process of its own")
	}
	for _, f := range list {
		if f.Why != "" {
			c.warn("worker", "plugins have what else is said here, and their sandbox", "%s is not given up: %s", f.Name, f.Why)
			continue
		}
		c.ok("worker", "%s: %s", f.Name, f.Note)
	}
}

// smoke is a case that any metric can look at.
const smoke = `{"id": "smoke", "input": "Where is the cat?", "output": "The cat sat on the mat.", "references": ["The cat sat on the mat."]}`

// largeModule is the size in bytes of a built-in module that doctor does not load: those
// with grammars take up to a second each to compile.
const largeModule = 1 << 20

func (c *checklist) plugin(ctx context.Context, ev *host.Evaluator, pl *plugin.Plugin) {
	name := strings.TrimSpace(pl.Manifest.Name + " " + pl.Manifest.Version)
	if pl.Source == plugin.Builtin && len(pl.Module()) > largeModule {
		c.ok("plugin", "%s has its digest, %s; not loaded: compiling it takes a while", name, digest.Short(pl.Digest))
		return
	}
	if how := missingRuntime(pl.Manifest.Language()); how != "" && pl.Source == plugin.Builtin {
		c.warn("plugin", how, "%s needs the runtime %s, which is not installed", name, pl.Manifest.Language())
		return
	}
	start := time.Now()
	called, err := ev.Call(ctx, host.Call{Plugin: pl.Manifest.Name})
	if err != nil {
		c.fail("plugin", fault.Hint(err), "%s: %v", name, err)
		return
	}
	place := digest.Short(pl.Digest)
	if pl.Source != plugin.Builtin {
		place += " " + pl.Source
	}
	example, err := dataset.FromJSON([]byte(smoke), diag.Pos{File: "smoke"})
	if err != nil {
		c.fail("plugin", "", "%s: %v", name, err)
		return
	}
	v := called.Score(ctx, example)
	took := time.Since(start).Round(time.Millisecond)
	if v.Status == rubric.Failed && v.Class != fault.PluginError && pl.Manifest.Kind != metric.KindCheck { // it may need levels, another case or a configuration
		c.fail("plugin", cmp.Or(v.Hint, v.Class.Advice()), "%s: %s (%s)", name, v.Message, v.Class)
		return
	}
	c.ok("plugin", "%s loads and answers in %s, %s", name, took, place)
}
