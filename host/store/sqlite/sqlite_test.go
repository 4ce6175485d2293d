package sqlite_test

import (
	"path/filepath"
	"testing"

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
