package database_test

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/store/database"
)

// TestOpen_Migrates opens a database of an earlier schema with a program that knows a later one.
func TestOpen_Migrates(t *testing.T) {
	eachDriver(t, func(t *testing.T, fresh func(t testing.TB) opener) {
		open := fresh(t)
		s := open(t)
		fill(t, s)
		want := content(t, s)
		must(t, s.Close())
		database.With("0002_owner.sql", `ALTER TABLE rubrics ADD COLUMN owner TEXT COLLATE "C" NOT NULL DEFAULT ''; CREATE INDEX rubrics_owner ON rubrics (owner)`, func() {
			for range 2 {
				s := open(t)
				must(t, s.Exec(t.Context(), `UPDATE rubrics SET owner = 'ann'`))
				same(t, "content", content(t, s), want)
				must(t, s.Close())
			}
		})
	})
}
