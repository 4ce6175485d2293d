package database

import "context"

// With lets a program know a further migration only while work runs.
func With(name, sql string, work func()) {
	known := migrations
	defer func() { migrations = known }()
	migrations = append(known[:len(known):len(known)], migration{name, sql})
	work()
}

// Exec runs a statement as any program could.
func (b *DB) Exec(ctx context.Context, query string) error {
	_, err := b.sql.ExecContext(ctx, query)
	return err
}
