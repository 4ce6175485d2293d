package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metarubric"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

type gradeFlags struct {
	evaluatorFlags
	judgeFlags
	gradingFlags
	input   string
	emit    string
	timeout limitFlag[time.Duration]
}

func gradeCommand(p *program) *cobra.Command {
	f := &gradeFlags{}
	cmd := &cobra.Command{
		Use:   "grade RUBRIC [field=value...]",
		Short: "Grade one output and explain the verdict",
		Long:  "Grade one output with a rubric and explain the verdict.",
		Example: `rubric-host grade rubric.yaml --input case.json
rubric-host grade rubric.yaml output='The answer is 42.' references='["42"]'
my-model | rubric-host grade rubric.yaml --input - --judge openai:gpt-5-mini`,
		Args: args("RUBRIC", "[field=value...]"), ValidArgsFunction: p.complete.graded,
		RunE: func(cmd *cobra.Command, a []string) error { return runGrade(p, cmd, f, a[0], a[1:]) },
	}
	cmd.Flags().StringVarP(&f.input, "input", "i", "", "file with the case: a JSON object, or the output as text (- for standard input)")
	f.judgeFlags.bind(p, cmd)
	f.gradingFlags.bind(p, cmd)
	f.evaluatorFlags.bind(p, cmd)
	f.bindLimits(cmd)
	f.bindCache(cmd)
	cmd.Flags().StringVar(&f.emit, "emit", "", "print the result as JSON in the shape of this dialect's own system")
	choices(cmd, "emit", report.Shapes()...)
	cmd.Flags().Var(&f.timeout, "timeout", "time limit, such as 30s")
	return cmd
}

func runGrade(p *program, cmd *cobra.Command, f *gradeFlags, path string, pairs []string) error {
	ctx := cmd.Context()
	doc, err := p.load(path, f.dialect)
	if err != nil {
		return err
	}
	o, err := f.gradingFlags.options(p)
	if err != nil {
		return err
	}
	fields, err := p.caseFields(f.input, pairs)
	if err != nil {
		return err
	}
	ev, err := p.judging(ctx, &f.evaluatorFlags, &f.judgeFlags)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	plan, err := ev.Plan(doc, o)
	if err != nil {
		return p.located(err, doc, f.verdicts)
	}
	p.tellNearMisses(pairs, plan)
	if !checksRubrics(plan) {
		for _, r := range dataset.Rivals(fields) {
			p.say("warning: the case has %q and another %q: %q counts as %s", r.First, r.Next, r.First, r.Role)
		}
	}
	c, err := gradedCase(doc, plan, o, f, fields)
	if err != nil {
		return err
	}
	row, err := ev.GradeWith(ctx, plan, c, host.GradeOptions{PlanOptions: o, Timeout: f.timeout.n})
	if err != nil {
		return err
	}
	return printGrade(p, f, plan.Grader(c.Rubric).Rubric, row)
}

// gradedCase makes the case: the fields of the input, over those of its case in
// the eval file.
func gradedCase(doc *dialect.Document, plan *plan.Plan, o host.PlanOptions, f *gradeFlags, fields []dataset.Field) (*dataset.Case, error) {
	name := cmp.Or(f.input, "arguments")
	key := ""
	if len(doc.Cases) > 0 {
		of, digest, err := o.EvalCase(doc, plan, textField(fields, dataset.FieldID))
		if err != nil {
			return nil, err
		}
		own, err := dataset.Fields(slices.Clone(of.Fields), diag.Pos{File: doc.File, Line: of.Line})
		if err != nil {
			return nil, err
		}
		for _, field := range fields {
			own = dataset.Set(own, field.Name, field.Value)
		}
		fields, key = own, digest
	}
	if checksRubrics(plan) {
		var err error
		if fields, err = rubricFields(fields); err != nil {
			return nil, err
		}
	}
	c, err := dataset.FromFields(fields, diag.Pos{File: name})
	if err != nil {
		return nil, err
	}
	if !c.HasOutput && o.Given == nil {
		return nil, fault.WithHint(fault.New(fault.Invalid, "%s: no output to grade", name), `give one with output='...', or in the field "output" of --input`)
	}
	if key != plan.Graders[0].Digest { // as eval has it: a recording of one serves the other
		c.Rubric = key
	}
	return c, nil
}

func checksRubrics(p *plan.Plan) bool {
	return len(p.Graders) > 0 && !p.Some(func(t *plan.Task) bool { return t.Kind != metric.KindCheck })
}

// rubricFields makes the input the output: a rubric document of any dialect, or an
// object that is nearly one, as text or as the case itself.
func rubricFields(fields []dataset.Field) ([]dataset.Field, error) {
	members := make(map[string]jsontext.Value, len(fields))
	for _, f := range fields {
		members[f.Name] = f.Value
	}
	output, given := members[dataset.FieldOutput]
	if !given {
		var err error
		if output, err = json.Marshal(members, json.Deterministic(true)); err != nil {
			return nil, err
		}
	}
	src := []byte(output)
	if output.Kind() == '"' {
		src = []byte(textField(fields, dataset.FieldOutput))
	}
	if doc, err := host.Parse("input", src); err == nil && doc.Rubric != nil {
		if output, err = metarubric.Object(doc.Rubric); err != nil {
			return nil, err
		}
	}
	if given {
		return dataset.Set(fields, dataset.FieldOutput, output), nil
	}
	return []dataset.Field{{Name: dataset.FieldOutput, Value: output}}, nil // its other members are not a case's
}

// textField returns a field that is text, else the empty string.
func textField(fields []dataset.Field, name string) string {
	for _, f := range fields {
		var s string
		if f.Name == name && json.Unmarshal(f.Value, &s) == nil {
			return s
		}
	}
	return ""
}

func printGrade(p *program, f *gradeFlags, r *rubric.Rubric, row *result.Row) error {
	wordRow(row)
	switch {
	case f.emit != "":
		shape, err := report.Shape(f.emit, r, row, &result.Run{Started: time.Now(), By: p.whoever()})
		if err != nil {
			return err
		}
		if err := p.printJSON(shape); err != nil {
			return err
		}
		if err = gradeOutcome(p.console, row); err != nil && !row.Fails() {
			p.tellError(err) // the shape has no place for a reason
		}
		p.told = true
		return err
	case p.json:
		if err := p.printJSON(row); err != nil {
			return err
		}
	default:
		if f.feedback == "" {
			row.Feedback = "" // for scripts
		}
		if err := report.Explain(p.out, row, r, p.shown()); err != nil {
			return err
		}
	}
	return gradeOutcome(p.console, row)
}

// gradeOutcome is the error that decides the exit code of a graded case.
func gradeOutcome(con *console, row *result.Row) error {
	var err error
	switch {
	case row.Score == nil:
		err = fault.WithHint(fault.New(fault.Unscored, "the case has no score: %s", row.Reason), "%s", cmp.Or(firstHint(row), "look at why its criteria have no score"))
	case row.Fails():
		con.told = true // the result says it
		return fault.New(fault.Gate, "the output did not pass")
	}
	con.told = con.json // the object says why
	return err
}

// firstHint returns the advice of the first failed criterion.
func firstHint(row *result.Row) string {
	for c := range row.All() {
		if e := c.Error; e != nil {
			return cmp.Or(e.Hint, e.Class.Advice())
		}
	}
	return ""
}
