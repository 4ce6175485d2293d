package plan

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/schema"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Options say how rubrics become a plan. The zero value binds to no plugin and
// no judge.
type Options struct {
	Catalog *plugin.Catalog

	// BaseDir is the directory that relative plugin and schema paths of a
	// rubric start from; empty: the working directory. Schemas outside of it are refused.
	BaseDir string

	// Alone says that the user wrote neither the rubric nor its criterion: messages name neither. The plan has
	// the rubric's digest only if the criterion has levels.
	Alone bool

	// Allow holds the grants of plugins, by their names.
	Allow map[string][]grant.Grant

	// Native lists plugin names that the caller scores with code of its own, and
	// PLUGIN:EXPORT for one of their functions.
	Native []string

	// Aggregates lists the names of the functions written in Go that rubrics may
	// combine criteria with, as go:NAME.
	Aggregates []string

	Embeddings *Embeddings // nil: metrics are given those that cases have

	Judge    *Judge          // nil: no judge; a criterion that needs one is a problem
	Strategy rubric.Strategy // overrides the rubric's; empty: the rubric's own
	Batch    int             // criteria per call of rubric.Batch; 0: the rubric's, else all
	Unscored score.Unscored
	Repeat   int
	Samples  bool
	Fuel     Fuel
	Feedback Feedback

	// Verdicts is the digest of a file of given verdicts. With one, a criterion
	// whose scorer is missing is planned all the same: its verdict may be given.
	Verdicts string
}

// Build binds the criteria of rubrics, the first one being that of every case
// which names none. Everything that cannot be bound is reported at once, as a
// fault of class Invalid or NotFound.
func Build(rubrics []*rubric.Rubric, o Options) (*Plan, error) {
	b := builder{o: o, plan: &Plan{
		Schema: SchemaVersion, Plugins: []Plugin{}, Judge: o.Judge, Embeddings: o.Embeddings, Unscored: o.Unscored,
		Repeat: max(1, o.Repeat), Samples: o.Samples || o.Repeat > 1, Fuel: o.Fuel, Verdicts: o.Verdicts, Feedback: o.Feedback,
	}, pinned: map[string]bool{}, graders: map[string]bool{}}
	if o.Repeat > MaxRepeat {
		return nil, fault.New(fault.Usage, "%d gradings of a case are more than %d", o.Repeat, MaxRepeat)
	}
	b.plan.Unscored = cmp.Or(b.plan.Unscored, score.Null)
	for _, r := range rubrics {
		b.add(r)
		b.plan.Samples = b.plan.Samples || len(r.PassAt) > 0
	}
	b.unused()
	if !b.plan.Judged() {
		b.plan.Judge = nil
	}
	if !b.plan.Some(func(t *Task) bool { return len(t.Embeds) > 0 }) {
		b.plan.Embeddings = nil
	}
	if err := b.err(); err != nil {
		return nil, err
	}
	return b.plan, nil
}

type builder struct {
	o        Options
	plan     *Plan
	pinned   map[string]bool // digests in plan.Plugins
	graders  map[string]bool // digests in plan.Graders
	configs  Configs
	problems []error
}

func (b *builder) fail(err error) { b.problems = append(b.problems, err) }

// err joins the errors, each once.
func (b *builder) err() error {
	lines := xslices.Unique(xslices.Map(b.problems, func(p error) string {
		if h := fault.Hint(p); h != "" {
			return p.Error() + "\n\thint: " + h
		}
		return p.Error()
	}))
	switch len(lines) {
	case 0:
		return nil
	case 1:
		return b.problems[0]
	}
	return fault.New(fault.Of(b.problems[0]), "%s", strings.Join(lines, "\n"))
}

func (b *builder) problem(r *rubric.Rubric, p rubric.Problem) {
	b.fail(fault.WithHint(fault.New(fault.Invalid, "rubric %q: %s: %s", r.ID, p.Path, p.Message), "%s", p.Hint))
}

