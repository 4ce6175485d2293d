package metarubric

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/rubric-host/rubric-host/host/amount" // less garbage collection
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// found returns the findings of a code, as the ids of their criteria.
func found(r *Review, code string) (list []string) {
	for _, f := range r.Findings {
		if f.Code == code {
			list = append(list, strings.Join(f.Criteria, "+"))
		}
	}
	slices.Sort(list)
	return list
}

func skipped(r *Review, check string) string {
	for _, n := range r.NotChecked {
		if strings.Contains(n.Check, check) {
			return n.Reason
		}
	}
	return ""
}

func TestMake_HasLintsWarningsAboutTexts(t *testing.T) {
	doc, r := parsed(t, `
rubric: r
criteria:
  - {id: a, judge: Every claim of the answer cites a source.}
  - {id: b, judge: every claim of the answer cites a source.}
  - {id: c, judge: Every claim of the answer cites a good source.}
  - {id: d, judge: The tone is not friendly at all to the reader of it.}
`)
	review := Make(&Input{Document: doc, Rubric: r})
	var got []string
	for _, f := range review.Findings {
		got = append(got, fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Code, f.Path))
	}
	if d := cmp.Diff([]string{"5:5 text-duplicate criteria[1]", "6:5 text-overlap criteria[2]"}, got); d != "" {
		t.Error(d)
	}
}

func TestMake_FindsWeightsWithoutEffect(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"the large ones decide", "pass: 0.5\ncriteria: [{id: a, judge: x, weight: 0.6}, {id: b, judge: y, weight: 0.3}, {id: c, judge: z, weight: 0.1}]", []string{"b", "c"}},
		{"each tips the scales", "pass: 0.7\ncriteria: [{id: a, judge: x, weight: 0.6}, {id: b, judge: y, weight: 0.3}, {id: c, judge: z, weight: 0.1}]", nil},
		{"sums in between do not exist", "pass: 0.55\ncriteria: [{id: a, judge: x, weight: 5}, {id: b, judge: y, weight: 5}, {id: c, judge: z, weight: 0.4}]", []string{"c"}},
		{"a band in between", "bands: {good: 0.8, fair: 0.55, poor: 0.02}\ncriteria: [{id: a, judge: x, weight: 5}, {id: b, judge: y, weight: 5}, {id: c, judge: z, weight: 0.4}]", nil},
		{"a value in between exists", "pass: 0.55\ncriteria: [{id: a, judge: x, weight: 5}, {id: b, judge: y, weight: 5, scale: {min: 0, max: 10}}, {id: c, judge: z, weight: 0.4}]", nil},
		{"weight 0", "pass: 0.5\ncriteria: [{id: a, judge: x}, {id: b, judge: y, weight: 0}]", []string{"b"}},
		{"a penalty that cannot fail anything", "pass: 0.4\ncriteria: [{id: a, judge: x, weight: 1}, {id: b, judge: y, weight: -0.5}]", []string{"b"}},
		{"a penalty that can", "pass: 0.6\ncriteria: [{id: a, judge: x, weight: 1}, {id: b, judge: y, weight: -0.5}]", nil},
		{"only penalties", "pass: 0.6\ncriteria: [{id: a, judge: x, weight: -3}, {id: b, judge: y, weight: -1}]", []string{"b"}},
		{"a member of a group", "pass: 0.5\ncriteria: [{id: a, judge: x, weight: 5}, {id: g, criteria: [{id: b, judge: y}, {id: c, judge: z}]}]", []string{"b", "c"}},
		{"the lowest decides", "aggregate: min\npass: 0.5\ncriteria: [{id: a, judge: x}, {id: b, judge: y, levels: [{id: l, score: 0.6}, {id: h, score: 1}]}]", []string{"b"}},
		{"every level is worth the same", "pass: 0.5\ncriteria: [{id: a, judge: x}, {id: b, judge: y, levels: [{id: l, score: 0.5}, {id: h, score: 0.5}]}]", []string{"b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, r := parsed(t, "rubric: r\n"+tt.src)
			review := Make(&Input{Document: doc, Rubric: r})
			if d := cmp.Diff(tt.want, found(review, "weight-without-effect")); d != "" {
				t.Errorf("%s%+v", d, review.NotChecked)
			}
		})
	}
}

