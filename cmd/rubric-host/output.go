package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
)

// output is one -o: a format and where it goes.
type output struct {
	format report.Format
	path   string // "-" for standard output
}

// parseOuts reads -o values: PATH.ext, FORMAT:PATH, FORMAT:- or gh.
func parseOuts(list []string) ([]output, error) {
	var outs []output
	for _, s := range list {
		o, err := parseOut(s)
		if err != nil {
			return nil, err
		}
		outs = append(outs, o)
	}
	return outs, nil
}

func parseOut(s string) (output, error) {
	if name, path, ok := strings.Cut(s, ":"); ok {
		if f, err := report.ParseFormat(name); err == nil {
			if path == "" {
				return output{}, fault.WithHint(fault.New(fault.Usage, "-o %q names no file", s), "such as %s:- for standard output", name)
			}
			return output{f, path}, nil
		}
	}
	if f, ok := report.FormatOf(s); ok {
		return output{f, s}, nil
	}
	if f, err := report.ParseFormat(s); err == nil {
		return output{f, "-"}, nil
	}
	names := make([]string, 0, len(report.Formats()))
	for _, f := range report.Formats() {
		names = append(names, string(f))
	}
	return output{}, fault.WithHint(fault.New(fault.Usage, "-o %q: no format has this extension", s),
		"write FORMAT:PATH with one of %s", strings.Join(names, ", "))
}

// writeReport writes one report. A file is written beside its place and then
// moved there, so that a half-written one is never taken for a report.
func (p *program) writeReport(o output, d report.Doc, content bool) error {
	if o.path == "-" {
		w := bufio.NewWriter(p.out)
		return errors.Join(report.Write(w, o.format, d, report.Options{Width: width(p.out), Content: content}), w.Flush())
	}
	tmp, err := os.CreateTemp(dirOf(o.path), ".report-*")
	if err != nil {
		return fault.New(fault.Usage, "-o %s: %w", o.path, err)
	}
	defer os.Remove(tmp.Name())
	w := bufio.NewWriterSize(tmp, 1<<16)
	err = report.Write(w, o.format, d, report.Options{Content: content})
	if err := errors.Join(w.Flush(), tmp.Chmod(0o644), tmp.Close(), os.Rename(tmp.Name(), o.path)); err != nil {
		return fault.New(fault.Usage, "-o %s: %w", o.path, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	return nil
}

func dirOf(path string) string {
	if i := strings.LastIndexByte(path, os.PathSeparator); i >= 0 {
		return path[:i+1]
	}
	return "."
}
