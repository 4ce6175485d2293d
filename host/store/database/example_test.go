package database_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

// Rubrics are kept in a database: a version never changes.
func Example_registry() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "registry")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "rubrics.db"))
	if err != nil {
		panic(err)
	}
	defer store.Close()

	rubrics := registry.New(store, registry.Options{By: "ann"})
	for _, weight := range []string{"0.4", "0.5"} {
		doc, err := dialect.Decode("quiz.yaml", []byte("rubric: quiz\nversion: 1.0.0\ncriteria:\n  - {id: clear, weight: "+weight+", judge: It is clear.}\n"), dialect.Options{})
		if err != nil {
			panic(err)
		}
		if _, err := rubrics.Register(ctx, doc); err != nil {
			_, difference, _ := strings.Cut(err.Error(), "\n")
			fmt.Println(fault.Of(err), difference)
		}
	}
	doc, err := rubrics.Load(ctx, "quiz", "1.0.0")
	if err != nil {
		panic(err)
	}
	fmt.Println(doc.File, doc.Rubric.Criteria[0].Weight.Value)
	// Output:
	// conflict   criteria[clear].weight: 0.4 -> 0.5
	// registry:quiz@1.0.0 0.4
}