// rowOf makes a row of values by criterion; NaN: failed.
func rowOf(n int, total float64, values map[string]float64) *result.Row {
	row := &result.Row{Schema: 1, Case: fmt.Sprint("case-", n), Status: rubric.Scored, Score: &total}
	for id, v := range values {
		c := result.Criterion{ID: id, Status: rubric.Scored, Value: &v}
		if math.IsNaN(v) {
			c.Status, c.Value = rubric.Failed, nil
		}
		row.Criteria = append(row.Criteria, c)
	}
	return row
}

const three = `
rubric: r
pass: 0.5
criteria:
  - {id: a, judge: The first thing.}
  - {id: b, judge: Something else here.}
  - {id: c, judge: And a third matter.}
`

// drawn fills a table with n rows: b equals a with noise, c is constant, and the
// length follows a.
func drawn(r *rubric.Rubric, n int, noise float64, failing bool) *Table {
	t := NewTable(r, "test")
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range n {
		a := float64(rng.IntN(2))
		b := a
		if rng.Float64() < noise {
			b = 1 - a
		}
		c := 1.0
		if failing && i%3 == 0 {
			c = math.NaN()
		}
		t.Add(rowOf(i, (a+b+1)/3, map[string]float64{"a": a, "b": b, "c": c}), 100+int(200*a)+rng.IntN(100))
	}
	return t
}

func TestMake_FindsThresholdsThatDecideNothing(t *testing.T) {
	for src, want := range map[string]string{
		"pass: 0.5\nscale: {min: 100000000000000000, max: 100000000000000064, discrete: true}\ncriteria: [{id: a, judge: x}]":           "", // n + 1 is n there
		"pass: 0.9\ncriteria: [{id: a, judge: x, levels: [{id: l, score: 0.1}, {id: h, score: 0.8}]}]":                                  "threshold-unreachable",
		"bands: {good: 0.9, fair: 0.5}\ncriteria: [{id: a, judge: x, levels: [{id: l, score: 0.1}, {id: h, score: 0.8}]}]":              "threshold-unreachable",
		"pass: 0.1\ncriteria: [{id: a, judge: x, levels: [{id: l, score: 0.1}, {id: h, score: 0.8}]}]":                                  "threshold-trivial",
		"pass: 0\ncriteria: [{id: a, judge: x}, {id: b, judge: y, weight: -1}]":                                                         "threshold-trivial",
		"pass: 0.6\naggregate: min\ncriteria: [{id: a, judge: x}, {id: b, judge: y, levels: [{id: l, score: 0}, {id: h, score: 0.5}]}]": "threshold-unreachable",
		"pass: 0.8\ncriteria: [{id: a, judge: x}, {id: b, judge: y, weight: -1}]":                                                       "",
	} {
		doc, r := parsed(t, "rubric: r\n"+src)
		var got []string
		for _, f := range Make(&Input{Document: doc, Rubric: r}).Findings {
			if !strings.HasPrefix(f.Code, "text-") {
				got = append(got, f.Code)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

func TestMake_SaysWhichWeightsItDoesNotTry(t *testing.T) {
	many := strings.Repeat("  - {id: c%d, judge: x}\n", 15)
	numbers := make([]any, 15)
	for i := range numbers {
		numbers[i] = i
	}
	for src, want := range map[string]string{
		"criteria: [{id: a, judge: x}]": "no pass rule",
		"pass: 0.5\ncriteria: [{id: a, judge: x}, {id: b, judge: y, scale: {min: 0, max: 10}}]": "more than 16384 combinations",
		"pass: 0.5\ncriteria:\n" + fmt.Sprintf(many, numbers...):                                "more than 16384 combinations",
		"pass: 0.5\naggregate: weighted_mean\ncriteria: [{id: a, judge: x, weight: 0}]":         "the weights give no score",
		"pass: 0.5\nlength_penalty: {}\ncriteria: [{id: a, judge: x}]":                          "does not depend on the answers alone",
	} {
		doc, r := parsed(t, "rubric: r\n"+src)
		review := Make(&Input{Document: doc, Rubric: r})
		if got := skipped(review, "weight-without-effect"); !strings.Contains(got, want) || found(review, "weight-without-effect") != nil {
			t.Errorf("%s: %q", src, got)
		}
	}
}

func TestMake_LooksAtTheVerdictsOfARun(t *testing.T) {
	doc, r := parsed(t, three)
	for _, failing := range []bool{false, true} {
		review := Make(&Input{Document: doc, Rubric: r, Run: drawn(r, 300, 0.02, failing)})
		if d := cmp.Diff([]string{"a+b"}, found(review, "verdict-overlap")); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"c"}, found(review, "verdict-constant")); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"", "a", "b"}, found(review, "length-bias")); d != "" {
			t.Error(d)
		}
		for _, f := range review.Findings {
			if f.Figure == nil || f.Figure.N < 200 || f.Figure.N > 300 || f.Figure.Low == nil || *f.Figure.Low > f.Figure.Value || *f.Figure.High < f.Figure.Value {
				t.Errorf("%+v %+v", f, f.Figure)
			}
		}
		if review.Run.Rows != 300 || review.Run.Scored != 300 || review.Run.Clusters != 300 {
			t.Errorf("%+v", review.Run)
		}
	}
	// Noise that a correlation of 0.8 does not outweigh, and too few rows, are not a finding.
	if review := Make(&Input{Document: doc, Rubric: r, Run: drawn(r, 300, 0.2, false)}); found(review, "verdict-overlap") != nil {
		t.Errorf("%+v", review.Findings)
	}
	review := Make(&Input{Document: doc, Rubric: r, Run: drawn(r, 20, 0, false)})
	if len(review.Findings) > 0 || !strings.Contains(skipped(review, "verdict-overlap"), "20 independent outputs") {
		t.Errorf("%+v %+v", review.Findings, review.NotChecked)
	}
}

