package sqlite_test

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/store/database"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

func open(t testing.TB, path string) *database.DB {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	must(t, err)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
