package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/feedback"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/runner"
)

// output is a report to write: its format and where it goes.
type output struct {
	format report.Format
	path   string // "-" for standard output
	flag   string // as typed: -o VALUE or --sarif FILE
}

const sarifUsage = "write the findings of code plugins as SARIF"

// outPaths are the values of -o, in the help of its commands.
const outPaths = "PATH.{html,md,csv,json,jsonl,xml,sarif}, FORMAT:PATH"

// inFile reports whether the value of -o names a file, and not standard output.
func inFile(out string) bool { return out != "" && out != "-" }

// A delivery says in the answer of a command where a document is.
type delivery struct {
	File   string `json:"file,omitzero"`   // that has it
	Output string `json:"output,omitzero"` // the document itself, if no file has it
}

// deliver writes a document to the file that -o names, else to standard output. With --json, and
// without a file, it is a part of the answer.
func (con *console) deliver(out string, text []byte) (delivery, error) {
	switch {
	case inFile(out):
		return delivery{File: out}, con.writeText(out, text)
	case con.json:
		return delivery{Output: string(text)}, nil
	}
	return delivery{}, con.writeText(out, text)
}

// parseOuts reads the values of -o and the file of --sarif, if any. It checks that every file can be written, so
// that a run is not paid for in vain, and that one report at most goes to standard output (--json: none).
func parseOuts(list []string, sarif string, json bool) ([]output, error) {
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
	seen, onStdout := map[string]bool{}, ""
	if json {
		onStdout = "--json"
	}
	for _, o := range outs {
		if o.path == "-" {
			if onStdout != "" {
				return nil, fault.WithHint(fault.New(fault.Usage, "%s: standard output is taken by %s", o.flag, onStdout), "give the report a file")
			}
			onStdout = o.flag
			continue
		}
		path, inPlace := placeOf(o.path)
		if seen[filepath.Clean(path)] && !inPlace {
			return nil, fault.WithHint(fault.New(fault.Usage, "%s: another report goes to the same file", o.flag), "give each report a file of its own")
		}
		seen[filepath.Clean(path)] = true
		if err := o.writable(); err != nil {
			return nil, err
		}
	}
	return outs, nil
}

// sources are the extensions of files that a report never replaces: no report has them, and rubrics,
// scripts, the modules that they import, manifests and configurations do.
var sources = []string{".yaml", ".yml", ".toml", ".py", ".js", ".mjs", ".cjs", ".wasm"}

// runFiles are the files in the directory of a run.
var runFiles = []string{runner.RunFile, runner.RowsFile, runner.CasesFile, runner.CallsFile, feedback.File}

// spare refuses reports in the place of a file that the command reads, by whatever name. Of a
// run, the file may be one of its dataset.
func spare(outs []output, reads ...string) error {
	var files []string
	for _, path := range reads {
		names := []string{path}
		if run, err := runner.ReadRun(path); path != "" && err == nil {
			names = append(append(names, run.Dataset.Paths...), run.Dataset.Outputs, run.Dataset.Problems)
		}
		for _, name := range names {
			found, _ := filepath.Glob(name) // a bad pattern is a name
			files = append(append(files, name), found...)
		}
	}
	for _, o := range outs {
		place, err := os.Stat(o.path)
		if o.path == "-" || err != nil || !place.Mode().IsRegular() {
			continue
		}
		for _, path := range files {
			if read, err := os.Stat(path); err == nil && os.SameFile(place, read) {
				return fault.WithHint(fault.New(fault.Usage, "%s: the command reads this file, as %s", o.flag, diag.Plain(path)), "name another file for the report")
			}
		}
	}
	return nil
}

// filesOf returns the files that a rubric is read from: its own and those of schemas.
func filesOf(doc *dialect.Document) []string {
	files := []string{doc.File}
	for _, r := range doc.Rubrics {
		for i := range r.Criteria {
			if s := r.Criteria[i].Scorer.Schema; s != nil && s.Ref != "" {
				files = append(files, filepath.Join(filepath.Dir(doc.File), filepath.FromSlash(s.Ref)))
			}
		}
	}
	return files
}

