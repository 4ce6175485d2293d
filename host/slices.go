package host

import (
	"fmt"
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// SliceRun returns the figures of the run in dir by the values of each field of
// its cases; see result.Slice. The run must keep the content of its cases, else
// the error has class fault.Usage.
func SliceRun(dir string, fields []string) ([]result.Slice, error) {
	run, err := runner.ReadRun(dir)
	if err != nil {
		return nil, err
	}
	p, err := planOf(run)
	if err != nil {
		return nil, err
	}
	if run.Dataset.NoContent {
		return nil, noContentFault(fields)
	}
	return sliceRun(dir, p, fields)
}

func noContentFault(fields []string) error {
	return fault.WithHint(fault.New(fault.Usage, "slice %s: the run keeps no content of its cases", fields[0]), "run it without "+fault.OptionNoContent)
}

func sliceRun(dir string, p *plan.Plan, fields []string) ([]result.Slice, error) {
	cases, err := runner.OpenCases(dir)
	if err != nil {
		return nil, err
	}
	defer cases.Close()
	rows, closeRows, err := ReadRows(dir)
	if err != nil {
		return nil, err
	}
	defer closeRows() //nolint:errcheck // it was only read
	s := result.NewSlicer(fields, summaryOptions(p))
	for row, err := range rows {
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

// sliceFields are the fields to slice by: those asked for, and those that gates
// are about.
func (o *EvaluateOptions) sliceFields() ([]string, error) {
	fields := slices.Clone(o.Slices)
	for i := range o.Gates {
		if f := o.Gates[i].SliceField(); f != "" {
			fields = append(fields, f)
		}
	}
	slices.Sort(fields)
	fields = slices.Compact(fields)
	switch {
	case len(fields) == 0:
		return nil, nil
	case o.NoContent:
		return nil, noContentFault(fields)
	case o.Runs == "":
		return nil, fault.New(fault.Usage, "slice %s: slices need a run directory", fields[0])
	}
	return fields, nil
}

// slice adds the slices to the summary of a run that has ended.
func (w *evaluating) slice(s *result.Summary) {
	if len(w.slices) == 0 {
		return
	}
	err := w.dir.Flush()
	if err == nil {
		s.Slices, err = sliceRun(w.dir.Path(), w.ev.Plan, w.slices)
	}
	if err != nil {
		s.Warnings = append(s.Warnings, fmt.Sprintf("no slices: %v", err))
		return
	}
	for i := range s.Slices {
		if v := s.Slices[i].Values; len(v) == 1 && v[0].Missing {
			s.Warnings = append(s.Warnings, fmt.Sprintf("no case has the field %q to slice by", s.Slices[i].Field))
		}
	}
}
