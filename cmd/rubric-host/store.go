package main

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/database"
	"github.com/rubric-host/rubric-host/host/store/postgres"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
	"github.com/rubric-host/rubric-host/host/xslices"
)

func storeCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "store", Short: "Check, back up and restore the database",
		Long: "The database keeps registered rubrics and artifacts, and an index of run directories, which\n" +
			"the evaluation commands make again when it is lost. It is a file, or a PostgreSQL database.",
	}
	check := &cobra.Command{
		Use: "check", Short: "Look for damage", Example: "rubric-host store check",
		RunE: p.inStore(createsNone, func(ctx context.Context, s stores, _ []string) error {
			if err := s.Check(ctx); err != nil {
				return err
			}
			return p.answer(map[string]any{"store": p.store.String(), "ok": true}, "%s: no damage", diag.Plain(p.store.String()))
		}),
	}
	backup := &cobra.Command{
		Use: "backup FILE", Short: "Write rubrics and artifacts to a new file", Args: args("FILE"),
		Long: "Write all rubrics and artifacts with their histories to a new file, while the database is in\n" +
			"use. The index of runs is left out: the run directories are its backup.",
		Example: "rubric-host store backup rubrics.backup",
		RunE: p.inStore(createsNone, func(ctx context.Context, s stores, a []string) error {
			return storeBackup(ctx, p, s, a[0])
		}),
	}
	var replace bool
	restore := &cobra.Command{
		Use: "restore FILE", Short: "Read rubrics and artifacts from a backup", Args: args("FILE"),
		Long: "Read rubrics and artifacts from a backup, of any kind of database, all or none. The database\n" +
			"may be in use. If it has rubrics or artifacts, --replace lets the backup take their place.",
		Example: "rubric-host store restore rubrics.backup\nrubric-host store restore rubrics.backup --store postgres://ann@db.example/team",
		RunE:    func(cmd *cobra.Command, a []string) error { return storeRestore(cmd.Context(), p, a[0], replace) },
	}
	restore.Flags().BoolVar(&replace, "replace", false, "replace what the database has")
	for _, c := range []*cobra.Command{check, backup, restore} {
		bindStore(p, c)
	}
	cmd.AddCommand(check, backup, restore)
	return cmd
}

func storeBackup(ctx context.Context, p *program, s stores, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fault.WithHint(fault.New(fault.Conflict, "%s exists", path), "name a new file")
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "%s: no such directory", path)
	case err != nil:
		return fault.New(fault.Storage, "%w", err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	done, err := s.Backup(ctx, w)
	if err == nil {
		if err = errors.Join(w.Flush(), f.Sync()); err != nil {
			err = fault.As(fault.Storage, err)
		}
	}
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path) //nolint:errcheck // a part of a backup is none
		return err
	}
	return tellBackup(p.console, done, "%s has %s and %s of %s", path, p.store.String())
}

func storeRestore(ctx context.Context, p *program, path string, replace bool) error {
	f, err := file.Open(path, os.O_RDONLY)
	if err != nil {
		return fault.As(fault.NotFound, err)
	}
	defer f.Close()
	s, err := p.openStore(ctx, "")
	if err != nil {
		return err
	}
	defer s.Close() // a restore is durable when it returns
	done, err := s.Restore(ctx, f, replace)
	if fault.Is(err, fault.Conflict) {
		err = fault.WithHint(err, "make a backup of it, then add --replace")
	}
	if err != nil {
		return err
	}
	return tellBackup(p.console, done, "%s has %s and %s of %s again", p.store.String(), path)
}

// tellBackup prints the counts of a backup or restore, and both places.
func tellBackup(con *console, done store.Backup, format, to, from string) error {
	return con.answer(done, format, diag.Plain(to), diag.Count(done.Rubrics, "version")+" of rubrics", diag.Count(done.Artifacts, "version")+" of artifacts", diag.Plain(from))
}

// defaultStore is the database where none is named.
const defaultStore = "rubric-host.db"

// A storeName is the flag that names the database: a file, or the URL of a PostgreSQL
// database, which may have a password. As a text it has none.
type storeName struct{ name string }

// String returns the name without a password.
func (s *storeName) String() string { return postgres.Redacted(s.name) }

// Set takes a file or URL.
func (s *storeName) Set(name string) error {
	s.name = name
	return nil
}

// Type names the kind of value in the help.
func (s *storeName) Type() string { return "string" }

func bindStore(p *program, cmd *cobra.Command) {
	p.store.name = defaultStore
	cmd.Flags().Var(&p.store, "store", "database: a file, or postgres://USER@HOST/DATABASE")
}

func bindRuns(p *program, flags *pflag.FlagSet) {
	flags.StringVar(&p.runs, "runs", "runs", "directory that holds the runs")
}

func bindBy(p *program, cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.by, "by", "", "who does this (default: your login name)")
}

// whoever returns who does something: --by, else the login name.
func (p *program) whoever() string {
	if p.by != "" {
		return p.by
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return filepath.Base(filepath.ToSlash(u.Username)) // Windows writes DOMAIN\name
	}
	return "unknown"
}

// stores are all that a database keeps.
type stores = *database.DB

// openStore opens the database that --store names. The caller closes it. With a hint, it has to
// be there: a command that only reads does not create a file.
func (p *program) openStore(ctx context.Context, hint string) (stores, error) {
	name := p.store.name
	if _, err := os.Stat(name); hint != "" && name != "" && !postgres.Is(name) && errors.Is(err, fs.ErrNotExist) {
		return nil, fault.WithHint(fault.New(fault.NotFound, "there is no database %s", name), "%s", hint)
	}
	p.explain("database: %s", p.store.String())
	switch {
	case name == "":
		return nil, fault.New(fault.Usage, "--store needs a file or a URL")
	case postgres.Is(name):
		return postgres.Open(ctx, name)
	}
	return sqlite.Open(ctx, name)
}

// createsNone is the hint of openStore for commands that need a database.
const createsNone = "name it with --store"

// inStore is a command that works in the database, as openStore opens it.
func (p *program) inStore(hint string, do func(context.Context, stores, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, a []string) error {
		s, err := p.openStore(cmd.Context(), hint)
		if err != nil {
			return err
		}
		defer s.Close() // writes are durable already
		return do(cmd.Context(), s, a)
	}
}

// withoutPasswords returns arguments without the passwords of databases.
func withoutPasswords(args []string) []string {
	return xslices.Map(args, postgres.Redacted)
}
