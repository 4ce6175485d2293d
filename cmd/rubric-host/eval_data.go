package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// dataFlags say which cases are evaluated.
type dataFlags struct {
	data     []string
	format   string
	mapping  []string
	outputs  string
	preset   string
	problems string
	audit    bool
	limit    string
	sample   limitFlag[int]
	seed     uint64
	ids      string
	tags     []string
	shard    string
	failed   string
}

func (f *dataFlags) bind(p *program, cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringArrayVarP(&f.data, "data", "d", nil, "dataset file or glob, or - for standard input (repeats)")
	s.StringVar(&f.outputs, "outputs", "", "file with the outputs, joined by case id")
	s.StringVar(&f.preset, "preset", "", "form of the rows, such as humaneval or promptfoo (help samples)")
	s.StringVar(&f.problems, "problems", "", "file with the preset's problems, for data that holds answers only (default: the rubric's)")
	s.BoolVar(&f.audit, "audit", false, "test the grader: the references must pass; empty, copied, mutated and cheating answers must not")
	s.StringArrayVar(&f.mapping, "map", nil, "read a field from another path: output=response.text (repeats)")
	s.StringVar(&f.format, "format", "", "dataset format: "+strings.Join(texts(dataset.Formats()), ", ")+" (default: detected)")
	s.StringVar(&f.limit, "limit", "", "only the first N cases, or cases A:B")
	s.Var(&f.sample, "sample", "only this many cases, chosen at random")
	s.Uint64Var(&f.seed, "seed", 0, "random seed for --sample")
	s.StringVar(&f.ids, "id", "", "only cases whose id matches, such as 'q-*'")
	s.StringArrayVar(&f.tags, "tag", nil, "cases with this tag or field, key=value (repeats)")
	s.StringVar(&f.shard, "shard", "", "run shard I of N, written I/N")
	s.StringVar(&f.failed, "failed", "", "only cases that did not pass in this run")
	advanced(cmd, "problems", "audit", "format", "sample", "seed", "tag", "shard", "failed")
	choices(cmd, "format", dataset.Formats()...)
	choices(cmd, "preset", dataset.Presets()...)
	completes(cmd, "failed", p.complete.compared)
}

func (f *dataFlags) options(p *program) (o dataset.Options, err error) {
	o = dataset.Options{Paths: f.data, Stdin: p.in, Format: dataset.Format(f.format), Preset: f.preset, Problems: f.problems, Audit: f.audit}
	for _, m := range f.mapping {
		mapping, err := dataset.ParseMap(m)
		if err != nil {
			return o, err
		}
		o.Map = append(o.Map, mapping)
	}
	if f.outputs != "" {
		if o.Outputs, err = dataset.OpenOutputs(f.outputs, f.preset); err != nil {
			return o, err
		}
	}
	o.Select, err = f.selection(p)
	return o, err
}

func (f *dataFlags) selection(p *program) (s dataset.Selection, err error) {
	s = dataset.Selection{Match: f.ids, Tags: f.tags, Sample: f.sample.n, Seed: f.seed}
	if f.limit != "" {
		if s.From, s.To, err = dataset.ParseLimit(f.limit); err != nil {
			return s, err
		}
	}
	if f.shard != "" {
		if s.Shard, s.Shards, err = dataset.ParseShard(f.shard); err != nil {
			return s, err
		}
	}
	if f.failed != "" {
		if f.failed, err = p.finished(p.runs, f.failed); err != nil {
			return s, err
		}
		if s.IDs, err = result.Failing(runner.ReadRows(f.failed)); err != nil {
			return s, err
		}
	}
	return s, nil
}
