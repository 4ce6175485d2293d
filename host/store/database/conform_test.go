package database_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/database"
	"github.com/rubric-host/rubric-host/host/store/postgres"
	"github.com/rubric-host/rubric-host/host/store/postgres/postgrestest"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

// An opener opens the same database each time it is called. It fails the test if it
// cannot.
type opener func(t testing.TB) *database.DB

// drivers are the drivers of this repository. Each returns the opener of a new, empty
// database, or skips the test.
var drivers = map[string]func(t testing.TB) opener{
	"sqlite": func(t testing.TB) opener {
		path := filepath.Join(t.TempDir(), "store ?#%20.db")
		return func(t testing.TB) *database.DB { return open(t, path) }
	},
	"postgres": func(t testing.TB) opener {
		url := server(t).Fresh()
		return func(t testing.TB) *database.DB {
			s, err := postgres.Open(t.Context(), url)
			must(t, err)
			return s
		}
	},
}

// eachDriver runs a test with every driver. That of PostgreSQL is slow.
func eachDriver(t *testing.T, test func(t *testing.T, fresh func(t testing.TB) opener)) {
	for name, fresh := range drivers {
		t.Run(name, func(t *testing.T) { test(t, fresh) })
	}
}

var started *postgrestest.Server // nil: no test has needed one

func TestMain(m *testing.M) {
	if of := os.Getenv(childVariable); of != "" {
		path, round, _ := strings.Cut(of, "\n")
		fmt.Fprintln(os.Stderr, writeForEver(path, round))
		os.Exit(1)
	}
	code := m.Run()
	if started != nil {
		started.Stop()
	}
	os.Exit(code)
}

// server returns a PostgreSQL server. It skips the test where none is wanted.
func server(t testing.TB) *postgrestest.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	if !postgrestest.Wanted() { // CI_REQUIRE_POSTGRES is not set
		t.Skip("needs a PostgreSQL server: make postgres-check")
	}
	if started == nil {
		var err error
		started, err = postgrestest.Start()
		must(t, err)
	}
	return started
}

func open(t testing.TB, path string) *database.DB {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	must(t, err)
	return s
}

func TestDrivers_Conform(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, open opener)
	}{
		{"RubricsAreKept", rubricsAreKept},
		{"RubricsAreListed", rubricsAreListed},
		{"RubricsRace", rubricsRace},
		{"ArtifactsAreKept", artifactsAreKept},
		{"ArtifactsConflict", artifactsConflict},
		{"ArtifactsAreListed", artifactsAreListed},
		{"ArtifactsRace", artifactsRace},
		{"RunsAreKept", runsAreKept},
		{"RunsAreReplacedWhole", runsAreReplacedWhole},
		{"RunsRace", runsRace},
		{"EvaluationsAreFiltered", evaluationsAreFiltered},
		{"EvaluationsAreOrdered", evaluationsAreOrdered},
		{"IDsAreBounded", idsAreBounded},
		{"Check", checks},
		{"Backup", backups},
		{"BackupWhileInUse", backupsWhileInUse},
		{"RestoreRefuses", restoreRefuses},
		{"StopsWithItsContext", stops},
	} {
		eachDriver(t, func(t *testing.T, fresh func(t testing.TB) opener) {
			t.Run(c.name, func(t *testing.T) { c.test(t, fresh(t)) })
		})
	}
}

func TestDrivers_AreAsTheirModel(t *testing.T) {
	amount.RapidIn(t, 15)
	eachDriver(t, isAsItsModel)
}

// opened opens a database for a test, and closes it with the test.
func opened(t testing.TB, open opener) *database.DB {
	t.Helper()
	s := open(t)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// reopened returns a store as another process sees it, after the first one has gone.
func reopened(t testing.TB, s *database.DB, open opener) *database.DB {
	t.Helper()
	must(t, s.Close())
	return opened(t, open)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func got[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return v
	}
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if reflect.DeepEqual(want, got) { // of large documents, a difference takes seconds
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func fails(t testing.TB, what string, err error, class fault.Class) {
	t.Helper()
	if !fault.Is(err, class) {
		t.Errorf("%s: %v (%s), want an error of class %s", what, err, fault.Of(err), class)
	}
}

// odd are texts that databases are known to get wrong.
var odd = []string{
	"a:b", "a", "b", "A", "it's", `"quoted"`, `back\slash`, "%", "_", "a%b", "$1", "?", "; DROP TABLE rubrics; --", " lead", "trail ", "tab\there", "line\nbreak",
	"ümläut", "u\u0308mlaut", "日本語", "🦊", "\u202e", "\ufeff", "\uffff", "nul\x00inside", "\x00", "\x00\x00", "\x01", "\x01\x01", "\x00\x01", "\x01\x00", "\x02", "null", "0", "1.0", "1e3", "true", "0x10", "\u007f",
}

// moment is a time as stores keep it.
var moment = time.Date(2026, 3, 4, 5, 6, 7, 8_009_000, time.UTC)

// race runs n goroutines at the same time, and returns their errors.
func race(n int, work func(i int) error) []error {
	var wg sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = work(i)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

// oneWins checks that one of the writers succeeded, and that the others know why not.
func oneWins(t *testing.T, errs []error) {
	t.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			fails(t, "a loser", err, fault.Conflict)
		}
	}
	if won != 1 {
		t.Fatalf("%d of %d writers succeeded: %v", won, len(errs), errs)
	}
}

func idsAreBounded(t *testing.T, open opener) {
	s := opened(t, open)
	long := string(slices.Repeat([]byte("ä"), 250))
	register(t, s, snapshot(long, long, "d"))
	must(t, s.PutArtifacts(t.Context(), []*review.Artifact{artifact(long, long)}, nil))
	for _, id := range []string{"", long + "x"} {
		_, err := s.PutRubrics(t.Context(), []registry.Snapshot{snapshot(id, "1", "d")})
		fails(t, "id of a rubric", err, fault.Invalid)
		_, err = s.PutRubrics(t.Context(), []registry.Snapshot{snapshot("r", id, "d")})
		fails(t, "version of a rubric", err, fault.Invalid)
		fails(t, "id of an artifact", s.PutArtifacts(t.Context(), []*review.Artifact{artifact(id, "1")}, nil), fault.Invalid)
		fails(t, "id of a run", s.PutRun(t.Context(), runOf(id, moment), sequence(nil)), fault.Invalid)
	}
	huge := string(slices.Repeat([]byte("x"), 1<<20)) // names of cases and rubrics in runs are anyone's
	r := runOf("r", moment)
	r.Rubric = huge
	e := evaluation(r, "e", huge)
	e.TargetType = huge
	must(t, s.PutRun(t.Context(), r, sequence([]store.Evaluation{e})))
	if n := len(got(s.Evaluations(t.Context(), store.Filter{Case: huge, Rubric: huge}))(t)); n != 1 {
		t.Errorf("%d evaluations of a huge case", n)
	}
}

func checks(t *testing.T, open opener) {
	s := opened(t, open)
	must(t, s.Check(t.Context()))
	register(t, s, snapshot("r", "1", "d"))
	must(t, s.PutArtifacts(t.Context(), []*review.Artifact{artifact("a", "1")}, nil))
	must(t, s.Check(t.Context()))
}
