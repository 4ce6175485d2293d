package result_test

import (
	"fmt"
	"strings"
	"testing"

	v2 "github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

func labelled(t *testing.T, id, fields string) *dataset.Case {
	t.Helper()
	c, err := dataset.FromJSON([]byte(`{"id":"`+id+`","output":"o"`+fields+`}`), diag.Pos{})
	must(t, err)
	return c
}

// sliced is a run of four cases, three of which have a category.
func sliced(t *testing.T) *result.Summary {
	t.Helper()
	o := result.SummaryOptions{Rubric: support()}
	rows := []*result.Row{supportRow("a", 0.9, true, false, 1, 0.4), supportRow("b", 0.5, true, false, 0, 0.2), unscoredRow("c", fault.Trap), supportRow("d", 0.2, false, true, 0, 0)}
	s := result.NewSlicer([]string{"category", "tags"}, o)
	for i, fields := range []string{`,"category":"geo","tags":"x,y"`, `,"metadata":{"category":"geo"},"tags":"x"`, `,"category":"it's) odd"`, ``} {
		s.Add(rows[i], labelled(t, rows[i].Case, fields))
	}
	sum := summarize(o, rows...)
	sum.Slices = s.Slices()
	return sum
}

func TestSummarizer_Slices(t *testing.T) {
	sum := sliced(t)
	var got []string
	for _, s := range sum.Slices {
		for _, v := range s.Values {
			mean := "-"
			if v.Total.Mean != nil {
				mean = fmt.Sprintf("%.2f", *v.Total.Mean)
			}
			got = append(got, fmt.Sprintf("%s=%s missing=%v rows=%d unscored=%d mean=%s criteria=%d", s.Field, v.Value, v.Missing, v.Counts.Rows, v.Counts.Unscored, mean, len(v.Criteria)))
		}
	}
	want := []string{
		"category=geo missing=false rows=2 unscored=0 mean=0.70 criteria=4", "category=it's) odd missing=false rows=1 unscored=1 mean=- criteria=2", "category= missing=true rows=1 unscored=0 mean=0.20 criteria=4",
		"tags=x missing=false rows=2 unscored=0 mean=0.70 criteria=4", "tags=y missing=false rows=1 unscored=0 mean=0.90 criteria=4", "tags= missing=true rows=2 unscored=1 mean=0.20 criteria=4",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	text, err := v2.Marshal(sum)
	must(t, err)
	if err := compile(t, "summary").Validate(decoded(t, text)); err != nil {
		t.Error(err)
	}
}

func TestSummarizer_BoundsSlices(t *testing.T) {
	s := result.NewSlicer([]string{"n"}, result.SummaryOptions{})
	for i := range 250 {
		s.Add(supportRow(fmt.Sprint(i), 0.5, true, false, 1, 1), labelled(t, fmt.Sprint(i), fmt.Sprintf(`,"n":%d`, i)))
	}
	values := s.Slices()[0].Values
	if last := values[len(values)-1]; len(values) != result.MaxSliceValues+1 || last.Others != 150 || last.Counts.Rows != 150 {
		t.Errorf("%d values, the last %+v", len(values), last)
	}
}

func TestGates_OnSlices(t *testing.T) {
	sum := sliced(t)
	for expr, want := range map[string]bool{
		"slice(category=geo).mean>=0.7": true, "slice(category=geo).mean>0.7": false, "slice(category=geo)>=0.7": true, "slice(category = geo) mean >= 0.7": true,
		"slice(category=geo).unscored==0": true, "slice(category=geo).cases==2": true,
		`slice("category=it's) odd").unscored==100%`: true, `slice("category=it's) odd").mean>=0`: false, "slice(category=none).mean>=0": false,
		"slice(tags=x).criterion(accurate).mean>=1": true, "slice(tags=x).criterion(accurate)>=1": true, "slice(nothing=x).mean>=0": false,
	} {
		g, err := result.ParseGate(expr)
		if err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		if o := g.Evaluate(sum); o.Passed != want || g.SliceField() == "" {
			t.Errorf("%s: %+v", expr, o)
		}
		if err := g.Check(result.NamesOf(support())); err != nil {
			t.Errorf("%s: %v", expr, err)
		}
	}
	for expr, want := range map[string]string{
		"slice(category)>=1": "a field and a value", "slice(=geo)>=1": "a field and a value", "slice(a=b).meen>=1": `unknown figure "meen"`,
		"slice(a=b).corpus(x)>=1": "no corpus score", "slice(a=b": "not closed", "slice(a=b).slice(c=d).mean>=1": "unknown function",
	} {
		if _, err := result.ParseGate(expr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", expr, err)
		}
	}
	g, err := result.ParseGate("slice(a=b).regressions==0")
	must(t, err)
	if err := g.Check(result.Names{Baseline: true}); err == nil || !strings.Contains(err.Error(), "a slice has no regressions") {
		t.Errorf("%v", err)
	}
}
