package runner

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// The files of a run directory.
const (
	RunFile   = "run.json"
	RowsFile  = "rows.jsonl"
	CallsFile = "calls.jsonl"
)

// lockFile is locked while a process writes the run. It is never replaced.
const lockFile = ".lock"

// lockWait is how long a writer waits for another process, which may be checking
// whether the run is active.
const lockWait = 100 * time.Millisecond

// syncEvery is the shortest time between two syncs to disk.
const syncEvery = time.Second

// A Dir is a run directory: run.json, which describes the run, cases.jsonl, one
// line per case as it was read, and rows.jsonl, one line per case and repeat.
// Lines are appended whole, and the case of a row before the row; Sort puts the
// rows into the order of the dataset. It
// is the truth of a run and its checkpoint. A Dir is used by one goroutine, and
// by one process: it is locked while it is open. It takes 12 bytes of memory per
// row, and some 50 more for rows of an earlier session.
type Dir struct {
	path     string
	lock     *os.File
	rows     *os.File
	cases    *caseWriter
	buf      *bufio.Writer
	mu       sync.Mutex        // of list: rows are appended while cases are still asked for
	list     []entry           // the rows, in the order of the file
	done     map[uint64]uint32 // keys of an earlier session's rows to places in list; nil: there was none
	seed     maphash.Seed
	finished bool  // by Sync: nothing more comes
	broken   error // why rows or cases cannot be kept
	fixed    bool  // rows have their places: that of the first row of their key

	calls  *os.File  // nil: none are recorded
	synced time.Time // when the files were last forced to disk
}

// An entry is a row in rows.jsonl.
type entry struct {
	place  uint32 // in the dataset; unasked: not asked for yet
	size   uint32 // in bytes, with its line break
	scored bool
	redo   bool // it is graded again, and stays only until that is done
}

const unasked = math.MaxUint32

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
		if errors.Is(err, fs.ErrExist) {
			err = errors.New("a symbolic link to a directory that does not exist")
		}
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
	d, err := openDir(path, os.O_CREATE|os.O_EXCL, !run.Dataset.NoContent)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	if err := d.WriteRun(run); err != nil { // without it the directory is not found
		return nil, errors.Join(err, d.Discard())
	}
	return d, nil
}

// A Kept counts the rows that Resume found in a run directory.
type Kept struct {
	Rows    int // that stay
	Doubled int // that stood there more than once
	Redo    int // that are graded again
}

// Resume opens the directory of a run to continue it. Torn last lines are cut,
// and rows that stand there twice are counted once. again says which of the rows
// without a score are graded again: the rows then keep the order of the file.
// Nil: none is. content says whether further
// cases are kept with their content. It is a fault of class Conflict if another
// process has the run open.
func Resume(path string, content bool, again func(*result.Row) bool) (*Dir, Kept, error) {
	flags := 0
	if again == nil {
		flags = os.O_CREATE // the rows were removed: those of a dataset are made again
	}
	d, err := openDir(path, flags, content)
	if err != nil {
		return nil, Kept{}, err
	}
	for _, pattern := range []string{".rows-*.jsonl", ".run-*.json"} { // of a process that was killed
		old, _ := filepath.Glob(filepath.Join(path, pattern)) // the pattern is right
		for _, name := range old {
			os.Remove(name) //nolint:errcheck // it only takes room
		}
	}
	d.done, d.fixed = map[uint64]uint32{}, again != nil
	kept, end, err := d.load(again)
	if err == nil {
		err = d.rows.Truncate(end)
	}
	if err == nil {
		_, err = d.rows.Seek(end, io.SeekStart)
	}
	if err != nil {
		return nil, Kept{}, errors.Join(fault.New(fault.Invalid, "%s: %w", filepath.Join(path, RowsFile), err), d.Close())
	}
	return d, kept, nil
}

// openDir locks a run directory and opens its files.
func openDir(path string, flags int, content bool) (*Dir, error) {
	d := &Dir{path: path, seed: maphash.MakeSeed(), synced: time.Now()}
	var err error
	if d.lock, err = file.Open(filepath.Join(path, lockFile), os.O_CREATE|os.O_RDWR); err != nil {
		return nil, dirFault(path, err)
	}
	if err := file.Lock(d.lock, lockWait); err != nil {
		if fault.Is(err, fault.Conflict) {
			err = fault.WithHint(fault.New(fault.Conflict, "another process is writing this run"), "wait for it, or start a new run with "+fault.OptionFresh)
		}
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), d.lock.Close())
	}
	if d.rows, err = file.Open(filepath.Join(path, RowsFile), os.O_RDWR|flags); err != nil {
		return nil, errors.Join(dirFault(path, err), d.lock.Close())
	}
	if d.cases, err = openCases(path, content); err != nil {
		return nil, errors.Join(dirFault(path, err), d.rows.Close(), d.lock.Close())
	}
	d.buf = bufio.NewWriterSize(d.rows, 64<<10)
	return d, nil
}