// TestMake_CountsRepeatsOnce: 10 repeats of 20 cases are 20 outputs, not 200.
func TestMake_CountsRepeatsOnce(t *testing.T) {
	doc, r := parsed(t, three)
	table := NewTable(r, "test")
	for i := range 200 {
		table.Add(rowOf(i%20, 1, map[string]float64{"a": 1, "b": 1, "c": 1}), 5)
	}
	review := Make(&Input{Document: doc, Rubric: r, Run: table})
	if len(review.Findings) > 0 || review.Run.Clusters != 20 || skipped(review, "verdict-constant") == "" {
		t.Errorf("%+v %+v", review.Findings, review.Run)
	}
}

func TestMake_PerfectAgreementHasNoInterval(t *testing.T) {
	doc, r := parsed(t, three)
	review := Make(&Input{Document: doc, Rubric: r, Run: drawn(r, 100, 0, false)})
	for _, f := range review.Findings {
		if f.Code == "verdict-overlap" && (f.Figure.Value != 1 || f.Figure.Low != nil || f.Figure.Name != "spearman") {
			t.Errorf("%+v", f.Figure)
		}
	}
	if len(found(review, "verdict-overlap")) != 1 {
		t.Errorf("%+v", review.Findings)
	}
}

func TestMake_TellsGoodFromBad(t *testing.T) {
	doc, r := parsed(t, "rubric: r\npass: 0.5\ncriteria: [{id: a, judge: The first thing.}, {id: b, judge: Something else here., weight: -0.5}, {id: c, judge: And a third matter.}]")
	good, bad := NewTable(r, "good"), NewTable(r, "bad")
	for i := range 20 {
		good.Add(rowOf(i, 0.9, map[string]float64{"a": 1, "b": 1, "c": float64(i % 2)}), -1) // b is a penalty, met by good ones
		bad.Add(rowOf(i, 0.1, map[string]float64{"a": 0, "b": 0, "c": float64(i % 2)}), -1)
	}
	review := Make(&Input{Document: doc, Rubric: r, Good: good, Bad: bad})
	if d := cmp.Diff([]string{"b"}, found(review, "separation-inverted")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"c"}, found(review, "separation-none")); d != "" {
		t.Error(d)
	}
	review = Make(&Input{Document: doc, Rubric: r, Good: bad, Bad: good})
	if f := review.Findings[0]; f.Code != "separation-inverted" || f.Severity != diag.Error || f.Figure.Value != 0 {
		t.Errorf("%+v", f)
	}
	repeated, fewer := NewTable(r, "good"), NewTable(r, "bad")
	for i := range 30 { // outputs of six problems
		repeated.Add(rowOf(i%6, 0.9, map[string]float64{"a": 1}), -1)
		fewer.Add(rowOf(i%6, 0.1, map[string]float64{"a": 0}), -1)
	}
	review = Make(&Input{Document: doc, Rubric: r, Good: fewer, Bad: repeated})
	if f := review.Findings[0]; f.Code != "separation-inverted" || f.Figure.N != 12 || *f.Figure.High < 0.3 {
		t.Errorf("repeats are independent outputs: %+v", f.Figure)
	}
	few := NewTable(r, "few")
	few.Add(rowOf(1, 1, map[string]float64{"a": 1}), -1)
	review = Make(&Input{Document: doc, Rubric: r, Good: few, Bad: bad})
	if found(review, "separation-none") != nil || !strings.Contains(skipped(review, "separation"), "fewer than 5") {
		t.Errorf("%+v %+v", review.Findings, review.NotChecked)
	}
}

