package result_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	v2 "github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
)

func compile(t testing.TB, record string) *jsonschema.Schema {
	t.Helper()
	text, err := result.Schema(record)
	must(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	must(t, c.AddResource(record, bytes.NewReader(text)))
	s, err := c.Compile(record)
	must(t, err)
	return s
}

func decoded(t testing.TB, text []byte) map[string]any {
	t.Helper()
	var v map[string]any
	must(t, json.Unmarshal(text, &v))
	return v
}

// fullRun is a run that uses every field.
func fullRun() *result.Run {
	s := gated()
	digest := "sha256:" + strings.Repeat("ab", 32)
	s.Corpus[0].Digest, s.Corpus[0].Plugin, s.Corpus[0].Export, s.Corpus[0].Fuel, s.Corpus[0].Details = digest, "bleu", "bleu", 7, []byte(`{"bp":1}`)
	s.PassAtK = &result.PassAtK{Problems: 3, Samples: 4, Unscored: 1, Same: 1, At: []result.PassAt{
		{K: 1, Problems: 2, Short: 1, PassAt: new(0.5), PassHat: new(0.5), PassAtInterval: &result.Interval{Low: 0.1, High: 0.9, Confidence: 0.95, Method: stats.ByWilson}}, {K: 5, Short: 3}}}
	s.Audit = &result.Audit{Cases: 1, Right: result.Probed{N: 2, Right: 1, Rate: new(0.5)}, Probes: []result.Probed{{Probe: "empty", N: 1, Unscored: 1, Wrong: []string{"a~empty"}}}}
	g, _ := result.ParseGate("mean>=0.8")
	return &result.Run{
		Schema: 1, ID: "7f3c", Status: result.Finished, Started: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Finished: time.Date(2026, 1, 2, 3, 5, 0, 0, time.UTC),
		Command: []string{"rubric-host", "eval"}, Plan: []byte(`{"tasks":[]}`), PlanDigest: digest,
		Rubric:  result.Rubric{ID: "support", Name: "n", Version: "1", Dialect: "native", File: "f", Digest: digest},
		Rubrics: []result.Rubric{{ID: "x", Digest: digest}},
		Dataset: result.DatasetOf(dataset.Totals{Rows: 4, Cases: 4, Digest: digest, Sources: []dataset.Source{{Name: "a.jsonl", Format: "jsonl", Rows: 4, Bytes: 9, Digest: digest}}}, dataset.Selection{Match: "*", Tags: []string{"a"}, From: 1, To: 9, Sample: 4, Seed: 7, Shard: 1, Shards: 2}),
		Repeats: 2, Plugins: []result.Plugin{{Name: "bleu", Version: "1", Digest: digest, Source: "built-in", Wall: result.Worker, Exports: []string{"bleu"}, Grants: []string{"clock"}}},
		Judges:   []result.Judge{{Name: "mini", Model: "m", Prompts: map[string]string{"p": digest}, Settings: []byte(`{"temperature":0}`)}},
		Versions: result.Versions{RubricHost: "0.1.0", Go: "go1.26", Wazero: "1.12", FuelTable: "1"}, Seeds: map[string]uint64{"sample": 7},
		Environment: result.Environment{OS: "linux", Arch: "amd64", CPUs: 2}, Counts: s.Counts, Usage: s.Usage, Gates: []result.Outcome{g.Evaluate(s)}, Summary: s,
		Error: &result.Failure{Class: fault.Budget, Message: "m", Hint: "h"}, Exit: new(4),
	}
}

func TestSchema_RecordsSatisfyTheirs(t *testing.T) {
	var run bytes.Buffer
	must(t, result.WriteRun(&run, fullRun()))
	bare, err := v2.Marshal(&result.Run{Schema: 1, ID: "x", Status: result.Running, Rubric: result.Rubric{Digest: "sha256:" + strings.Repeat("0", 64)}})
	must(t, err)
	summary, err := v2.Marshal(gated())
	must(t, err)
	empty, err := v2.Marshal(summarize(result.SummaryOptions{}))
	must(t, err)
	for _, tt := range []struct {
		record string
		text   []byte
	}{{"run", run.Bytes()}, {"run", bare}, {"summary", summary}, {"summary", empty}, {"row", []byte(lines(t, supportRow("a", 0.9, true, false, 1, 0.4)))}, {"row", []byte(lines(t, unscoredRow("a", fault.Trap)))}} {
		schema := compile(t, tt.record)
		v := decoded(t, tt.text)
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v\n%s", tt.record, err, tt.text)
		}
		v["surprise"] = 1.0
		if err := schema.Validate(v); err == nil {
			t.Errorf("%s: an unknown member passes", tt.record)
		}
	}
	again, err := result.ReadRun(bytes.NewReader(run.Bytes()))
	must(t, err)
	var second bytes.Buffer
	if err := result.WriteRun(&second, again); err != nil || second.String() != run.String() {
		t.Errorf("a run changes when it is read and written: %v\n%s", err, cmp.Diff(run.String(), second.String()))
	}
}

func TestSchema_AnyRowSatisfiesIts(t *testing.T) {
	schema := compile(t, "row")
	rapid.Check(t, func(rt *rapid.T) {
		row := anyRow.Draw(rt, "row")
		sane(row)
		b, err := result.AppendRow(nil, row)
		if err != nil {
			rt.Fatal(err)
		}
		if err := schema.Validate(decoded(t, b)); err != nil {
			rt.Fatalf("%v\n%s", err, b)
		}
	})
}

