package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metarubric"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/xslices"
)

func rubricCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "rubric", Short: "Check, convert, draft and register rubric documents",
		Long: "Work on rubric documents of any dialect: " + strings.Join(dialect.Names(), ", ") +
			".\nOnly generate, improve and review ask a judge and score.",
	}
	cmd.AddCommand(
		validateCommand(p), lintCommand(p), fmtCommand(p), showCommand(p), convertCommand(p), migrateCommand(p),
		generateCommand(p), improveCommand(p), rubricReviewCommand(p), schemaCommand(p),
		registerCommand(p), getCommand(p), listCommand(p), historyCommand(p), deleteCommand(p), importCommand(p),
	)
	return cmd
}

func bindDialect(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVar(into, "dialect", "", "dialect of the document (default: detected)")
	choices(cmd, "dialect", dialect.Names()...)
}

// bindDocument adds the flags of commands that read documents and score nothing.
func bindDocument(p *program, cmd *cobra.Command, dialectName *string) {
	bindDialect(cmd, dialectName)
	bindStore(p, cmd)
	advanced(cmd, "store")
}

func bindOut(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVarP(into, "out", "o", "", "write to this file (default: standard output)")
	keyed(cmd, "out")
}

// bindFormat adds a flag for the format of a document that is written.
func bindFormat(cmd *cobra.Command, into *string, name, usage string) {
	cmd.Flags().StringVar(into, name, "", usage)
	choices(cmd, name, dialect.YAML, dialect.JSON)
}

// problem is a diagnostic for a script.
type problem struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Path     string `json:"path"`
	Line     int    `json:"line"`   // 0: the document as a whole
	Column   int    `json:"column"` // in bytes, from 1; 0: unknown
	Message  string `json:"message"`
	Hint     string `json:"hint"`
}

func problemsOf(list diag.List) []problem {
	return xslices.Map(wordProblems(list), func(d diag.Diagnostic) problem {
		return problem{string(d.Severity), d.Code, d.Path, d.Pos.Line, d.Pos.Column, d.Message, d.Hint}
	})
}

// source reads the bytes of a document that may not be readable as a rubric, from the same
// places as loadDocument.
func (p *program) source(path string) ([]byte, error) {
	if id, version, ok := registry.ParseRef(path); ok {
		doc, err := p.registered(p.root.Context(), id, version)
		if err != nil {
			return nil, err
		}
		return doc.Bytes(), nil
	}
	if b, ok, err := metarubric.Builtin(path); ok {
		return b, err
	}
	b, err := p.read(path, dialect.MaxBytes)
	if path == "-" {
		p.stdin = b // for excerpts
	}
	return b, err
}

// writeFile writes a document to a file, as putFile does.
func writeFile(path string, text []byte) error { return writeMode(path, text, 0o644) }

// writeMode is writeFile, with the mode of a file that does not exist yet.
func writeMode(path string, text []byte, mode os.FileMode) error {
	err := putFile(path, mode, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
	var beside *besideError
	switch dir := filepath.Dir(path); {
	case err == nil:
		return nil
	case !errors.As(err, &beside):
		return fault.New(fault.Storage, "writing %s: %w", path, reason(err))
	case errors.Is(err, fs.ErrNotExist):
		return fault.WithHint(fault.New(fault.Usage, "writing %s: the directory %s does not exist", path, dir), "create it: mkdir -p %s", diag.Shell(dir))
	}
	return fault.WithHint(fault.New(fault.Usage, "writing %s: %w", path, reason(err)), "check the permissions of the directory, or name another place")
}

// formatOf returns the format that the extension of a file names, else none.
func formatOf(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		return dialect.JSON
	case ".yaml", ".yml":
		return dialect.YAML
	}
	return ""
}

// rubric completes a file that may be a rubric.
func (co completer) rubric(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
}
