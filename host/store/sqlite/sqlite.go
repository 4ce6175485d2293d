// Package sqlite opens an SQLite database file: the default store, which needs no
// server. Many processes may use one file at the same time; it must not lie on a
// network file system.
//
// A write is on disk when it returns: it outlives the process and, if the disk keeps
// its promises, a power failure.
//
// Stability: experimental.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite" // also registers the driver
	lib "modernc.org/sqlite/lib"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/store/database"
)

// connections bounds the connections of a process to one file.
const connections = 8

// pragmas are set for every connection. busy_timeout is in milliseconds: a writer waits
// for others, as long as its context allows. cache_size is in kB; journals of single
// statements stay in memory. wal_autocheckpoint is in pages, 16 MB: a scan changes the same
// pages in many transactions, and copies each from the log once.
var pragmas = []string{"busy_timeout(600000)", "synchronous(FULL)", "foreign_keys(ON)", "cell_size_check(ON)", "trusted_schema(OFF)",
	"cache_size(-16000)", "temp_store(MEMORY)", "wal_autocheckpoint(4000)"}

// Open opens the database in a file, and creates it if there is none, readable by
// its owner only. The error is of class fault.Invalid if the file is something else,
// damaged, or of a newer program.
func Open(ctx context.Context, path string) (*database.DB, error) {
	d := database.Dialect{
		Schema: func(s string) string { return strings.ReplaceAll(s, ` COLLATE "C"`, "") }, // bytes in their order are SQLite's default
		Fault:  func(err error) error { return classed(path, err) },
		Check:  func(ctx context.Context, db *sql.DB) error { return check(ctx, db, path) },

		Unnumbered: true, // it looks for each number among all of them
	}
	if err := create(path); err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, classed(path, err)
	}
	source := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(abs), RawQuery: url.Values{"_pragma": pragmas, "_txlock": {"immediate"}}.Encode()}
	db, err := sql.Open("sqlite", source.String())
	if err != nil {
		return nil, classed(path, err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	if err := ours(ctx, db, path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if _, err := db.ExecContext(ctx, `PRAGMA journal_mode = WAL`); err != nil { // it is kept in the file, so not before
		return nil, errors.Join(classed(path, err), db.Close())
	}
	return database.Open(ctx, db, d)
}

// ours refuses the database of another program, which has tables, and no migrations of ours: others
// have a table of that name, too.
func ours(ctx context.Context, db *sql.DB, path string) error {
	var other bool
	err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT * FROM sqlite_master)
		AND (SELECT count(*) FROM pragma_table_info('schema_migrations') WHERE name IN ('number', 'name', 'applied_at')) < 3`).Scan(&other)
	if err != nil {
		return classed(path, err)
	}
	if other {
		return fault.WithHint(fault.New(fault.Invalid, "database %s is one of another program", path), "name another file")
	}
	return nil
}

// create makes the file, so that it and those that SQLite puts beside it belong to
// the user alone.
func create(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fault.WithHint(fault.New(fault.Invalid, "database %s: it is not a regular file", path), "name another file")
	}
	if _, err := os.Lstat(path); err == nil {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return fault.WithHint(fault.New(fault.Invalid, "database %s: it is a link to a file that is not there", path), "remove the link, or name another file")
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.WithHint(fault.New(fault.NotFound, "database %s: no directory %s", path, filepath.Dir(path)), "create it")
	case err != nil:
		return fault.WithHint(fault.New(fault.Storage, "database %s: %w", path, errors.Unwrap(err)), "check its permissions")
	}
	return f.Close()
}

func classed(path string, err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return fault.New(fault.Internal, "database %s: %w", path, err)
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_NOTADB:
		return fault.WithHint(fault.New(fault.Invalid, "database %s: it is not an SQLite database, or its first page is damaged", path), "name another file, or restore a backup")
	case lib.SQLITE_CORRUPT:
		return fault.WithHint(fault.New(fault.Invalid, "database %s is damaged: %w", path, err), "restore a backup")
	case lib.SQLITE_FULL, lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM, lib.SQLITE_READONLY:
		return fault.WithHint(fault.New(fault.Storage, "database %s: %w", path, err), "free some space, or check the permissions of the file and its directory; nothing was changed")
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return fault.WithHint(fault.New(fault.Storage, "database %s: another process keeps it locked", path), "try again when that process is done")
	case lib.SQLITE_TOOBIG:
		return fault.New(fault.Invalid, "database %s: a value is too large: %w", path, err)
	case lib.SQLITE_CONSTRAINT: // of rows of a forged backup
		return fault.New(fault.Invalid, "database %s: %w", path, err)
	}
	return fault.New(fault.Internal, "database %s: %w", path, err)
}

// check has SQLite examine the file.
func check(ctx context.Context, db *sql.DB, path string) error {
	rows, err := db.QueryContext(ctx, `PRAGMA integrity_check(10)`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var problems []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return err
		}
		if s != "ok" {
			problems = append(problems, s)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(problems) > 0 {
		return fault.WithHint(fault.New(fault.Invalid, "database %s is damaged: %s", path, strings.Join(problems, "; ")), "restore a backup")
	}
	var table string
	err = db.QueryRowContext(ctx, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = fault.WithHint(fault.New(fault.Invalid, "database %s is damaged: table %s refers to rows that do not exist", path, table), "restore a backup")
	}
	return err
}
