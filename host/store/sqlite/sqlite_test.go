package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/store/database"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
	"github.com/rubric-host/rubric-host/host/store/storetest"
)

func TestStore_Conforms(t *testing.T) {
	storetest.Run(t, func(t testing.TB) storetest.Opener {
		path := filepath.Join(t.TempDir(), "store ?#%20.db")
		return func(t testing.TB) storetest.Store {
			s, err := sqlite.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	})
}

func TestStore_IsAsItsModel(t *testing.T) {
	amount.RapidIn(t, 15)
	storetest.Model(t, func(t testing.TB) storetest.Opener {
		path := filepath.Join(t.TempDir(), "model.db")
		return func(t testing.TB) storetest.Store { return open(t, path) }
	})
}

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
