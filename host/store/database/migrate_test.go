package database_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/feedback"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/database"
)

// TestMigrations_NeverChange has the digest of every migration: databases were made with it.
func TestMigrations_NeverChange(t *testing.T) {
	got := map[string]string{}
	for name, text := range database.Migrations(t) {
		got[name] = fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16]
	}
	want := map[string]string{
		"0001_first.sql":    "b155d600ea4fb05c",
		"0002_versions.sql": "bcd7c345f4d06ca7",
		"0003_passed.sql":   "b5b82a4feedc446f",
		"0004_status.sql":   "de3e062e4d7aa447",
		"0005_host.sql":     "40453de97841ea00",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("write a new migration in place of a change (-want +got):\n%s", d)
	}
}

// indexed are rows of the index in the words of every schema.
var indexed = []string{
	`INSERT INTO runs (id, dir, rubric_id, rubric_version, plan_digest, started, size, changed) VALUES ('r', '/runs/r', 'tone', '1', 'p', 1, 2, 3)`,
	`INSERT INTO evaluations (id, run, started, place, case_id, case_key, repeat, rubric_id, rubric_key, rubric_version, rubric_digest, target_type, target_key, status, score, passed, evaluated_by, row_offset, row_length)
	 VALUES ('eval_1', 'r', 1, 1, 'c', 1, 1, 'tone', 1, '1', 'd', '', 1, 'scored', 0.5, NULL, 'system', 0, 1)`,
	`INSERT INTO notes (seq, id, run, case_id, repeat, criterion, agree, comment, noted_by, noted_at) VALUES (1, 'note_1', 'r', 'c', 1, '', TRUE, 'yes', 'ann', 1)`,
}

// TestOpen_MigratesEverySchema makes a database of each earlier schema, with the rubrics and
// artifacts that a program with schema 1 backed up and rows of the index, and opens it today.
// A migration that changes their tables needs a backup of its schema here, too.
func TestOpen_MigratesEverySchema(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	eachDriver(t, migrates)
}

func migrates(t *testing.T, fresh func(t testing.TB) opener) {
	t.Helper()
	written, err := os.ReadFile("testdata/schema_1.backup")
	must(t, err)
	newest := fresh(t)(t)
	fill(t, newest)
	want := content(t, newest)
	must(t, newest.Close())
	steps := len(database.Migrations(t))
	for n := 1; n <= steps; n++ {
		open := fresh(t)
		database.UpTo(t, n, func() {
			s := open(t)
			_, err := s.Restore(t.Context(), bytes.NewReader(written), false)
			must(t, err)
			for _, statement := range indexed {
				must(t, s.Exec(t.Context(), statement))
			}
			must(t, s.Close())
		})
		s := open(t)
		if d := cmp.Diff(want, content(t, s)); d != "" {
			t.Errorf("schema %d (-want +got):\n%s", n, d)
		}
		must(t, s.Check(t.Context()))
		notes, err := s.Notes(t.Context(), feedback.Filter{Run: "r"})
		must(t, err)
		if len(notes) != 1 || notes[0].ID != "note_1" {
			t.Errorf("schema %d: notes %+v", n, notes)
		}
		runs, err := s.Runs(t.Context())
		must(t, err)
		list, err := s.Evaluations(t.Context(), store.Filter{})
		must(t, err)
		if len(runs) != len(list) || n == steps && len(runs) != 1 { // a migration may leave them to the next scan
			t.Errorf("schema %d: %d runs with %d evaluations", n, len(runs), len(list))
		}
		must(t, s.Close())
	}
}
