package runner

import (
	"bufio"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

// The files of a run directory.
const (
	RunFile   = "run.json"
	RowsFile  = "rows.jsonl"
	CallsFile = "calls.jsonl"
)

// syncEvery is how often rows are forced to disk.
const syncEvery = time.Second

// A Dir is a run directory: run.json, which says what was run, cases.jsonl, one
// line per case as it was read, and rows.jsonl, one line per case and repeat.
// Lines are appended whole, and the case of a row before the row. It is the
// truth of a run and its checkpoint. A Dir is used by one goroutine, and by one
// process: the rows are locked while it is open.
type Dir struct {
	path   string
	rows   *os.File
	cases  *caseWriter
	buf    *bufio.Writer
	synced time.Time
	done   *keys
}

// NewID returns a new run id: the time in UTC, the fraction of the second as
// four hexadecimal digits. So ids sort by age, and the last four tell the runs
// of a day apart.
func NewID(now time.Time) string {
	now = now.UTC()
	return now.Format("20060102-150405-") + fmt.Sprintf("%04x", uint64(now.Nanosecond())<<16/1e9)
}

// Create makes the directory of a new run below root and writes its run.json.
// If the id is taken by another process the run gets the next free one.
func Create(root string, run *result.Run) (*Dir, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, dirFault(root, err)
	}
	path := filepath.Join(root, run.ID)
	err := os.Mkdir(path, 0o755)
	for at := time.Now(); errors.Is(err, fs.ErrExist); err = os.Mkdir(path, 0o755) {
		at = at.Add(20 * time.Microsecond)
		run.ID = NewID(at)
		path = filepath.Join(root, run.ID)
	}
	if err != nil {
		return nil, dirFault(path, err)
	}
	f, err := os.OpenFile(filepath.Join(path, RowsFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, dirFault(path, err)
	}
	d := newDir(path, f)
	if d.cases, err = openCases(path, !run.Dataset.NoContent); err != nil {
		return nil, errors.Join(dirFault(path, err), f.Close())
	}
	return d, errors.Join(lock(f), d.WriteRun(run))
}

// Resume opens the directory of a run to go on with it: a torn last line of
// rows.jsonl and cases.jsonl is cut, and replay is called for every row that is
// there. content says whether further cases are kept with their content. It is a
// fault of class Conflict if another process has it open.
func Resume(path string, content bool, replay func(*result.Row)) (*Dir, error) {
	f, err := os.OpenFile(filepath.Join(path, RowsFile), os.O_RDWR, 0o644)
	if err != nil {
		return nil, dirFault(path, err)
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	d := newDir(path, f)
	d.done = newKeys()
	end, err := d.load(replay)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fault.New(fault.Invalid, "%s: %w", filepath.Join(path, RowsFile), err), f.Close())
	}
	if d.cases, err = openCases(path, content); err != nil {
		return nil, errors.Join(dirFault(path, err), f.Close())
	}
	return d, nil
}

// load reads the rows that are there and returns where the last whole one ends.
func (d *Dir) load(replay func(*result.Row)) (end int64, err error) {
	r := result.NewRowReader(d.rows)
	for {
		row, err := r.Next()
		var torn *result.TornError
		switch {
		case errors.Is(err, io.EOF), errors.As(err, &torn):
			end, whole := r.Tail()
			if !whole && end > 0 { // the last row lacks only its line break
				if _, err := d.rows.WriteAt([]byte("\n"), end); err != nil {
					return 0, err
				}
				end++
			}
			return end, nil
		case err != nil:
			return 0, err
		}
		d.done.add(row.Case, row.Repeat, row.CaseDigest)
		replay(row)
	}
}

func newDir(path string, f *os.File) *Dir {
	return &Dir{path: path, rows: f, buf: bufio.NewWriterSize(f, 64<<10), synced: time.Now()}
}

// Path returns the directory.
func (d *Dir) Path() string { return d.path }

// Append writes one row, and its case if that is new; c is nil if the row of the
// dataset could not be read. Rows reach the disk within a second, and on Close,
// and never before their cases.
func (d *Dir) Append(_ *result.Row, c *dataset.Case, encoded []byte) error {
	if c != nil {
		if err := d.cases.add(c); err != nil {
			return dirFault(d.path, err)
		}
	}
	if d.buf.Available() <= len(encoded) { // the row, or one before it, is about to be written
		if err := d.cases.flush(); err != nil {
			return dirFault(d.path, err)
		}
	}
	d.buf.Write(encoded) //nolint:errcheck // the error stays with the writer and comes with the next one
	if err := d.buf.WriteByte('\n'); err != nil {
		return dirFault(d.path, err)
	}
	if now := time.Now(); now.Sub(d.synced) >= syncEvery {
		d.synced = now
		return d.sync()
	}
	return nil
}

