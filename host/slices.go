package host

import (
	"fmt"
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

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
		return nil, runner.NoSlices(fields)
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
		s.Slices, err = runner.Slices(w.dir.Path(), w.ev.Plan, w.slices)
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
