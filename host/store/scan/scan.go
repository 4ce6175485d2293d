// Package scan brings an index up to date with run directories. They are the truth: an
// index that was lost has the same content after the next scan.
//
// Stability: experimental.
package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/store"
)

// A Result counts the runs of a scan.
type Result struct {
	Runs        int `json:"runs"`        // in the directory
	Read        int `json:"read"`        // of those; the others have not changed
	Evaluations int `json:"evaluations"` // of the runs that were read
	Dropped     int `json:"dropped"`     // runs that are gone

	// Problems has an error for each run that is not indexed.
	Problems []error `json:"-"`
}

// unsettled is the age up to which a change of a file may go without a trace: a further
// one may leave size and time as they are.
const unsettled = 2 * time.Second

// Directory brings the index up to date with the runs below root on a host. It reads those
// that have changed, and drops those of the host that are gone: other hosts may have a
// directory of the same name. Of a directory that several hosts share, runs are read once.
//
// A run that cannot be read is not an error: it is dropped, and in Problems. A run that is being
// written is indexed up to its last whole row. A root that does not exist has no runs.
func Directory(ctx context.Context, index store.Runs, host, root string) (r Result, err error) {
	if root, err = filepath.Abs(root); err != nil {
		return r, fault.As(fault.Invalid, err)
	}
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, fault.New(fault.Invalid, "%s: %w", root, err)
	}
	s := &scanner{index: index, host: host, known: map[string][]store.Run{}, ids: map[string]string{}, result: &r}
	known, err := index.Runs(ctx)
	if err != nil {
		return r, err
	}
	for _, k := range known {
		if filepath.Dir(k.Dir) == root {
			s.known[k.Dir] = append(s.known[k.Dir], k)
		}
	}
	var changed []*found
	for _, e := range entries {
		if f := s.look(filepath.Join(root, e.Name())); f != nil {
			changed = append(changed, f)
		}
	}
	slices.SortFunc(changed, func(a, b *found) int {
		return cmp.Or(a.run.Started.Compare(b.run.Started), cmp.Compare(a.run.ID, b.run.ID))
	})
	for _, f := range changed {
		if err := s.take(ctx, f); err != nil {
			return r, err
		}
	}
	for _, k := range known {
		if k.Host != host || filepath.Dir(k.Dir) != root || s.ids[k.ID] != "" { // it may have been renamed
			continue
		}
		if _, err := index.DropRun(ctx, k.ID); err != nil {
			return r, err
		}
		r.Dropped++
	}
	return r, nil
}

type scanner struct {
	index  store.Runs
	host   string
	known  map[string][]store.Run // of the index, by directory, of every host
	ids    map[string]string      // of the runs that were found, with their directories
	result *Result
}

// A found run is one that is read.
type found struct {
	dir     string
	run     *result.Run
	size    int64
	changed time.Time
}

func (s *scanner) problem(dir string, err error) {
	s.result.Problems = append(s.result.Problems, fmt.Errorf("%s is not indexed: %w", dir, err))
}

// look returns the run in a directory if it has to be read, else nil.
func (s *scanner) look(dir string) *found {
	info, err := os.Stat(filepath.Join(dir, runner.RunFile))
	if err != nil || !info.Mode().IsRegular() {
		return nil // no run
	}
	s.result.Runs++
	f := &found{dir: dir}
	for _, name := range []string{runner.RunFile, runner.RowsFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		f.size += info.Size()
		if info.ModTime().After(f.changed) {
			f.changed = info.ModTime().Truncate(time.Microsecond)
		}
	}
	for _, k := range s.known[dir] { // of whatever host: they may share it
		if k.Size == f.size && k.Changed.Equal(f.changed) {
			s.ids[k.ID] = dir
			return nil
		}
	}
	if f.run, err = runner.ReadRun(dir); err != nil {
		s.problem(dir, err)
		return nil
	}
	return f
}

// take reads a run into the index. Its error is the index's.
func (s *scanner) take(ctx context.Context, f *found) error {
	id := f.run.ID
	if id == "" || len(id) > store.MaxID {
		s.problem(f.dir, fault.New(fault.Invalid, "its run id has %d bytes: from 1 to %d", len(id), store.MaxID))
		return nil
	}
	if other := s.ids[id]; other != "" {
		s.problem(f.dir, fault.WithHint(fault.New(fault.Conflict, "%s has the same run id", other), "remove the copy"))
		return nil
	}
	rows := &rows{found: f, rubrics: rubricsOf(f.run)}
	if err := s.put(ctx, rows); err != nil {
		if rows.bad == nil || ctx.Err() != nil {
			return err
		}
		s.problem(f.dir, rows.bad)
		return nil
	}
	s.ids[id] = f.dir
	s.result.Read++
	s.result.Evaluations += rows.n
	return nil
}

func (s *scanner) put(ctx context.Context, f *rows) error {
	r := store.Run{
		ID: f.run.ID, Host: s.host, Dir: f.dir, Rubric: f.run.Rubric.ID, Version: f.run.Rubric.Version, Plan: f.run.PlanDigest,
		Started: f.run.Started.UTC().Truncate(time.Microsecond), Size: f.size, Changed: f.changed,
	}
	if time.Since(f.changed) < unsettled {
		r.Changed = time.Time{}
	}
	return s.index.PutRun(ctx, r, f.evaluations)
}
