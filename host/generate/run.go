package generate

import (
	"bytes"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/feedback"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// FromRun returns the cases of a run directory, the first repeat of each, and the labels of its notes for
// criteria of r, nil if there are none. The warnings are of notes that cannot be used.
func FromRun(dir string, r *rubric.Rubric) (cases []*dataset.Case, labels *scorer.Given, warnings diag.List, err error) {
	kept, err := runner.OpenCases(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	defer kept.Close()
	byCase := map[string]*result.Row{}
	for row, err := range runner.ReadRows(dir) {
		if err != nil {
			return nil, nil, nil, err
		}
		if byCase[row.Case] != nil || row.Rubric != "" {
			continue
		}
		c, err := kept.Of(row)
		if err != nil {
			return nil, nil, nil, err
		}
		byCase[row.Case] = row
		if c != nil && c.HasOutput {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return nil, nil, nil, fault.New(fault.Empty, "%s keeps no outputs", dir)
	}
	labels, warnings, err = labelsOf(dir, r, byCase)
	return cases, labels, warnings, err
}

func labelsOf(dir string, r *rubric.Rubric, rows map[string]*result.Row) (*scorer.Given, diag.List, error) {
	notes, warnings, err := feedback.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	var lines bytes.Buffer
	for _, o := range feedback.Opinions(notes, "", func(n *feedback.Note) (*result.Row, *rubric.Rubric) { return rows[n.Case], r }) {
		line, ok := o.Line()
		if !ok {
			continue
		}
		b, err := json.Marshal(&line, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return nil, nil, err
		}
		lines.Write(append(b, '\n'))
	}
	if lines.Len() == 0 {
		return nil, warnings, nil
	}
	labels, more, err := scorer.ReadGiven(filepath.Join(dir, feedback.File), &lines)
	return labels, append(warnings, more...), err
}