// writable checks that a report can be written, by creating a file beside it. Opening what
// is not a regular file could wait, or end its reader.
func (o output) writable() error {
	path, inPlace := placeOf(o.path)
	if inPlace {
		if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeSocket != 0 {
			return fault.WithHint(fault.New(fault.Usage, "%s: it is a socket", o.flag), "name a file")
		}
		return nil
	}
	dir := filepath.Dir(path)
	if slices.Contains(runFiles, filepath.Base(path)) && exists(filepath.Join(dir, runner.RunFile)) {
		return fault.WithHint(fault.New(fault.Usage, "%s: the file belongs to the run in %s", o.flag, dir), "name another file for the report")
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fault.WithHint(fault.New(fault.Usage, "%s: it is a directory", o.flag), "name a file in it")
	} else if err == nil && slices.Contains(sources, strings.ToLower(filepath.Ext(o.path))) {
		return fault.WithHint(fault.New(fault.Usage, "%s: the file exists and is not a report", o.flag), "name another file: a report replaces neither rubrics, plugins nor configurations")
	}
	tmp, err := os.CreateTemp(dir, ".report-*")
	if err != nil {
		return fault.WithHint(fault.New(fault.Usage, "%s: cannot write to the directory %s: %w", o.flag, dir, reason(err)), "create it, check its permissions, or name another place")
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}

// reason returns an error of the file system without the path in it.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// parseOut reads FORMAT:PATH, a path whose extension names the format, or a format alone.
func parseOut(s string) (output, error) {
	name, path, prefixed := strings.Cut(s, ":")
	f, err := report.ParseFormat(name)
	switch byPath, ok := report.FormatOf(s); {
	case prefixed && err == nil && path == "":
		return output{}, fault.WithHint(fault.New(fault.Usage, "-o %q: missing file name", s), "write %s:FILE, or %[1]s:- for standard output", name)
	case prefixed && err == nil:
	case prefixed && formatLike(name):
		return output{}, unknownReport(s)
	case ok:
		f, path = byPath, s
	case !prefixed && err == nil:
		path = "-"
	default:
		return output{}, unknownReport(s)
	}
	if filepath.Clean(path) == "/dev/stdout" { // as a program that writes to it would, a closed pipe included
		path = "-"
	}
	return output{f, path, "-o " + s}, nil
}

// formatLike reports whether the text before a colon looks like a format, and no part of a path.
func formatLike(name string) bool {
	return len(name) > 1 && !strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
}

func unknownReport(s string) error {
	unknown := fmt.Sprintf("extension %q", filepath.Ext(s))
	if name, _, ok := strings.Cut(s, ":"); ok || filepath.Ext(s) == "" {
		unknown = fmt.Sprintf("format %q", name)
	}
	return fault.WithHint(fault.New(fault.Usage, "-o %q: unknown report %s", s, unknown),
		"use .html, .md, .csv, .json, .jsonl, .xml or .sarif, or write FORMAT:PATH with one of %s", strings.Join(texts(report.Formats()), ", "))
}

// onStdout reports whether one of the reports goes to standard output.
func onStdout(outs []output) bool {
	return slices.ContainsFunc(outs, func(o output) bool { return o.path == "-" })
}

// withStdout adds a report for standard output, if none goes there.
func (con *console) withStdout(outs []output) []output {
	switch {
	case onStdout(outs):
		return outs
	case con.json:
		return append(outs, output{format: report.JSON, path: "-"})
	}
	return append(outs, output{format: report.Text, path: "-"})
}

func (con *console) writeReport(o output, d report.Doc, content bool) error {
	return con.writeOut(o, func(w *bufio.Writer, opts report.Options) error {
		opts.Content = content
		return report.Write(w, o.format, d, opts)
	})
}

// writeOut writes a report, to a file as putFile does.
func (con *console) writeOut(o output, write func(*bufio.Writer, report.Options) error) error {
	if o.path == "-" {
		w := bufio.NewWriter(con.out)
		return errors.Join(write(w, con.shown()), w.Flush())
	}
	var problem error // of the report, not of the file
	err := putFile(o.path, 0o644, func(f *os.File) error {
		w := bufio.NewWriterSize(f, 1<<16)
		problem = write(w, report.Options{})
		if err := w.Flush(); err != nil {
			problem = nil
			return err
		}
		return problem
	})
	switch {
	case problem != nil:
		return fmt.Errorf("%s: %w", o.path, problem)
	case err != nil:
		return fault.New(fault.Storage, "%s: %w", o.flag, reason(err))
	}
	if info, err := os.Stat(o.path); err == nil && o.format == report.HTML && info.Size() > largePage {
		con.say("warning: %s has %d MB: browsers may open it slowly", o.path, info.Size()>>20)
	}
	return nil
}

// putFile writes a file as a whole, beside its place first: an earlier file stays until then. Modes and links
// stay. What is not a regular file is written into. A besideError: no file can be created there.
func putFile(path string, mode os.FileMode, write func(*os.File) error) error {
	path, inPlace := placeOf(path)
	info, err := os.Stat(path)
	if inPlace {
		flags := os.O_WRONLY | os.O_TRUNC
		if err != nil { // Linux refuses O_CREATE for others' pipes in /tmp
			flags |= os.O_CREATE
		}
		f, err := os.OpenFile(path, flags, mode)
		if err != nil {
			return &besideError{err}
		}
		return errors.Join(write(f), f.Close())
	}
	if err == nil && info.IsDir() {
		return &besideError{errors.New("it is a directory")}
	}
	tmp, problem := file.CreateTemp(filepath.Dir(path), ".rubric-host-*", mode)
	if problem != nil {
		return &besideError{problem}
	}
	defer os.Remove(tmp.Name()) // it is gone if all went well
	if err == nil {
		problem = tmp.Chmod(info.Mode().Perm())
	}
	if err := errors.Join(problem, write(tmp), tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// A besideError says that a file cannot be created or opened.
type besideError struct{ error }

func (e *besideError) Unwrap() error { return e.error }

// placeOf follows links to the place of a file. inPlace: it cannot be replaced there, but only
// written into, as devices, named pipes, open files such as /dev/fd/3, and links to nothing.
func placeOf(path string) (place string, inPlace bool) {
	clean := filepath.Clean(path)
	if strings.HasPrefix(clean, "/dev/fd/") || strings.HasPrefix(clean, "/proc/self/fd/") || clean == "/dev/stdout" || clean == "/dev/stderr" {
		return path, true
	}
	info, err := os.Stat(path)
	if err != nil {
		link, err := os.Lstat(path)
		return path, err == nil && link.Mode()&fs.ModeSymlink != 0
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return path, true
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return path, false
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
