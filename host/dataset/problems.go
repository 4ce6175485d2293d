package dataset

import (
	"errors"
	"fmt"
	"io"

	"github.com/rubric-host/rubric-host/host/fault"
)

// joinProblems returns the sources to read: if the first row of those given is
// an answer without its problem, they become the outputs of the file of problems.
func (o *Options) joinProblems(preset *Preset, sources []source) ([]source, error) {
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
func (s *source) holdsProblem(o Options, preset *Preset) (bool, error) {
	rows, open, problem := s.begin(o)
	if problem != nil {
		return false, errors.New(problem.Message)
	}
	defer func() { _ = open.close() }() // it was only read
	var raw rawRow
	if !rows.next(&raw) || raw.bad != nil {
		return false, io.ErrUnexpectedEOF
	}
	fields := raw.fields
	if raw.json != nil {
		parsed, bad := parse(append([]byte(nil), raw.json...), raw.pos)
		if bad != nil {
			return false, bad.Err()
		}
		fields = parsed
	}
	mapped := builder{maps: o.Map, mapped: make([]bool, len(o.Map))}
	fields, _ = mapped.remap(fields)
	return preset.isProblem(fields), nil
}
