// Package postgres opens a PostgreSQL database, version 13 or later, which many
// machines may use at the same time.
//
// The tables are in the schema rubric_host, or in the one that search_path in the URL
// names.
//
// Stability: experimental.
package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"hash/fnv"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/store/database"
)

// Schema is the schema of the tables, unless the URL has a search_path.
const Schema = "rubric_host"

// connections bounds the connections of a process to the server, connectTimeout the
// time to open one.
const (
	connections    = 8
	connectTimeout = 15 * time.Second
)

// Is reports whether a name is the URL of a PostgreSQL database.
func Is(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// password matches the passwords of URLs, rather too much than too little.
var password = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(postgres(?:ql)?://[^/@:\s]*:)\S*@|([?&]password=)[^&\s]*`)
})

// Redacted returns a text with "xxxxx" for the password of every URL in it.
func Redacted(text string) string {
	return password().ReplaceAllStringFunc(text, func(s string) string {
		m := password().FindStringSubmatch(s)
		if m[2] != "" {
			return m[2] + "xxxxx"
		}
		return m[1] + "xxxxx@"
	})
}

// Open connects to the database that a URL names, and creates or updates the tables.
// Errors do not have the password of the URL. The error is of class fault.Usage if
// the URL is wrong, fault.Storage if the server cannot be reached or refuses, and
// fault.Invalid if a newer program wrote the tables.
func Open(ctx context.Context, url string) (*database.DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fault.WithHint(fault.New(fault.Usage, "database %s: %s", Redacted(url), cause(err)), "a URL is postgres://USER@HOST/DATABASE")
	}
	if strings.ContainsAny(config.RuntimeParams["search_path"], `,"`) {
		return nil, fault.New(fault.Usage, "database %s: search_path %q has to be the name of one schema", Redacted(url), config.RuntimeParams["search_path"])
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, connectTimeout)
	config.RuntimeParams["search_path"] = cmp.Or(config.RuntimeParams["search_path"], Schema)
	config.RuntimeParams["application_name"] = cmp.Or(config.RuntimeParams["application_name"], "rubric-host")
	name := named(url, config)
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	d := database.Dialect{Lock: lock, Snapshot: sql.LevelRepeatableRead, Fault: func(err error) error { return classed(name, err) }}
	schema := pgx.Identifier{config.RuntimeParams["search_path"]}.Sanitize()
	if err := createSchema(ctx, db, config.RuntimeParams["search_path"], schema); err != nil {
		return nil, errors.Join(d.Fault(err), db.Close())
	}
	return database.Open(ctx, db, d)
}

// named is how messages name the database.
func named(raw string, config *pgx.ConnConfig) string {
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		return u.Host + u.Path
	}
	return config.Host + "/" + config.Database
}

// createSchema creates the schema if there is none: IF NOT EXISTS alone fails if two
// do it at the same time, or if one exists that the user may not create.
func createSchema(ctx context.Context, db *sql.DB, name, quoted string) error {
	var there bool
	if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)`, name).Scan(&there); err != nil || there {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if err := lock(ctx, tx, "create schema"); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `CREATE SCHEMA IF NOT EXISTS `+quoted); err != nil {
		return err
	}
	return tx.Commit()
}

// lock takes an advisory lock to the end of the transaction.
func lock(ctx context.Context, tx *sql.Tx, name string) error {
	h := fnv.New64a()
	h.Write([]byte("rubric-host " + name))
	_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(h.Sum64()))
	return err
}

// cause is the reason of an error of pgx, without the URL.
func cause(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	return Redacted(err.Error())
}

func classed(name string, err error) error {
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok { // of the connection
		return fault.WithHint(fault.New(fault.Storage, "database %s: %s", name, Redacted(err.Error())), "check that the server is up and the URL is right; then repeat the command")
	}
	switch e.Code[:2] {
	case "28", "3D", "42":
		if e.Code == "42501" || e.Code[:2] != "42" {
			return fault.WithHint(fault.New(fault.Storage, "database %s: %s", name, Redacted(e.Message)), "check the user, the password and the database of the URL")
		}
	case "08", "25", "53", "57", "58":
		return fault.WithHint(fault.New(fault.Storage, "database %s: %s", name, Redacted(e.Message)), "mend the server, then repeat the command; nothing was changed")
	case "23": // of rows of a forged backup
		return fault.New(fault.Invalid, "database %s: %s", name, e.Message)
	case "54":
		return fault.New(fault.Invalid, "database %s: a value is too large: %s", name, e.Message)
	case "XX":
		return fault.WithHint(fault.New(fault.Invalid, "database %s is damaged: %s", name, e.Message), "restore a backup")
	}
	return fault.New(fault.Internal, "database %s: %w", name, err)
}