func (d *Dir) sync() error {
	if err := errors.Join(d.cases.sync(), d.buf.Flush(), d.rows.Sync()); err != nil {
		return dirFault(d.path, err)
	}
	return nil
}

// Done reports whether a case and repeat has its row already, with the same
// content. Sort keeps the order in which it is asked.
func (d *Dir) Done(caseID string, repeat int, digest string) bool {
	return d.done != nil && d.done.seen(caseID, repeat, digest)
}

// WriteRun replaces run.json as a whole.
func (d *Dir) WriteRun(run *result.Run) error {
	tmp, err := os.CreateTemp(d.path, ".run-*.json")
	if err != nil {
		return dirFault(d.path, err)
	}
	defer os.Remove(tmp.Name())
	err = errors.Join(result.WriteRun(tmp, run), tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(d.path, RunFile))
	}
	return dirFault(d.path, err)
}

// Discard removes the directory of a run that has nothing to keep.
func (d *Dir) Discard() error {
	return errors.Join(d.cases.close(), d.rows.Close(), os.RemoveAll(d.path))
}

// Close forces the rows to disk and lets go of them.
func (d *Dir) Close() error { return errors.Join(d.sync(), d.cases.close(), d.rows.Close()) }

func dirFault(path string, err error) error {
	if err == nil {
		return nil
	}
	class := fault.Invalid
	if errors.Is(err, fs.ErrNotExist) {
		class = fault.NotFound
	}
	return fault.WithHint(fault.New(class, "run directory %s: %w", path, err), "check that it exists and can be written, or choose another with --runs")
}

// ReadRun reads the run.json of a run directory.
func ReadRun(path string) (*result.Run, error) {
	f, err := os.Open(filepath.Join(path, RunFile))
	if err != nil {
		return nil, dirFault(path, err)
	}
	defer f.Close()
	run, err := result.ReadRun(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return run, nil
}

// List returns the ids of the runs below root, oldest first. A root that does
// not exist has none.
func List(root string) ([]string, error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, dirFault(root, err)
	}
	var ids []string
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(root, e.Name(), RunFile)); err == nil {
			ids = append(ids, e.Name())
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// Find returns the directory of the run that name means: a path, an id, the
// end or beginning of only one id, or "latest".
func Find(root, name string) (string, error) {
	if _, err := os.Stat(filepath.Join(name, RunFile)); err == nil {
		return name, nil
	}
	ids, err := List(root)
	if err != nil {
		return "", err
	}
	var found []string
	for _, id := range ids {
		if id == name {
			return filepath.Join(root, id), nil
		}
		if strings.HasPrefix(id, name) || strings.HasSuffix(id, name) {
			found = append(found, id)
		}
	}
	switch {
	case name == "latest" && len(ids) > 0:
		return filepath.Join(root, ids[len(ids)-1]), nil
	case len(found) == 1:
		return filepath.Join(root, found[0]), nil
	case len(found) > 1:
		return "", fault.WithHint(fault.New(fault.NotFound, "several runs are called %q: %s", name, strings.Join(found, ", ")), "write more of the id")
	}
	return "", fault.WithHint(fault.New(fault.NotFound, "no run %q in %s", name, root), "runs list shows what there is")
}

// keys is a set of (case, repeat, content), kept as seeded 64-bit hashes: what
// they take is not worth the texts themselves.
type keys struct {
	seed maphash.Seed
	set  map[uint64]struct{}
	rank map[uint64]int // what was asked for, in order
}

func newKeys() *keys {
	return &keys{seed: maphash.MakeSeed(), set: map[uint64]struct{}{}, rank: map[uint64]int{}}
}

func (k *keys) hash(caseID string, repeat int, digest string) uint64 {
	var h maphash.Hash
	h.SetSeed(k.seed)
	fmt.Fprintf(&h, "%d:%s%d:%s", len(caseID), caseID, repeat, digest)
	return h.Sum64()
}

func (k *keys) add(caseID string, repeat int, digest string) {
	k.set[k.hash(caseID, repeat, digest)] = struct{}{}
}

// seen reports whether a key is in the set, and remembers that it was asked for.
func (k *keys) seen(caseID string, repeat int, digest string) bool {
	h := k.hash(caseID, repeat, digest)
	if _, ok := k.rank[h]; !ok {
		k.rank[h] = len(k.rank)
	}
	_, ok := k.set[h]
	return ok
}
