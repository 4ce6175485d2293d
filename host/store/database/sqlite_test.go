package database_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

func TestOpen_RefusesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	must(t, os.WriteFile(text, []byte(strings.Repeat("no database\n", 1000)), 0o600))
	foreign := filepath.Join(dir, "foreign.db")
	_, err := direct(t, foreign).Exec(`CREATE TABLE places (id TEXT)`)
	must(t, err)
	migrated := filepath.Join(dir, "migrated.db") // by golang-migrate
	_, err = direct(t, migrated).Exec(`CREATE TABLE schema_migrations (version uint64, dirty bool)`)
	must(t, err)
	was, err := os.ReadFile(foreign)
	must(t, err)
	newer := filepath.Join(dir, "newer.db")
	must(t, open(t, newer).Close())
	_, err = direct(t, newer).Exec(`INSERT INTO schema_migrations VALUES (99, 'future', 0)`)
	must(t, err)
	link := filepath.Join(dir, "link.db")
	must(t, os.Symlink(filepath.Join(dir, "elsewhere"), link))
	for path, c := range map[string]struct {
		class fault.Class
		says  string
	}{
		text: {fault.Invalid, "not an SQLite database"}, foreign: {fault.Invalid, "another program"}, migrated: {fault.Invalid, "another program"}, newer: {fault.Invalid, "schema 99"},
		dir: {fault.Invalid, "not a regular file"}, link: {fault.Invalid, "link to a file that is not there"}, filepath.Join(dir, "none", "x.db"): {fault.NotFound, "no directory"},
	} {
		s, err := sqlite.Open(t.Context(), path)
		if err == nil {
			s.Close()
		}
		if !fault.Is(err, c.class) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v (%s), want %s: %s", filepath.Base(path), err, fault.Of(err), c.class, c.says)
		}
	}
	if is, err := os.ReadFile(foreign); err != nil || !bytes.Equal(is, was) {
		t.Errorf("another program's database is not as it was: %v", err)
	}
}

func TestOpen_MakesFilesOfTheUserAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s := open(t, path)
	fill(t, s)
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %o", filepath.Base(name), info.Mode().Perm())
		}
	}
	must(t, s.Close())
	if left, err := filepath.Glob(path + "-*"); err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
}

// direct opens a file as another program would.
func direct(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// reading is the content of the registry and the artifacts of a store: damage can
// show only there.
type reading struct {
	rubrics   []registry.Snapshot
	artifacts []*review.Artifact
	single    []registry.Snapshot
}

// read reads all rubrics and artifacts. Errors must say that the database is damaged.
func read(t *testing.T, path string, ids []string) (r reading, failed bool) {
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		return r, says(t, err)
	}
	defer s.Close()
	note := func(err error) {
		if err != nil {
			failed = says(t, err)
		}
	}
	r.rubrics, err = s.Rubrics(t.Context(), registry.Filter{})
	note(err)
	r.artifacts, err = s.Artifacts(t.Context(), review.Filter{Versions: true})
	note(err)
	for _, id := range ids {
		one, err := s.Rubric(t.Context(), id, "1")
		note(err)
		r.single = append(r.single, one)
	}
	for _, id := range ids[:3] {
		_, err := s.RubricEvents(t.Context(), id)
		note(err)
		_, err = s.ArtifactEvents(t.Context(), id)
		note(err)
	}
	_, err = s.Evaluations(t.Context(), store.Filter{})
	note(err)
	note(s.Check(t.Context()))
	return r, failed
}

// says reports that there was an error, which has to be one of damage.
func says(t *testing.T, err error) bool {
	t.Helper()
	if !fault.Is(err, fault.Invalid, fault.NotFound) && !strings.Contains(err.Error(), "SQL logic error") { // a damaged schema lacks tables
		t.Errorf("%v (%s)", err, fault.Of(err))
	}
	return true
}

// TestStore_DamageIsNoticed overwrites pages and flips bytes. Every read returns the
// written content or an error, and Check reports one; nothing panics.
func TestStore_DamageIsNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	path := filepath.Join(t.TempDir(), "x.db")
	s := open(t, path)
	fill(t, s)
	var ids []string
	var list []registry.Snapshot
	for i := range 60 {
		id := fmt.Sprintf("rubric %03d", i)
		ids = append(ids, id)
		list = append(list, registry.Snapshot{ID: id, Version: "1", Digest: "d", Document: bytes.Repeat([]byte{byte(i)}, 200+i*50), At: time.Unix(0, 0)})
	}
	_, err := s.PutRubrics(t.Context(), list)
	must(t, err)
	must(t, s.Close())
	whole, err := os.ReadFile(path)
	must(t, err)
	want, failed := read(t, path, ids)
	if failed {
		t.Fatal("the database is damaged before anything was done to it")
	}
	const page = 4096
	noticed, tried := 0, 0
	chosen := amount.OneIn(8)
	for at := 0; at < len(whole); at += page / 4 {
		for _, how := range []string{"noise", "zeros", "bit", "swap"} {
			if !chosen() {
				continue
			}
			bad := slices.Clone(whole)
			start := at / page * page
			switch how {
			case "noise":
				for i := range page {
					bad[start+i] = byte(i*7 + at)
				}
			case "zeros":
				clear(bad[start : start+page])
			case "bit":
				bad[at+at%97] ^= 1 << (at / page % 8)
			case "swap":
				next := (start + page) % len(bad)
				copy(bad[start:start+page], whole[next:next+page])
			}
			damaged := filepath.Join(t.TempDir(), "damaged.db")
			must(t, os.WriteFile(damaged, bad, 0o600))
			got, failed := read(t, damaged, ids)
			tried++
			if failed {
				noticed++
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("%s at %d: other content, and neither a read nor Check says so: %s", how, at, cmp.Diff(want, got, cmp.AllowUnexported(reading{})))
			}
		}
	}
	if noticed < tried/3 {
		t.Errorf("of %d damages, %d were noticed", tried, noticed)
	}
}