// add plans the grader of r, once per digest.
func (b *builder) add(r *rubric.Rubric) {
	for _, p := range rubric.Check(r) {
		b.problem(r, p)
	}
	s := Grader{Rubric: r}
	if !b.o.Alone || len(r.Leaves()[0].Answer.Levels) > 0 {
		if _, err := json.Marshal(r); err != nil { // a rubric made in Go may hold anything
			b.fail(fault.New(fault.Invalid, "rubric %q is not JSON: %w", r.ID, err))
			return
		}
		s.Digest = r.Digest()
	}
	if b.graders[s.Digest] {
		return
	}
	b.graders[s.Digest] = true
	for _, name := range r.GoAggregates() {
		if !slices.Contains(b.o.Aggregates, name) {
			b.fail(fault.WithHint(fault.New(fault.NotFound, "rubric %q: its scores are not re-derived: the aggregate go:%s is Go code that this program does not have", r.ID, name),
				"use the program that has it in host.Options.Aggregates"))
		}
		b.pin(Plugin{Name: "go:" + name, Digest: AggregateDigest(name), Source: "go"})
	}
	var judged []*rubric.Criterion
	for _, c := range r.Leaves() {
		switch c.Scorer.WayOrJudge() {
		case rubric.ByMetric:
			s.Tasks = append(s.Tasks, b.metric(r, c))
		case rubric.BySchema:
			s.Tasks = append(s.Tasks, b.schema(r, c))
		default:
			judged = append(judged, c)
		}
	}
	s.Tasks = append(s.Tasks, b.judged(r, judged)...)
	b.plan.Graders = append(b.plan.Graders, s)
}

// AggregateDigest stands for the digest of a function written in Go that combines
// criteria: its code is unknown.
func AggregateDigest(name string) string { return "go-aggregate:" + name }

// judged groups the criteria that a judge answers by the strategy.
func (b *builder) judged(r *rubric.Rubric, list []*rubric.Criterion) []Task {
	if len(list) == 0 {
		return nil
	}
	if b.o.Judge == nil && b.o.Verdicts == "" {
		some := fault.First(3, xslices.Map(list, func(c *rubric.Criterion) string { return c.ID }), ", ")
		b.fail(fault.WithHint(
			fault.New(fault.Usage, "rubric %q needs a judge for %d of its criteria (%s), and none is given", r.ID, len(list), some),
			"name one with "+fault.OptionJudge+", answer from a recording with "+fault.OptionReplay+", or give verdicts with "+fault.OptionGiven))
	}
	strategy, size := b.strategy(r)
	task := func(ids ...string) Task { return Task{Way: rubric.ByJudge, Strategy: strategy, Criteria: ids} }
	if strategy == rubric.Holistic {
		for _, p := range rubric.CheckHolistic(r) {
			b.problem(r, p)
		}
		return []Task{task(rubric.Overall)}
	}
	var tasks []Task
	var together []string
	flush := func() {
		if len(together) > 0 {
			tasks = append(tasks, task(together...))
			together = nil
		}
	}
	for _, c := range list {
		if strategy != rubric.Batch || c.Scorer.Prompt != nil {
			tasks = append(tasks, task(c.ID))
			continue
		}
		if together = append(together, c.ID); len(together) == size {
			flush()
		}
	}
	flush()
	return tasks
}

// strategy returns how the judge is asked, and how many criteria a call holds;
// 0: all.
func (b *builder) strategy(r *rubric.Rubric) (rubric.Strategy, int) {
	size := b.o.Batch
	if size == 0 && b.o.Strategy == "" {
		size = r.Judge.Batch
	}
	return cmp.Or(b.o.Strategy, r.Strategy()), size
}

// kindCheck is the contract kind of plugins that check rubrics. A function of a
// dataknobs document says scorer, and may be one of them.
const kindCheck = "check"