// Active reports whether a process is writing the run in path. Where files cannot
// be locked it is always true.
func Active(path string) bool {
	f, err := file.Open(filepath.Join(path, lockFile), os.O_RDWR)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	return file.Locked(f)
}

// load notes the existing rows and returns where the last whole one ends.
func (d *Dir) load(again func(*result.Row) bool) (kept Kept, end int64, err error) {
	r := result.NewRowReader(d.rows)
	for at := int64(0); ; {
		head, err := r.NextHead()
		switch {
		case result.Ended(err):
			if end, whole := r.Tail(); !whole && end == at && at > 0 { // the last row lacks only its line break
				if _, err := d.rows.WriteAt([]byte("\n"), at); err != nil {
					return kept, 0, err
				}
				at++
				d.list[len(d.list)-1].size++
			}
			kept.Redo, err = d.choose(again)
			return kept, at, err // blank lines behind the last row are cut
		case err != nil:
			return kept, 0, err
		}
		start := at
		at, _ = r.Tail()
		d.note(&head, uint32(at-start), &kept)
	}
}

// note registers an existing row, with its size in bytes. Of rows with one key the first with a
// score counts, else the last.
func (d *Dir) note(head *result.RowHead, size uint32, kept *Kept) {
	e := entry{place: unasked, size: size, scored: head.Status == rubric.Scored}
	defer func() { d.list = append(d.list, e) }()
	if !d.fixed && head.Repeat > 0 && !d.cases.has(head.CaseDigest) { // the machine went down between the two: it is graded again
		return
	}
	key := RowKey(d.seed, head.Case, head.Repeat, head.CaseDigest)
	old, twice := d.done[key]
	if d.fixed {
		e.place = uint32(kept.Rows)
		if twice {
			e.place = d.list[old].place
		}
	}
	switch {
	case !twice:
		kept.Rows++
	case d.list[old].scored && e.scored:
		kept.Doubled++
	}
	if !twice || !d.list[old].scored {
		d.done[key] = uint32(len(d.list))
	}
}

// choose marks the rows without a score that are graded again.
func (d *Dir) choose(again func(*result.Row) bool) (n int, err error) {
	if again == nil {
		return 0, nil
	}
	counts := make(map[uint32]bool)
	for _, i := range d.done {
		if !d.list[i].scored {
			counts[i] = true
		}
	}
	at := int64(0)
	for i := range d.list {
		e := &d.list[i]
		if counts[uint32(i)] {
			row, err := result.NewRowReader(io.NewSectionReader(d.rows, at, int64(e.size))).Next()
			if err != nil {
				return n, err
			}
			if e.redo = again(row); e.redo {
				n++
			}
		}
		at += int64(e.size)
	}
	return n, nil
}

// Path returns the directory.
func (d *Dir) Path() string { return d.path }

