package database

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
)

//go:embed migrations/*.sql
var embedded embed.FS

var files fs.FS = embedded

type migration struct {
	number int
	name   string // of its file
	sql    string
}

// migrations returns the steps of the schema, in their order: 1, 2, and so on.
func migrations(from fs.FS) ([]migration, error) {
	names, err := fs.Glob(from, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var list []migration
	for _, name := range names {
		digits, _, _ := strings.Cut(path.Base(name), "_")
		n, err := strconv.Atoi(digits)
		if err != nil {
			return nil, fmt.Errorf("%s: its name begins with no number", name)
		}
		b, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		list = append(list, migration{n, path.Base(name), string(b)})
	}
	slices.SortFunc(list, func(a, b migration) int { return cmp.Compare(a.number, b.number) })
	for i := range list {
		if list[i].number != i+1 {
			return nil, fmt.Errorf("%s: the migration before it is missing, or has its number", list[i].name)
		}
	}
	return list, nil
}

// migrate applies the migrations that the database lacks, each in a transaction of
// its own.
func (b *DB) migrate(ctx context.Context) error {
	list, err := migrations(files)
	if err != nil {
		return err
	}
	if n, err := appliedVersion(ctx, b.sql); err == nil && n == len(list) { // the usual case, without a lock
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
			case n > len(list):
				return fault.WithHint(fault.New(fault.Invalid, "the database has schema %d, this program knows schemas up to %d", n, len(list)), "use the version of rubric-host that wrote it, or a newer one")
			case n == len(list):
				done = true
				return nil
			}
			return b.apply(ctx, tx, list[n])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *DB) apply(ctx context.Context, tx *sql.Tx, m migration) error {
	schema := m.sql
	if b.d.Schema != nil {
		schema = b.d.Schema(schema)
	}
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return fmt.Errorf("migration %s: %w", m.name, err)
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO schema_migrations (number, name, applied_at) VALUES ($1, $2, $3)`, m.number, m.name, micros(time.Now()))
	return err
}

// appliedVersion returns the number of the last migration that was applied. It fails if
// none was.
func appliedVersion(ctx context.Context, q querier) (n int, err error) {
	err = q.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM schema_migrations`).Scan(&n)
	return n, err
}
