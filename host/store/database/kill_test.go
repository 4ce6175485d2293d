package database_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/database"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

// childVariable names the file and the round of a process that writes until it is killed.
const childVariable = "SQLITE_TEST_CHILD"

// writeForEver writes to a store, and acknowledges each write on standard output.
func writeForEver(path, round string) error {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		id := fmt.Sprintf("%s-%d", round, i)
		if _, err := s.PutRubrics(ctx, []registry.Snapshot{rubricOf(id)}); err != nil {
			return err
		}
		fmt.Println("rubric", id)
		if err := s.PutArtifacts(ctx, []*review.Artifact{artifactOf("left" + id), artifactOf("right" + id)}, nil); err != nil {
			return err
		}
		fmt.Println("artifacts", id)
		if err := putRun(ctx, s, id); err != nil {
			return err
		}
		fmt.Println("run", id)
	}
}

func rubricOf(id string) registry.Snapshot {
	return registry.Snapshot{ID: id, Version: "1", Digest: "d", Document: bytes.Repeat([]byte(id), 1000), At: time.Unix(1, 0)}
}

func artifactOf(id string) *review.Artifact {
	return &review.Artifact{ID: id, Version: "1", Content: bytes.Repeat([]byte(" "), 3000), Created: time.Unix(1, 0)}
}

// rowsOfRun is the number of evaluations of a run.
const rowsOfRun = 100

func putRun(ctx context.Context, s *database.DB, id string) error {
	r := store.Run{ID: id, Started: time.Unix(1, 0)}
	return s.PutRun(ctx, r, func(yield func(store.Evaluation, error) bool) {
		for i := range rowsOfRun {
			if !yield(store.Evaluation{ID: fmt.Sprint(id, i), Case: fmt.Sprint(i), At: r.Started}, nil) {
				return
			}
		}
	})
}

// TestStore_SurvivesKills kills a process that writes, again and again, while this
// process has the database open: all acknowledged writes are there, and no partial
// ones.
func TestStore_SurvivesKills(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: starts and kills processes")
	}
	for first := 0; first < amount.Of(4, 200); first += 4 { // a new database for every four: reading it all takes ever longer
		killedOften(t, filepath.Join(t.TempDir(), "x.db"), first)
	}
}

func killedOften(t *testing.T, path string, first int) {
	t.Helper()
	s := open(t, path)
	for round := first; round < first+4; round++ {
		acks := killed(t, path, round)
		if len(acks) == 0 {
			t.Error("nothing was acknowledged")
		}
		for _, ack := range acks {
			what, id, _ := strings.Cut(ack, " ")
			if err := holds(t.Context(), s, what, id); err != nil {
				t.Errorf("round %d: %s was acknowledged: %v", round, ack, err)
			}
		}
		whole(t, s)
	}
	must(t, s.Check(t.Context()))
	must(t, s.Close())
	again := open(t, path)
	whole(t, again)
	must(t, again.Close())
}

// killed starts a writer and kills it after some writes. It returns the acknowledged
// ones.
func killed(t *testing.T, path string, round int) (acks []string) {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	child := exec.Command(self)
	child.Env = append(os.Environ(), fmt.Sprintf("%s=%s\n%d", childVariable, path, round))
	var problems bytes.Buffer
	child.Stderr = &problems
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	lines := bufio.NewScanner(out)
	for range 1 + rand.IntN(6) {
		if !lines.Scan() {
			t.Fatalf("the writer stopped: %s", problems.String())
		}
		acks = append(acks, lines.Text())
	}
	time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond) // into the middle of a write
	must(t, child.Process.Kill())
	for lines.Scan() {
		acks = append(acks, lines.Text())
	}
	child.Wait()
	return acks
}

// holds returns why a write that was acknowledged is not there.
func holds(ctx context.Context, s *database.DB, what, id string) error {
	switch what {
	case "rubric":
		got, err := s.Rubric(ctx, id, "")
		if err == nil && !bytes.Equal(got.Document, rubricOf(id).Document) {
			err = fmt.Errorf("it has %d bytes", len(got.Document))
		}
		return err
	case "artifacts":
		if _, err := s.Artifact(ctx, "left"+id, ""); err != nil {
			return err
		}
		_, err := s.Artifact(ctx, "right"+id, "")
		return err
	default:
		_, err := s.Run(ctx, id)
		return err
	}
}

// whole looks for writes that are there in part.
func whole(t *testing.T, s *database.DB) {
	t.Helper()
	list, err := s.Artifacts(t.Context(), review.Filter{})
	must(t, err)
	sides := map[string]int{}
	for _, a := range list {
		sides[a.ID[:4]]++
	}
	if sides["left"] != sides["righ"] {
		t.Errorf("half of a pair: %v", sides)
	}
	runs, err := s.Runs(t.Context())
	must(t, err)
	evaluations, err := s.Evaluations(t.Context(), store.Filter{})
	must(t, err)
	if len(evaluations) != len(runs)*rowsOfRun {
		t.Errorf("%d evaluations of %d runs", len(evaluations), len(runs))
	}
}
