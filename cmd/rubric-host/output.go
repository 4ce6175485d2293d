package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
)

// output is a report to write: its format and where it goes.
type output struct {
	format report.Format
	path   string // "-" for standard output
	flag   string // as typed: -o VALUE or --sarif FILE
}

// sarifUsage is the help of --sarif.
const sarifUsage = "write the findings of code plugins as SARIF"

// parseOuts reads the values of -o (PATH.ext, FORMAT:PATH, FORMAT:- or gh), and the file of
// --sarif unless it is empty. It checks that every file can be written, so that a run is not
// paid for in vain.
func parseOuts(list []string, sarif string) ([]output, error) {
	var outs []output
	for _, s := range list {
		o, err := parseOut(s)
		if err != nil {
			return nil, err
		}
		outs = append(outs, o)
	}
	if sarif != "" {
		outs = append(outs, output{report.SARIF, sarif, "--sarif " + sarif})
	}
	seen := map[string]bool{}
	for _, o := range outs {
		if o.path == "-" {
			continue
		}
		if seen[filepath.Clean(o.path)] {
			return nil, fault.WithHint(fault.New(fault.Usage, "%s: another report goes to the same file", o.flag), "give each report a file of its own")
		}
		seen[filepath.Clean(o.path)] = true
		if err := o.writable(); err != nil {
			return nil, err
		}
	}
	return outs, nil
}

// writable checks that a report can be written, by creating a file beside it.
func (o output) writable() error {
	dir := filepath.Dir(o.path)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.WithHint(fault.New(fault.Usage, "%s: the directory %s does not exist", o.flag, dir), "create it: mkdir -p %s", shellLine([]string{dir}))
	case err != nil:
		return fault.New(fault.Usage, "%s: %w", o.flag, err)
	case !info.IsDir():
		return fault.WithHint(fault.New(fault.Usage, "%s: %s is not a directory", o.flag, dir), "name another place")
	}
	if info, err := os.Stat(o.path); err == nil && info.IsDir() {
		return fault.WithHint(fault.New(fault.Usage, "%s: it is a directory", o.flag), "name a file in it")
	}
	tmp, err := os.CreateTemp(dir, ".report-*")
	if err != nil {
		return fault.WithHint(fault.New(fault.Usage, "%s: cannot write to the directory %s: %w", o.flag, dir, reason(err)), "check its permissions, or name another place")
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}

// reason returns an error of the file system without the path in it.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func parseOut(s string) (output, error) {
	if name, path, ok := strings.Cut(s, ":"); ok {
		if f, err := report.ParseFormat(name); err == nil {
			if path == "" {
				return output{}, fault.WithHint(fault.New(fault.Usage, "-o %q: missing file name", s), "write %s:FILE, or %[1]s:- for standard output", name)
			}
			return output{f, path, "-o " + s}, nil
		}
	}
	if f, ok := report.FormatOf(s); ok {
		return output{f, s, "-o " + s}, nil
	}
	if f, err := report.ParseFormat(s); err == nil {
		return output{f, "-", "-o " + s}, nil
	}
	names := make([]string, 0, len(report.Formats()))
	for _, f := range report.Formats() {
		names = append(names, string(f))
	}
	return output{}, fault.WithHint(fault.New(fault.Usage, "-o %q: unknown report extension %q", s, filepath.Ext(s)),
		"use .html, .md, .csv, .json, .jsonl, .xml or .sarif, or write FORMAT:PATH with one of %s", strings.Join(names, ", "))
}

// writeReport writes one report of a run.
func (con *console) writeReport(o output, d report.Doc, content bool) error {
	return con.writeOut(o, func(w *bufio.Writer, opts report.Options) error {
		opts.Content = content
		return report.Write(w, o.format, d, opts)
	})
}

// writeOut writes a report. A file is written beside its place and then moved
// there, so that a half-written one is never taken for a report.
func (con *console) writeOut(o output, write func(*bufio.Writer, report.Options) error) error {
	if o.path == "-" {
		w := bufio.NewWriter(con.out)
		return errors.Join(write(w, report.Options{Width: width(con.out)}), w.Flush())
	}
	tmp, err := os.CreateTemp(filepath.Dir(o.path), ".report-*")
	if err != nil {
		return fault.New(fault.Storage, "%s: %w", o.flag, reason(err))
	}
	defer os.Remove(tmp.Name())
	w := bufio.NewWriterSize(tmp, 1<<16)
	problem := write(w, report.Options{})
	if w.Flush() == nil && problem != nil { // not that of the file
		return errors.Join(fmt.Errorf("%s: %w", o.path, problem), tmp.Close())
	}
	if err := errors.Join(w.Flush(), tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err != nil {
		return fault.New(fault.Storage, "%s: %w", o.flag, reason(err))
	}
	if err := os.Rename(tmp.Name(), o.path); err != nil { // only now: an earlier report stays until then
		return fault.New(fault.Storage, "%s: %w", o.flag, reason(err))
	}
	if info, err := os.Stat(o.path); err == nil && o.format == report.HTML && info.Size() > largePage {
		con.say("warning: %s has %d MB: browsers may open it slowly", o.path, info.Size()>>20)
	}
	return nil
}

// wrote reports the file that a report was written to, unless err says that it was not, and returns err.
func (con *console) wrote(o output, err error) error {
	if err == nil && o.path != "-" {
		con.say("wrote %s", diag.Plain(o.path))
	}
	return err
}

// largePage is the size of an HTML report, in bytes, beyond which a warning says
// so. At 86 MB, with 100,000 rows, Chromium shows the list after two seconds.
const largePage = 100 << 20
