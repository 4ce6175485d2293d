package database_test

import (
	"bytes"
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/store/postgres"
)

// connect connects as another program would.
func connect(t testing.TB, at string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", at)
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// TestPostgres_OpensManyAtOnce lets many processes open an empty database.
func TestPostgres_OpensManyAtOnce(t *testing.T) {
	at := server(t).Fresh()
	errs := make(chan error)
	for range 6 {
		go func() {
			s, err := postgres.Open(context.Background(), at)
			if err == nil {
				err = s.Close()
			}
			errs <- err
		}()
	}
	for range 6 {
		must(t, <-errs)
	}
}

func TestPostgres_RefusesANewerSchema(t *testing.T) {
	at := server(t).Fresh()
	s, err := postgres.Open(t.Context(), at)
	must(t, err)
	must(t, s.Close())
	_, err = connect(t, at).Exec(`INSERT INTO schema_migrations (number, name, applied_at) VALUES (99, 'future', 0)`)
	must(t, err)
	if _, err := postgres.Open(t.Context(), at); !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "schema 99") {
		t.Errorf("%v", err)
	}
}

// TestPostgres_UsesItsOwnSchema looks for the tables where no search_path names another place.
func TestPostgres_UsesItsOwnSchema(t *testing.T) {
	at := server(t).URL()
	s, err := postgres.Open(t.Context(), at)
	must(t, err)
	must(t, s.Close())
	var n int
	must(t, connect(t, at).QueryRow(`SELECT count(*) FROM pg_tables WHERE schemaname = $1 AND tablename = 'rubrics'`, postgres.Schema).Scan(&n))
	if n != 1 {
		t.Errorf("%d tables in %s", n, postgres.Schema)
	}
}

func TestPostgres_SaysWhatIsDamaged(t *testing.T) {
	at := server(t).Fresh()
	s, err := postgres.Open(t.Context(), at)
	must(t, err)
	defer s.Close()
	_, err = s.PutRubrics(t.Context(), []registry.Snapshot{{ID: "tone", Version: "1", Digest: "d", Document: []byte("abc"), At: time.Now()}})
	must(t, err)
	_, err = connect(t, at).Exec(`UPDATE rubrics SET document = 'abd'`)
	must(t, err)
	_, read := s.Rubric(t.Context(), "tone", "")
	_, backup := s.Backup(t.Context(), &bytes.Buffer{})
	for name, err := range map[string]error{"check": s.Check(t.Context()), "read": read, "backup": backup} {
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), `rubric "tone"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPostgres_ServerGoesAway ends all connections, as a restart of the server does: the next
// command works again.
func TestPostgres_ServerGoesAway(t *testing.T) {
	at := server(t).Fresh()
	s, err := postgres.Open(t.Context(), at)
	must(t, err)
	defer s.Close()
	_, err = connect(t, server(t).URL()).Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rubric-host'`)
	must(t, err)
	for range 3 {
		if _, err = s.Rubrics(t.Context(), registry.Filter{}); err == nil {
			break
		}
		if !fault.Is(err, fault.Storage) {
			t.Errorf("%v (%s)", err, fault.Of(err))
		}
	}
	must(t, err)
}

func TestPostgres_NeverShowsThePassword(t *testing.T) {
	for _, c := range []struct {
		url   string
		class fault.Class
	}{
		{"postgres://ann:canary@127.0.0.1:1/team?connect_timeout=1", fault.Storage},
		{"postgres://ann@127.0.0.1:1/team?password=canary&connect_timeout=1", fault.Storage},
		{"postgres://ann:can%20ary@127.0.0.1:notaport/team?x=canary", fault.Usage},
		{"postgresql://ann:canary@[::1/team", fault.Usage},
		{"postgres://ann:canary@127.0.0.1/team?sslmode=maybe", fault.Usage},
		{"postgres://ann:canary@127.0.0.1/team?sslmode=verify-full&sslrootcert=/none", fault.Usage},
		{"postgres://ann:canary@127.0.0.1/team?search_path=a,b", fault.Usage},
		{"postgres://ann:c@canary@127.0.0.1/team?sslmode=maybe", fault.Usage},
		{"postgres://ann:ca/nary@127.0.0.1/team", fault.Usage},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := postgres.Open(ctx, c.url)
		cancel()
		if !fault.Is(err, c.class) || strings.Contains(err.Error(), "canary") && !strings.Contains(c.url, "x=canary") || strings.Contains(err.Error(), "nary@") {
			t.Errorf("%s: %v (%s)", c.url, err, fault.Of(err))
		}
	}
	for in, want := range map[string]string{
		"postgres://ann:canary@h/d":            "postgres://ann:xxxxx@h/d",
		"x postgresql://ann:c:a@h/d y":         "x postgresql://ann:xxxxx@h/d y",
		"postgres://ann:a@b/c@h/d":             "postgres://ann:xxxxx@h/d",
		"postgres://h/d?a=b&password=canary&c": "postgres://h/d?a=b&password=xxxxx&c",
		"postgres://ann@h/d":                   "postgres://ann@h/d",
		"team.db":                              "team.db",
		"host:port@x":                          "host:port@x",
	} {
		if got := postgres.Redacted(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
