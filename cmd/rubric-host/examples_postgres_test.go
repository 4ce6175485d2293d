package main_test

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/store/postgres/postgrestest"
)

// TestExamplesInPostgres runs the commands of the example of reviews again, on a
// PostgreSQL database: they print the same.
func TestExamplesInPostgres(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	if !postgrestest.Wanted() { // CI_REQUIRE_POSTGRES is not set
		t.Skip("needs a PostgreSQL server: make postgres-check")
	}
	prepare(t)
	s, err := postgrestest.Start()
	must(t, err)
	defer s.Stop()
	if n := testREADME(t, examples+"/review/README.md", "RUBRIC_HOST_STORE="+s.Fresh()); n == 0 {
		t.Error("the example shows no command")
	}
}