// Append writes one row, and its case if that is new; c is nil if the row of the
// dataset could not be read. A row never reaches the file before its case.
func (d *Dir) Append(place int, row *result.Row, c *dataset.Case, encoded []byte) error {
	if place < 0 || place >= unasked {
		return fault.New(fault.Invalid, "a run has at most %d rows", unasked)
	}
	if c != nil {
		if err := d.cases.add(c); err != nil {
			return d.broke(err)
		}
	}
	if d.buf.Available() <= len(encoded) { // the row, or one before it, is about to be written
		if err := d.cases.flush(); err != nil {
			return d.broke(err)
		}
	}
	d.buf.Write(encoded) //nolint:errcheck // the error stays with the writer and comes with the next one
	if err := d.buf.WriteByte('\n'); err != nil {
		return d.broke(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fixed {
		if i, ok := d.done[RowKey(d.seed, row.Case, row.Repeat, row.CaseDigest)]; ok {
			place = int(d.list[i].place)
		}
	}
	d.list = append(d.list, entry{place: uint32(place), size: uint32(len(encoded)) + 1, scored: row.Status == rubric.Scored})
	return nil
}

// Calls opens the recording of the judge's calls: it is read from its beginning, and every
// write goes to its end, where the caller has cut a torn line. It is forced to disk like the
// rows, and closed with the directory.
func (d *Dir) Calls() (f *os.File, err error) {
	d.calls, err = file.Open(filepath.Join(d.path, CallsFile), os.O_CREATE|os.O_APPEND|os.O_RDWR)
	return d.calls, dirFault(d.path, err)
}

// Flush writes appended rows to the files: they outlive the process then. If it is
// called once a second, they and the recorded calls outlive the machine two seconds later.
func (d *Dir) Flush() error {
	if time.Since(d.synced) >= syncEvery {
		return d.sync()
	}
	return d.broke(d.flush())
}

// flush writes what is buffered. A case that cannot be written keeps its row back.
func (d *Dir) flush() error {
	if err := d.cases.flush(); err != nil {
		return err
	}
	return d.buf.Flush()
}

// sync forces appended rows and recorded calls to disk, and checks that the rows still exist.
func (d *Dir) sync() error {
	err := errors.Join(d.flush(), d.cases.file.Sync(), d.rows.Sync())
	if d.calls != nil {
		err = errors.Join(err, d.calls.Sync())
	}
	d.synced = time.Now()
	if err != nil {
		return d.broke(err)
	}
	here, errHere := d.rows.Stat()
	there, errThere := os.Stat(filepath.Join(d.path, RowsFile))
	if errHere == nil && (errThere != nil || !os.SameFile(here, there)) {
		err = fault.WithHint(fault.New(fault.Storage, "run directory %s: %s was removed or replaced during the run", d.path, RowsFile), "re-run the same command; no other program may write there")
	}
	return d.broke(err)
}

// Done reports whether a case and repeat has its row already, with the same
// content, and remembers its place in the dataset.
func (d *Dir) Done(place int, caseID string, repeat int, digest string) bool {
	return d.find(caseID, repeat, digest, func(e *entry) {
		if !d.fixed {
			e.place = uint32(place)
		}
	})
}

// Has reports whether a case and repeat had its row when the run was resumed.
func (d *Dir) Has(caseID string, repeat int, digest string) bool {
	return d.find(caseID, repeat, digest, func(*entry) {})
}

// find calls found with the entry of an earlier session's row, if there is one, and reports
// whether that row stays.
func (d *Dir) find(caseID string, repeat int, digest string, found func(*entry)) bool {
	if d.done == nil {
		return false
	}
	i, ok := d.done[RowKey(d.seed, caseID, repeat, digest)]
	if !ok {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	found(&d.list[i])
	return !d.list[i].redo
}

// RowKey is a seeded hash of a row's identity: the texts themselves would take too much
// memory.
func RowKey(seed maphash.Seed, caseID string, repeat int, digest string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	fmt.Fprintf(&h, "%d:%s%d:%s", len(caseID), caseID, repeat, digest)
	return h.Sum64()
}

// WriteRun replaces run.json as a whole.
func (d *Dir) WriteRun(run *result.Run) error {
	tmp, err := file.CreateTemp(d.path, ".run-*.json", 0o644)
	if err != nil {
		return writeFault(d.path, err)
	}
	defer os.Remove(tmp.Name())
	err = errors.Join(result.WriteRun(tmp, run), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(d.path, RunFile))
	}
	return writeFault(d.path, err)
}

// Discard removes the directory of a run that has nothing to keep.
func (d *Dir) Discard() error {
	return errors.Join(d.closeCalls(), d.cases.close(), d.rows.Close(), os.RemoveAll(d.path), d.lock.Close())
}

// Sync forces the rows to disk. The error says, too, that they were removed
// meanwhile.
func (d *Dir) Sync() error {
	d.finished = true
	return d.sync()
}

// broke returns why rows or cases cannot be kept: the first reason, from then on.
func (d *Dir) broke(err error) error {
	if d.broken == nil && err != nil {
		if d.broken = err; !fault.Is(err, fault.Storage) {
			d.broken = writeFault(d.path, err)
		}
	}
	return d.broken
}

// Close syncs the files, unless that was done, and lets go of them.
func (d *Dir) Close() error {
	var err error
	if !d.finished {
		err = d.Sync()
	}
	return errors.Join(err, d.closeCalls(), d.cases.close(), d.rows.Close(), d.lock.Close())
}

func (d *Dir) closeCalls() error {
	if d.calls == nil {
		return nil
	}
	err := errors.Join(d.calls.Sync(), d.calls.Close())
	d.calls = nil
	return err
}

func dirFault(path string, err error) error {
	if err == nil {
		return nil
	}
	class := fault.Invalid
	if errors.Is(err, fs.ErrNotExist) {
		class = fault.NotFound
	}
	return fault.WithHint(fault.New(class, "run directory %s: %w", path, err), "check that it exists and can be written, or choose another with "+fault.OptionRuns)
}

// writeFault is dirFault for writes of a run that has begun.
func writeFault(path string, err error) error {
	if err == nil {
		return nil
	}
	return fault.WithHint(fault.New(fault.Storage, "run directory %s: %w", path, err), "free some space or check its permissions, then re-run the same command to resume")
}

// ReadRun reads the run.json of a run directory. A run that no process is writing
// is not running, whatever it says.
func ReadRun(path string) (*result.Run, error) {
	f, err := file.Open(filepath.Join(path, RunFile), os.O_RDONLY)
	if err != nil {
		return nil, dirFault(path, err)
	}
	defer f.Close()
	run, err := result.ReadRun(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
		return nil, fault.WithHint(err, "%s", cmp.Or(fault.OwnHint(err), result.Restore))
	}
	if run.Status == result.Running && !Active(path) {
		run.Status = result.Interrupted // by something that let it say nothing
	}
	return run, nil
}