func TestMake_ReportsWhatAJudgeSays(t *testing.T) {
	doc, r := parsed(t, "rubric: r\npass: 0.9\ncriteria: [{id: a, judge: It is clear and complete.}, {id: b, judge: Is it short?}]")
	review := Make(&Input{Document: doc, Rubric: r})
	if d := cmp.Diff([]NotChecked{{"wording-double, wording-leading", "a judge decides this", NeedsJudge, nil}}, review.NotChecked[:1]); d != "" || len(review.Findings) > 0 {
		t.Error(d, review.Findings)
	}
	review = Make(&Input{Document: doc, Rubric: r, Asked: true, Wording: []Opinion{{ID: "a", Double: true, Why: "clear\x1b[31m and complete", Suggestion: "ask for one"}, {ID: "b"}}})
	if d := cmp.Diff([]string{"a"}, found(review, "wording-double")); d != "" || found(review, "wording-leading") != nil {
		t.Error(d)
	}
	if f := review.Findings[0]; strings.Contains(f.Message, "\x1b") || f.Hint != "ask for one" {
		t.Errorf("%+v", f)
	}
}

func TestOpinions_RefusesOtherForms(t *testing.T) {
	_, r := parsed(t, three)
	asked := Asked(r)[:2]
	entry := func(n int, more string) string {
		return fmt.Sprintf(`{"number":%d,"double_barrelled":false,"leading":false,"why":"","suggestion":""%s}`, n, more)
	}
	for object, want := range map[string]string{
		`{"criteria":[` + entry(1, "") + `,` + entry(2, "") + `]}`:                   "",
		`{"criteria":[` + entry(1, "") + `]}`:                                        "1 of 2 criteria have no entry",
		`{"criteria":[` + entry(1, "") + `,` + entry(1, "") + `]}`:                   "number 1 occurs twice",
		`{"criteria":[` + entry(3, "") + `]}`:                                        "no number from 1 to 2",
		`{"criteria":[{"number":1}]}`:                                                "lacks double_barrelled or leading",
		`{"criteria":[{"number":1,"double_barrelled":true,"leading":false}]}`:        "does not say why",
		`{"criteria":"none"}`:                                                        "not of the form",
		`{"criteria":[{"number":1.5}]}`:                                              "not of the form",
		`{}`:                                                                         "2 of 2 criteria have no entry",
		`{"criteria":[{"double_barrelled":true,"leading":true,"why":"it says so"}]}`: "no number from 1 to 2",
	} {
		list, problem := Opinions(asked, []byte(object))
		if want == "" && (problem != "" || len(list) != 2) || want != "" && (!strings.Contains(problem, want) || list != nil) {
			t.Errorf("%s: %q, %+v", object, problem, list)
		}
	}
}

