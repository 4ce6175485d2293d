package runner

import (
	"cmp"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// SlicesOf returns the figures of the run in dir by the values of each field of
// its cases; see result.Slice. The run must keep the content of its cases, else
// the error has class fault.Usage.
func SlicesOf(dir string, fields []string) ([]result.Slice, error) {
	run, p, err := ReadPlanned(dir)
	switch {
	case err != nil:
		return nil, err
	case run.Dataset.NoContent:
		return nil, NoSlices(fields)
	}
	return Slices(dir, p, fields)
}

// NoSlices is the error of slices by fields of a run that keeps no content.
func NoSlices(fields []string) error {
	return fault.WithHint(fault.New(fault.Usage, "slice %s: the run keeps no content of its cases", fields[0]), "run it without "+fault.OptionNoContent)
}

// Slices is SlicesOf for a run whose plan is known, such as one that is not finished.
func Slices(dir string, p *plan.Plan, fields []string) ([]result.Slice, error) {
	cases, err := OpenCases(dir)
	if err != nil {
		return nil, err
	}
	defer cases.Close()
	s := result.NewSlicer(fields, SummaryOptions(p))
	for row, err := range ReadRows(dir) {
		if err != nil {
			return nil, err
		}
		c, err := cases.Of(row)
		if err != nil {
			return nil, err
		}
		s.Add(row, c)
	}
	return s.Slices(), nil
}

// SumUp sums up the readable rows of a run directory, or of a file of rows. The error is that of the
// first row that cannot be read; a last row that was not written to its end does not count as one.
func SumUp(path string, o result.SummaryOptions) (*result.Summary, error) {
	s := result.NewSummarizer(o)
	var bad error
	for row, err := range ReadRows(path) {
		switch {
		case err == nil:
			s.Add(row)
		case !result.Ended(err):
			bad = cmp.Or(bad, err)
		}
	}
	return s.Summary(), bad
}

// SummaryOptions returns how the rows of a plan are summed up.
func SummaryOptions(p *plan.Plan) result.SummaryOptions {
	o := result.SummaryOptions{Rubric: p.Graders[0].Rubric, Repeats: p.Repeat, Rubrics: map[string]*rubric.Rubric{}, Unscored: p.Unscored, Samples: p.Samples, PassAt: p.Graders[0].Rubric.PassAt}
	for i := range p.Graders {
		o.Rubrics[p.Graders[i].Digest] = p.Graders[i].Rubric
	}
	return o
}
