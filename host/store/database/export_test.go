package database

import (
	"context"
	"io/fs"
	"testing"
	"testing/fstest"
)

// Migrations returns the texts of the migrations by name.
func Migrations(t testing.TB) map[string]string {
	t.Helper()
	list, err := migrations(files)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, m := range list {
		texts[m.name] = m.sql
	}
	return texts
}

// UpTo lets a program know the first n migrations only while work runs.
func UpTo(t testing.TB, n int, work func()) {
	t.Helper()
	list, err := migrations(files)
	if err != nil {
		t.Fatal(err)
	}
	all := files
	defer func() { files = all }()
	first := fstest.MapFS{}
	for _, m := range list[:n] {
		first["migrations/"+m.name] = &fstest.MapFile{Data: []byte(m.sql), Mode: fs.ModePerm}
	}
	files = first
	work()
}

// Exec runs a statement as any program could.
func (b *DB) Exec(ctx context.Context, query string) error {
	_, err := b.sql.ExecContext(ctx, query)
	return err
}