func (b *builder) metric(r *rubric.Rubric, c *rubric.Criterion) Task {
	m := c.Scorer.Metric
	t := Task{Way: rubric.ByMetric, Criteria: []string{c.ID}}
	if m == nil {
		return t
	}
	t.References, t.Args = m.References, m.Args
	for _, name := range []string{m.Plugin + ":" + m.Export, m.Plugin} {
		if slices.Contains(b.o.Native, name) {
			t.Plugin, t.Export, t.Kind, t.Range = "go:"+name, m.Export, m.Kind, [2]float64{0, 1}
			t.Config = b.encode(r, c, m.Config)
			b.pin(Plugin{Name: name, Digest: t.Plugin, Source: "go"})
			return t
		}
	}
	s, err := b.find(m)
	if err != nil {
		if b.o.Verdicts == "" {
			b.fail(fmt.Errorf("%s%w", b.where(r, c), err))
		}
		t.Export = m.Plugin // named in the failure of a case without a given verdict
		return t
	}
	t.Plugin, t.Export, t.Kind, t.Inputs, t.Range, t.Corpus = s.Plugin.Digest, s.Export, s.Kind, s.Inputs, s.Range, s.Corpus
	switch {
	case s.Kind == kindCheck && m.Kind == "judge":
		b.fail(fault.WithHint(fault.New(fault.Invalid, "%splugin %s checks rubrics, and is not a judge", b.where(r, c), s.Plugin.Manifest.Name), "remove the kind"))
	case m.Kind != "" && s.Kind != kindCheck:
		t.Kind = m.Kind
	}
	t.Inputs, t.Embeds = s.InputsFor(t.Kind), s.Embeds
	config := maps.Clone(s.Config)
	maps.Copy(config, m.Config)
	t.Config = b.encode(r, c, config)
	if len(t.Args) > 0 {
		if err := takesArgs(s.Plugin); err != nil {
			b.fail(fmt.Errorf("%s%w", b.where(r, c), err))
		}
	}
	if t.Config != nil && (len(m.Config) > 0 || s.Plugin.Source != plugin.Builtin) { // the program has tested the defaults of its own plugins
		if err := b.configs.Check(&s, t.Config); err != nil {
			b.fail(fault.New(fault.Invalid, "%s%w", b.where(r, c), err))
		}
	}
	b.pin(b.pinOf(s.Plugin))
	return t
}

// takesArgs refuses command-line arguments for a script whose functions are
// called: they would reach nothing.
func takesArgs(p *plugin.Plugin) error {
	if !script.Is(p.Module()) {
		return nil
	}
	s, err := script.Read(p.Module())
	if err != nil || s.Program {
		return err
	}
	err = fault.New(fault.Invalid, "plugin %s: the function %s of %s takes no command-line arguments", p.Manifest.Name, s.Functions()[0], s.Entry)
	return fault.WithHint(err, "write them as settings (with: or config:), or make it a program: one that reads standard input, and has no such function")
}

// where says in a message which criterion it is about.
func (b *builder) where(r *rubric.Rubric, c *rubric.Criterion) string {
	if b.o.Alone {
		return ""
	}
	return fmt.Sprintf("rubric %q: criterion %q: ", r.ID, c.ID)
}

// find resolves a plugin reference: a path, or a name of the catalog.
func (b *builder) find(m *rubric.Metric) (plugin.Scorer, error) {
	if plugin.IsPath(m.Plugin) {
		path, function := plugin.SplitRef(m.Plugin)
		switch {
		case function == "":
			function = m.Export
		case m.Export != "" && m.Export != function:
			return plugin.Scorer{}, fault.WithHint(fault.New(fault.Invalid, "%s names the function %s, and the key export %s", m.Plugin, function, m.Export), "remove one of them")
		}
		p, err := plugin.ReadFile(b.path(path))
		if err != nil {
			return plugin.Scorer{}, err
		}
		return p.Scorer(function)
	}
	if b.o.Catalog == nil {
		return plugin.Scorer{}, fault.New(fault.NotFound, "no plugin %q: no catalog is loaded", m.Plugin)
	}
	s, err := b.o.Catalog.Find(m.Plugin, m.Export)
	if here := ported[m.Plugin]; here != "" && fault.Is(err, fault.NotFound) {
		return b.o.Catalog.Find(here, m.Export)
	}
	if strings.Contains(m.Plugin, "/") && fault.Is(err, fault.NotFound) {
		err = fault.WithHint(err, "write a path as ./%s", m.Plugin)
	}
	return s, err
}