// TestMake_OrderOfCriteriaChangesNothing: permuted criteria have the same findings, but for lint's of the later of two texts.
func TestMake_OrderOfCriteriaChangesNothing(t *testing.T) {
	words := []string{"clear", "short", "sources", "tone", "friendly", "complete", "facts", "numbers"}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "n")
		lines := make([]string, n)
		for i := range lines {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 6).Draw(t, "text"), " ")
			lines[i] = fmt.Sprintf("  - {id: c%d, judge: %s, weight: %d}\n", i, text, rapid.IntRange(1, 9).Draw(t, "weight"))
		}
		review := func(lines []string) []string {
			doc, err := dialect.Decode("r.yaml", []byte("rubric: r\npass: 0.6\ncriteria:\n"+strings.Join(lines, "")), dialect.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := doc.Rubric
			table := NewTable(r, "test")
			rng := rand.New(rand.NewPCG(1, 1))
			for k := range 60 {
				values := map[string]float64{}
				base := rng.IntN(2)
				for i := range n {
					values[fmt.Sprint("c", i)] = float64((base + i/3) % 2)
				}
				table.Add(rowOf(k, 0.5, values), k)
			}
			var list []string
			for _, f := range Make(&Input{Document: doc, Rubric: r, Run: table}).Findings {
				if strings.HasPrefix(f.Code, "text-") {
					continue
				}
				ids := slices.Clone(f.Criteria)
				slices.Sort(ids)
				list = append(list, fmt.Sprint(f.Severity, f.Code, ids, f.Figure))
			}
			slices.Sort(list)
			return list
		}
		if d := cmp.Diff(review(lines), review(rapid.Permutation(lines).Draw(t, "permuted"))); d != "" {
			t.Fatal(d)
		}
	})
}

// TestMake_StandsHostileRubrics: many criteria, equal ones, weights of any size.
func TestMake_StandsHostileRubrics(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	const criteria = 300 // more than mostColumns
	var rows []*result.Row
	for k := range 100 {
		values := map[string]float64{}
		for i := range criteria {
			values[fmt.Sprint("c", i)] = float64((i * k) % 2)
		}
		rows = append(rows, rowOf(k, 0.5, values))
	}
	for name, line := range map[string]func(i int) string{
		"identical":     func(int) string { return "judge: The answer is clear and cites its sources., weight: 1" },
		"all different": func(i int) string { return fmt.Sprintf("judge: a%d b%d c%d d%d e, weight: %d", i, i, i, i, i+1) },
		"odd weights": func(i int) string {
			return fmt.Sprintf("judge: x%d, weight: %g", i, math.Pow(1.4, float64(i-criteria/2)))
		},
		"huge weights": func(i int) string { return fmt.Sprintf("judge: x%d, weight: 1e300", i) },
		"control":      func(i int) string { return fmt.Sprintf(`judge: "\e[31m%d\x00", weight: -1`, i) },
		"tiny and large": func(i int) string {
			return fmt.Sprintf("judge: x%d, weight: %g", i, []float64{1e-300, 1e300, 5e-324}[i%3])
		},
	} {
		t.Run(name, func(t *testing.T) {
			var src strings.Builder
			src.WriteString("rubric: r\npass: 0.5\ncriteria:\n")
			for i := range criteria {
				fmt.Fprintf(&src, "  - {id: c%d, %s}\n", i, line(i))
			}
			doc, err := dialect.Decode("r.yaml", []byte(src.String()), dialect.Options{})
			if err != nil {
				t.Fatal(err)
			}
			table := NewTable(doc.Rubric, "test")
			for k, row := range rows {
				table.Add(row, k)
			}
			review := Make(&Input{Document: doc, Rubric: doc.Rubric, Run: table})
			if name == "identical" && len(review.Findings[0].Criteria) == 0 {
				t.Errorf("%+v", review.Findings[0])
			}
			codes := map[string]int{}
			for _, f := range review.Findings {
				if codes[f.Code]++; codes[f.Code] > maxOfCode {
					t.Fatalf("%d findings of %s", codes[f.Code], f.Code)
				}
				if strings.ContainsAny(f.Message, "\x1b\x00") {
					t.Fatalf("%q", f.Message)
				}
			}
		})
	}
}