// sane makes a row of the generator one that scoring could have made.
func sane(row *result.Row) {
	digest := "sha256:" + strings.Repeat("0", 64)
	row.CaseDigest, row.Rubric, row.Repeat = digest, "", max(1, row.Repeat)
	if row.Score == nil {
		row.Status, row.Passed = rubric.Unscored, nil
	}
	for c := range row.All() {
		c.Value = nil
		if c.Status == rubric.Scored {
			c.Value = new(0.5)
		}
		if c.Native != nil && *c.Native == (result.Native{}) {
			c.Native = nil
		}
	}
}

func TestSchema_HoldsRowsToTheirPromise(t *testing.T) {
	schema := compile(t, "row")
	for name, change := range map[string]func(v map[string]any){
		"an unscored row with a score":    func(v map[string]any) { v["status"] = "unscored"; v["passed"] = false },
		"a scored row without a score":    func(v map[string]any) { v["score"] = nil },
		"an unscored row that passed":     func(v map[string]any) { v["status"] = "unscored"; v["score"] = nil },
		"a criterion of no known status":  func(v map[string]any) { v["criteria"].([]any)[0].(map[string]any)["status"] = "done" },
		"a failed criterion with a value": func(v map[string]any) { v["criteria"].([]any)[0].(map[string]any)["status"] = "failed" },
		"a value above 1":                 func(v map[string]any) { v["criteria"].([]any)[1].(map[string]any)["value"] = 1.5 },
		"another schema version":          func(v map[string]any) { v["schema"] = 2.0 },
		"no criteria":                     func(v map[string]any) { delete(v, "criteria") },
	} {
		t.Run(name, func(t *testing.T) {
			v := decoded(t, []byte(lines(t, supportRow("a", 0.9, true, false, 1, 0.4))))
			must(t, schema.Validate(v))
			change(v)
			if schema.Validate(v) == nil {
				t.Error("it passes")
			}
		})
	}
}

// TestSchema_AgreesWithTheStructs walks over struct and schema side by side: the same
// members, those without omitzero required, and no others.
func TestSchema_AgreesWithTheStructs(t *testing.T) {
	for record, v := range map[string]any{"case": result.Case{}, "comparison": result.Comparison{}, "row": result.Row{}, "run": result.Run{}, "summary": result.Summary{}} {
		text, err := result.Schema(record)
		must(t, err)
		root := decoded(t, text)
		compareSchema(t, record, reflect.TypeOf(v), root, root)
	}
	if _, err := result.Schema("rows"); err == nil || !strings.Contains(err.Error(), "case comparison row run summary") {
		t.Errorf("unknown schema: %v", err)
	}
}

func compareSchema(t *testing.T, path string, typ reflect.Type, node, root map[string]any) {
	t.Helper()
	if ref, ok := node["$ref"].(string); ok {
		node = root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	if some, ok := node["anyOf"].([]any); ok {
		compareSchema(t, path, typ, some[0].(map[string]any), root)
		return
	}
	switch {
	case typ == reflect.TypeFor[time.Time]():
		return
	case typ.Kind() == reflect.Pointer:
		compareSchema(t, path, typ.Elem(), node, root)
		return
	case typ.Kind() == reflect.Slice && node["items"] != nil:
		compareSchema(t, path+"[]", typ.Elem(), node["items"].(map[string]any), root)
		return
	case typ.Kind() != reflect.Struct:
		return
	}
	members, required := []string{}, []string{}
	if typ == reflect.TypeFor[result.Usage]() {
		members = append(members, "cost_usd_at_least") // by its MarshalJSON, in place of cost_usd
	}
	properties := node["properties"].(map[string]any)
	for field := range typ.Fields() {
		name, opts, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		members = append(members, name)
		if !strings.Contains(opts, "omitzero") {
			required = append(required, name)
		}
		if child, ok := properties[name].(map[string]any); ok {
			compareSchema(t, path+"."+name, field.Type, child, root)
		}
	}
	var has, needs []string
	for name := range properties {
		has = append(has, name)
	}
	if list, ok := node["required"].([]any); ok {
		for _, name := range list {
			needs = append(needs, name.(string))
		}
	}
	for _, list := range [][]string{members, required, has, needs} {
		slices.Sort(list)
	}
	if !slices.Equal(members, has) || !slices.Equal(required, needs) || node["additionalProperties"] != false {
		t.Errorf("%s: schema has %v, requires %v; struct has %v, requires %v", path, has, needs, members, required)
	}
}

func TestStatusOf_EveryClass(t *testing.T) {
	for class, want := range map[fault.Class]result.RunStatus{
		fault.None: result.Finished, fault.Gate: result.Finished, fault.Unscored: result.StoppedEarly, fault.Budget: result.OverBudget, fault.Timeout: result.OutOfTime,
		fault.Interrupted: result.Interrupted, fault.Terminated: result.Interrupted, fault.JudgeAuth: result.FailedToScore,
	} {
		var err error
		if class != fault.None {
			err = fault.New(class, "x")
		}
		if got := result.StatusOf(err); got != want {
			t.Errorf("StatusOf(%s) = %s, want %s", class, got, want)
		}
	}
}

func TestReadRun_RefusesOtherFiles(t *testing.T) {
	for _, text := range []string{"", "[]", `{"id":"x"}`, `{"schema":9}`, `{"schema":1,"schema":1}`} {
		if _, err := result.ReadRun(strings.NewReader(text)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
