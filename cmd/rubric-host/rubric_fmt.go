package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metarubric"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/result"
)

type fmtFlags struct {
	dialect string
	write   bool
	check   bool
}

func fmtCommand(p *program) *cobra.Command {
	f := &fmtFlags{}
	cmd := &cobra.Command{
		Use:   "fmt FILE...",
		Short: "Format documents; comments and the order of keys stay",
		Long: "Format documents; comments and the order of keys stay. Without -w or --check the one document\n" +
			"goes to standard output. --check exits 2 if a document is not formatted.\n\n" +
			"--json prints {file, changed, output}; for several files one object per line, with error for one that\ncannot be formatted.",
		Example: "rubric-host rubric fmt rubric.yaml\nrubric-host rubric fmt -w rubrics/*.yaml\nrubric-host rubric fmt --check rubrics/*.yaml",
		Args:    args("FILE..."), ValidArgsFunction: p.complete.rubric,
		RunE: func(_ *cobra.Command, files []string) error { return runFmt(p, f, files) },
	}
	s := cmd.Flags()
	s.BoolVarP(&f.write, "write", "w", false, "write the files in place")
	s.BoolVar(&f.check, "check", false, "change nothing, and name the files that are not formatted")
	bindDocument(p, cmd, &f.dialect)
	keyed(cmd, "write", "check")
	return cmd
}

// formatted is the JSON answer of fmt about a document.
type formatted struct {
	File    string          `json:"file"`
	Changed bool            `json:"changed"`
	Output  string          `json:"output,omitzero"` // without -w and --check
	Error   *result.Failure `json:"error,omitzero"`  // of one of several documents
}

func runFmt(p *program, f *fmtFlags, files []string) error {
	switch {
	case f.write && f.check:
		return fault.New(fault.Usage, "--write and --check cannot be combined")
	case len(files) > 1 && !f.write && !f.check:
		return fault.WithHint(fault.New(fault.Usage, "%d documents cannot all go to standard output", len(files)), "add -w to write them, or --check to see which are formatted")
	}
	var failed error
	unformatted := 0
	for _, file := range files {
		changed, err := fmtFile(p, f, file)
		if err != nil && len(files) == 1 {
			return err
		}
		if err != nil {
			p.tellError(err)
			failed = cmp.Or(failed, err)
			if p.json {
				if err := p.printLine(formatted{File: file, Error: failureOf(err)}); err != nil {
					return err
				}
			}
		}
		if changed {
			unformatted++
		}
	}
	if failed != nil {
		p.told = true // each document's error was printed
		return failed
	}
	if f.check && unformatted > 0 {
		p.told = p.json
		return fault.WithHint(fault.New(fault.Invalid, "%d of %d documents are not formatted", unformatted, len(files)), "rubric-host rubric fmt -w formats them")
	}
	return nil
}

func fmtFile(p *program, f *fmtFlags, file string) (changed bool, err error) {
	if _, _, registered := registry.ParseRef(file); f.write && (registered || file == "-" || strings.HasPrefix(file, metarubric.Scheme)) {
		return false, fault.WithHint(fault.New(fault.Usage, "--write needs a file, not %s", file), "write a copy: rubric-host rubric fmt %s > FILE", diag.Shell(file))
	}
	doc, err := p.loadDocument(file, f.dialect)
	if err != nil {
		return false, err
	}
	if doc.Selected != "" && (f.write || f.check) {
		return false, fault.WithHint(fault.New(fault.Usage, "%s is one of several rubrics of a file, which is formatted as a whole", file), "name the file: %s", doc.File)
	}
	text, _, err := dialect.Encode(doc, "", "")
	if err != nil {
		return false, err
	}
	changed = !bytes.Equal(doc.Bytes(), text)
	if f.write && changed {
		if err := writeFile(file, text); err != nil {
			return false, err
		}
	}
	return changed, tellFormatted(p.console, f, file, changed, text)
}

func tellFormatted(con *console, f *fmtFlags, file string, changed bool, text []byte) error {
	shown := !f.write && !f.check
	switch {
	case con.json:
		out := formatted{File: file, Changed: changed}
		if shown {
			out.Output = string(text)
		}
		return con.printLine(out)
	case shown:
		return con.writeText("", text)
	case changed && f.check:
		fmt.Fprintln(con.out, diag.Plain(file))
	case changed:
		con.say("formatted %s", diag.Plain(file))
	}
	return nil
}
