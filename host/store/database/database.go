// Package database keeps runs, rubrics and artifacts in an SQL database. Its
// statements are the same for every database; a Dialect holds the differences.
// Packages store/sqlite and store/postgres open one.
//
// Stability: experimental.
package database

import (
	"context"
	"database/sql"
	"errors"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store"
)

// A Dialect is how a database differs from others.
type Dialect struct {
	// Schema returns a migration, which is written for PostgreSQL, in the words of the
	// database. Nil: it takes it as it is.
	Schema func(sql string) string

	// Unnumbered has ? in place of $1 in statements with many arguments.
	Unnumbered bool

	// Lock waits until no other transaction holds the name, and holds it to the end of
	// tx. Nil: only one transaction writes at a time.
	Lock func(ctx context.Context, tx *sql.Tx, name string) error

	// Snapshot is the isolation of transactions that read the same state to their end.
	Snapshot sql.IsolationLevel

	// Fault gives an error of the database its class and words. It never gets nil.
	Fault func(err error) error

	// Check runs the database's own checks. Nil: there are none.
	Check func(ctx context.Context, db *sql.DB) error
}

// A DB is an open database. It is safe for concurrent use, and other processes may
// use the same database at the same time.
type DB struct {
	sql *sql.DB
	d   Dialect
}

var (
	_ store.Runs     = (*DB)(nil)
	_ registry.Store = (*DB)(nil)
	_ review.Store   = (*DB)(nil)
)

// Open takes over db, and brings its schema up to date. The error is of class
// fault.Invalid if a newer program wrote the schema, or another one the database.
func Open(ctx context.Context, db *sql.DB, d Dialect) (*DB, error) {
	b := &DB{sql: db, d: d}
	if err := b.migrate(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return b, nil
}

// Close lets go of the database.
func (b *DB) Close() error { return b.fault(b.sql.Close()) }

// Check examines the database, and returns its defects.
func (b *DB) Check(ctx context.Context) error {
	if b.d.Check != nil {
		if err := b.d.Check(ctx, b.sql); err != nil {
			return b.fault(err)
		}
	}
	return b.fault(sums(ctx, b.sql))
}

// fault classes an error of the database. Faults stay as they are.
func (b *DB) fault(err error) error {
	var f *fault.Error
	if err == nil || errors.As(err, &f) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return b.d.Fault(err)
}

// write runs work in a transaction that is alone under its name, and durable when
// write returns nil.
func (b *DB) write(ctx context.Context, name string, work func(tx *sql.Tx) error) error {
	tx, err := b.sql.BeginTx(ctx, nil)
	if err != nil {
		return b.fault(err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if b.d.Lock != nil {
		if err := b.d.Lock(ctx, tx, name); err != nil {
			return b.fault(err)
		}
	}
	if err = work(tx); err == nil {
		err = tx.Commit()
	}
	var f *fault.Error
	if err != nil && ctx.Err() != nil && !errors.As(err, &f) { // however the driver puts it
		return context.Cause(ctx)
	}
	return b.fault(err)
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func all[T any](ctx context.Context, q querier, scan func(row scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}

// A scanner is one row of a query, or its only one.
type scanner interface{ Scan(to ...any) error }

// sums compares the rows that have a checksum with it.
func sums(ctx context.Context, q querier) error {
	if err := wrong(ctx, q, scanRubric, `SELECT `+rubricColumns+` FROM rubrics r ORDER BY r.id, r.version`); err != nil {
		return err
	}
	return wrong(ctx, q, scanArtifact, `SELECT `+artifactColumns+` FROM artifacts a ORDER BY a.id, a.place`)
}

// wrong returns the first ten rows whose checksum is wrong, which scan finds.
func wrong[T any](ctx context.Context, q querier, scan func(row scanner) (T, error), query string) error {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	var problems []error
	for rows.Next() && len(problems) < 10 {
		if _, err := scan(rows); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(append(problems, rows.Err())...)
}
