package postgres_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/rubric-host/rubric-host/host/store/postgres/postgrestest"
)

// server is the server of this package's tests; nil: none is wanted.
var server *postgrestest.Server

func TestMain(m *testing.M) { os.Exit(withServer(m)) }

func withServer(m *testing.M) int {
	if postgrestest.Wanted() {
		var err error
		if server, err = postgrestest.Start(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer server.Stop()
	}
	return m.Run()
}

// needServer skips a test where no server is wanted.
func needServer(t testing.TB) {
	t.Helper()
	if server == nil { // CI_REQUIRE_POSTGRES is not set
		t.Skip("needs a PostgreSQL server: make postgres-check")
	}
}

// fresh returns the URL of a new, empty schema.
func fresh(t testing.TB) string {
	t.Helper()
	needServer(t)
	return server.Fresh()
}