// ported are the modules of scoring functions of dataknobs-bots itself, and the
// plugins that have functions of the same names.
var ported = map[string]string{"dataknobs_bots.rubrics.meta": "meta_rubric"}

func (b *builder) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(b.o.BaseDir, filepath.FromSlash(p))
}

func (b *builder) encode(r *rubric.Rubric, c *rubric.Criterion, config map[string]any) jsontext.Value {
	if config == nil {
		config = map[string]any{}
	}
	v, err := json.Marshal(config, json.Deterministic(true))
	if err != nil {
		b.fail(fault.New(fault.Invalid, "%sthe configuration is not JSON: %w", b.where(r, c), err))
		return nil
	}
	return v
}

// pin notes a plugin, once. Plugins are told apart by their bytes: two of the same
// are one, and cannot be allowed different things.
func (b *builder) pin(p Plugin) {
	if !b.pinned[p.Digest] {
		b.pinned[p.Digest] = true
		b.plan.Plugins = append(b.plan.Plugins, p)
		return
	}
	if first := b.plan.Plugin(p.Digest); !slices.Equal(first.Grants, p.Grants) {
		b.fail(fault.WithHint(fault.New(fault.Usage, "plugins %q and %q have the same bytes, and are allowed different things", first.Name, p.Name),
			"allow both the same, or remove one of the two"))
	}
}

// schema binds a criterion to its JSON Schema.
func (b *builder) schema(r *rubric.Rubric, c *rubric.Criterion) Task {
	t := Task{Way: rubric.BySchema, Criteria: []string{c.ID}}
	s := c.Scorer.Schema
	if s == nil {
		return t
	}
	doc := s.Inline
	if doc == nil && s.Ref != "" {
		var err error
		if doc, err = b.readSchema(s.Ref); err != nil {
			if b.o.Verdicts == "" {
				b.fail(fmt.Errorf("%s%w", b.where(r, c), err))
			}
			return t
		}
	}
	v, err := json.Marshal(doc, json.Deterministic(true))
	if err != nil {
		b.fail(fault.New(fault.Invalid, "criterion %q: its schema is not JSON: %w", c.ID, err))
		return t
	}
	t.JSONSchema, t.SchemaDigest = v, digest.Of(v)
	if _, err := schema.Compile(t.JSONSchema); err != nil {
		b.fail(fault.New(fault.Invalid, "%s%w", b.where(r, c), err))
	}
	return t
}

// readSchema reads a schema file, which must be in the directory of the rubric or below it, also
// when links are followed: the schema is copied into the run, and a rubric may be third-party.
func (b *builder) readSchema(ref string) (any, error) {
	dir := cmp.Or(b.o.BaseDir, ".")
	path := filepath.FromSlash(ref)
	if !filepath.IsLocal(path) {
		return nil, outside(ref)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.New(fault.NotFound, "its schema %s: %w", ref, err)
	}
	defer root.Close()
	info, err := root.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.NotFound, "its schema %s: no such file", ref)
	case escapes(err):
		return nil, outside(ref)
	case err != nil:
		return nil, fault.New(fault.Invalid, "its schema %s: %w", ref, err)
	case info.Size() > schema.MaxBytes || !info.Mode().IsRegular():
		return nil, fault.New(fault.Invalid, "its schema %s is not a regular file of at most %d bytes", ref, schema.MaxBytes)
	}
	text, err := root.ReadFile(path)
	if err != nil {
		return nil, fault.New(fault.Invalid, "its schema %s: %w", ref, err)
	}
	var doc any
	if err := json.Unmarshal(text, &doc, exactly(document.Exactly)); err != nil {
		return nil, fault.New(fault.Invalid, "its schema %s: %w", ref, err)
	}
	return doc, nil
}

func outside(ref string) error {
	return fault.WithHint(fault.New(fault.Invalid, "its schema %s is not a path within the rubric's directory", ref),
		"copy the file into the directory of the rubric, or write the schema into the rubric")
}

// escapes reports whether err is os.Root's, which has no name, for a link out of the root.
func escapes(err error) bool {
	p, ok := errors.AsType[*fs.PathError](err)
	return ok && p.Err.Error() == "path escapes from parent"
}
