package main

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
)

// A console is what a command talks to: its streams, and how it is asked to print. It knows
// no settings and no commands.
type console struct {
	in       io.Reader
	out, err io.Writer

	stdin  []byte                 // a document that was read from standard input, for excerpts
	secret func(name string) bool // the file may hold secrets: no excerpts

	json    bool // --json
	quiet   bool
	verbose bool
	told    bool // the command has printed its error itself
}

// report prints an error for a person, and under --json for a script too.
func (con *console) report(err error) {
	if err == nil || con.told {
		return
	}
	con.tellError(err)
	if con.json {
		con.printJSON(map[string]any{"error": failureOf(err)}) //nolint:errcheck // it is told
	}
}

// tellError prints an error and how to mend it on standard error.
func (con *console) tellError(err error) {
	if list := diag.In(err); list != nil {
		con.diagnostics(list)
		return
	}
	fmt.Fprintf(con.err, "error: %s\n", diag.Indented(worded(err.Error())))
	if h := hintOf(err); h != "" {
		fmt.Fprintf(con.err, "hint: %s\n", diag.Indented(h))
	}
}

// diagnostics prints problems of files with the lines they concern.
func (con *console) diagnostics(list diag.List) {
	byFile := map[string]diag.List{}
	var order []string
	for _, d := range wordProblems(list) {
		if byFile[d.Pos.File] == nil {
			order = append(order, d.Pos.File)
		}
		byFile[d.Pos.File] = append(byFile[d.Pos.File], d)
	}
	for _, name := range order {
		var src []byte
		switch name {
		case "":
		case "-":
			src = con.stdin
		default:
			if !con.secret(name) {
				src, _ = file.Read(name, 16<<20) // without the text, only the excerpts are missing
			}
		}
		byFile[name].Write(con.err, src) //nolint:errcheck // the terminal is gone
	}
	if n, w := len(list.Errors()), len(list.Warnings()); n > 0 {
		fmt.Fprintf(con.err, "%s, %s\n", diag.Count(n, "error"), diag.Count(w, "warning"))
	}
}

// printJSON prints one JSON value for a script, a list that is nil as []. Terminal control
// characters are escaped.
func (con *console) printJSON(v any) error { return con.print(v, jsontext.WithIndent("  ")) }

// printOutcome prints one JSON value that has err too, and returns err.
func (con *console) printOutcome(v any, err error) error {
	if problem := con.printJSON(v); problem != nil {
		return problem
	}
	con.told = true
	return err
}

// answer prints what a command has done: a JSON value for a script, or a line for a person.
func (con *console) answer(v any, format string, args ...any) error {
	if con.json {
		return con.printJSON(v)
	}
	_, err := fmt.Fprintf(con.out, format+"\n", args...)
	return err
}

// printLine prints one JSON value on one line.
func (con *console) printLine(v any) error { return con.print(v) }

func (con *console) print(v any, o ...json.Options) error {
	b, err := json.Marshal(v, append(o, json.Deterministic(true))...)
	if err != nil {
		return fmt.Errorf("the result cannot be written as JSON: %w", err)
	}
	_, err = fmt.Fprintf(con.out, "%s\n", diag.EscapeJSON(b))
	return err
}

// say prints a line of talk on standard error, unless --quiet.
func (con *console) say(format string, args ...any) {
	if !con.quiet {
		fmt.Fprintln(con.err, diag.Indented(worded(fmt.Sprintf(format, args...))))
	}
}

// explain prints a line of talk under --verbose.
func (con *console) explain(format string, args ...any) {
	if con.verbose {
		fmt.Fprintln(con.err, diag.Indented(worded(fmt.Sprintf(format, args...))))
	}
}

// read reads a file, or standard input for "-", up to limit bytes.
func (con *console) read(path string, limit int64) ([]byte, error) {
	if path != "-" {
		return file.Read(path, limit)
	}
	if con.in == nil {
		return nil, fault.WithHint(fault.New(fault.Usage, "standard input can be read only once"), "name - once")
	}
	b, err := io.ReadAll(io.LimitReader(con.in, limit+1))
	con.in = nil
	switch {
	case err != nil:
		return nil, fault.New(fault.Invalid, "standard input: %w", err)
	case int64(len(b)) > limit:
		return nil, fault.New(fault.Invalid, "standard input has more than %d bytes", limit)
	}
	return b, nil
}

// writeText gives a document to its reader: to a file, or to standard output.
// Only for a terminal are control characters replaced.
func (con *console) writeText(path string, text []byte) error {
	if path != "" && path != "-" {
		return writeFile(path, text)
	}
	if terminal(con.out) {
		text = []byte(diag.PlainLines(string(text)))
	}
	_, err := con.out.Write(text)
	return err
}

// stdoutFailed reports whether standard output has failed: that is told at the end.
func (con *console) stdoutFailed() bool {
	out, ok := con.out.(*checkedOutput)
	return ok && out.first() != nil
}
