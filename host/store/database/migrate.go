package database

import (
	"context"
	"database/sql"
	_ "embed" // of migrations
	"fmt"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
)

type migration struct{ name, sql string }

//go:embed migrations/0001_first.sql
var first string

// migrations are the steps of the schema, the first of which has number 1. Until the first
// release the schema changes in place. After it, a change is a further migration.
var migrations = []migration{{"0001_first.sql", first}}

// migrate applies the migrations that the database lacks, each in a transaction of
// its own.
func (b *DB) migrate(ctx context.Context) error {
	if n, err := appliedVersion(ctx, b.sql); err == nil && n == len(migrations) { // the usual case, without a lock
		return nil
	}
	for done := false; !done; {
		err := b.write(ctx, "schema", func(tx *sql.Tx) error {
			const table = `CREATE TABLE IF NOT EXISTS schema_migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)`
			if _, err := tx.ExecContext(ctx, table); err != nil {
				return err
			}
			n, err := appliedVersion(ctx, tx)
			switch {
			case err != nil:
				return err
			case n > len(migrations):
				return fault.WithHint(fault.New(fault.Invalid, "the database has schema %d, this program knows schemas up to %d", n, len(migrations)), "use the version of rubric-host that wrote it, or a newer one")
			case n == len(migrations):
				done = true
				return nil
			}
			return b.apply(ctx, tx, n+1)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *DB) apply(ctx context.Context, tx *sql.Tx, number int) error {
	m := migrations[number-1]
	if b.d.Schema != nil {
		m.sql = b.d.Schema(m.sql)
	}
	if _, err := tx.ExecContext(ctx, m.sql); err != nil {
		return fmt.Errorf("migration %s: %w", m.name, err)
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO schema_migrations (number, name, applied_at) VALUES ($1, $2, $3)`, number, m.name, micros(time.Now()))
	return err
}

// appliedVersion returns the number of the last migration that was applied. It fails if
// none was.
func appliedVersion(ctx context.Context, q querier) (n int, err error) {
	err = q.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM schema_migrations`).Scan(&n)
	return n, err
}
