package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/private"
)

func trustCommand(p *program) *cobra.Command {
	return unconfigured(&cobra.Command{
		Use:   "trust [DIR]",
		Short: "Trust the " + configName + " of a directory",
		Long: "Trust the " + configName + " of a directory: print what it sets that needs trust, and record\n" +
			"its path and digest. Trust ends when the file changes. Files that it names are not digested.\n\n" +
			"Without trust, a project file cannot grant plugins files or network (allow), name an endpoint\n" +
			"or the variable of a key (judges), choose the compile cache, weaken isolation, raise limits, or\n" +
			"read or write outside of its directory. A file named by --config or RUBRIC_HOST_CONFIG needs no\n" +
			"trust.",
		Example: "rubric-host config trust",
		Args:    args("[DIR]"),
		RunE:    func(_ *cobra.Command, a []string) error { return trustDir(p, append(a, ".")[0]) },
	})
}

func untrustCommand(p *program) *cobra.Command {
	return unconfigured(&cobra.Command{
		Use:     "untrust [DIR]",
		Short:   "Withdraw trust in the " + configName + " of a directory",
		Example: "rubric-host config untrust",
		Args:    args("[DIR]"),
		RunE:    func(_ *cobra.Command, a []string) error { return untrustDir(p.console, append(a, ".")[0]) },
	})
}

// projectFile returns the project file that a directory, or its own path, means.
func projectFile(dir string) string {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return dir
	}
	return filepath.Join(dir, configName)
}

func trustDir(p *program, dir string) error {
	path := projectFile(dir)
	src, err := file.Read(path, maxConfig)
	if err != nil {
		return err
	}
	if err := usable(path); err != nil {
		return err
	}
	file, err := p.settings.parse(path, src)
	if err != nil {
		return err
	}
	file.restrict(p.settings.user)
	needs := append(file.needs(), file.prices()...)
	needs.Sort()
	if !p.json {
		for _, d := range needs {
			fmt.Fprintf(p.out, "%s: %s\n", diag.Plain(d.Pos.String()), diag.Plain(d.Message))
		}
	}
	real, mark, err := trustMark(path)
	if err == nil {
		err = private.Dir(filepath.Dir(mark))
	}
	if err != nil {
		return fault.New(fault.Usage, "trusted project files: %w", err)
	}
	if err := writeMode(mark, trustText(real, src), 0o600); err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string]any{"file": real, "digest": digest.Of(src), "allows": problemsOf(needs)})
	}
	if len(needs) == 0 {
		p.say("no key of %s needs trust so far", diag.Plain(path))
	}
	p.say("trusted until it changes: %s", diag.Plain(real))
	return nil
}

func untrustDir(con *console, dir string) error {
	path := projectFile(dir)
	real, mark, err := trustMark(path)
	if err != nil {
		return fault.New(fault.NotFound, "%w", err)
	}
	switch err := os.Remove(mark); {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "%s is not trusted", path)
	case err != nil:
		return fault.New(fault.Storage, "%w", err)
	}
	return con.answer(map[string]any{"file": real}, "not trusted any more: %s", diag.Plain(real))
}
