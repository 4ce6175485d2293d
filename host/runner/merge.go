package runner

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
)

// Merge makes the directory of a run below root that holds the cases, rows and calls
// of finished runs. The caller closes it, and knows that no
// two runs have a row in common.
func Merge(root string, run *result.Run, dirs []string) (*Dir, Kept, error) {
	d, err := Create(root, run)
	if err != nil {
		return nil, Kept{}, err
	}
	for _, name := range []string{CasesFile, RowsFile, CallsFile} {
		for _, dir := range dirs {
			err = errors.Join(err, appendFile(filepath.Join(d.path, name), filepath.Join(dir, name)))
		}
	}
	if err != nil {
		return nil, Kept{}, errors.Join(writeFault(d.path, err), d.Discard())
	}
	if err := d.Close(); err != nil {
		return nil, Kept{}, err
	}
	d, kept, err := Resume(d.path, !run.Dataset.NoContent, func(*result.Row) bool { return false })
	if err != nil {
		return nil, Kept{}, err
	}
	if err := d.placeBySource(run.Dataset.Sources, kept.Rows); err != nil {
		return nil, Kept{}, errors.Join(err, d.Close())
	}
	return d, kept, nil
}

// A readAt is where a row of the dataset was read: the number of the file, and the line in it.
type readAt struct{ file, line int }

// placeBySource gives the rows of merged runs, which have as many places, the order in which the
// files and lines of their cases were read: Sort then puts them into it. Rows from one line, such
// as those of a JSON list without line breaks, keep the order that they have.
func (d *Dir) placeBySource(sources []dataset.Source, places int) error {
	cases, err := OpenCases(d.path)
	if err != nil {
		return err
	}
	defer cases.Close()
	r := result.NewRowReader(io.NewSectionReader(d.rows, 0, 1<<62))
	read := make([]readAt, places)
	for i := range d.list {
		head, err := r.NextHead()
		if err != nil {
			return err
		}
		name, line := placeIn(head.Case) // a row that could not be read has its place as its id
		if c, err := cases.Read(head.CaseDigest); err == nil && c != nil && c.Source != nil {
			name, line = c.Source.File, c.Source.Line
		}
		of := slices.IndexFunc(sources, func(s dataset.Source) bool { return s.Name == name })
		if of < 0 {
			of = len(sources)
		}
		read[d.list[i].place] = readAt{of, line}
	}
	order := make([]uint32, places)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(read[a].file, read[b].file), cmp.Compare(read[a].line, read[b].line))
	})
	now := make([]uint32, places)
	for i, old := range order {
		now[old] = uint32(i)
	}
	for i := range d.list {
		d.list[i].place = now[d.list[i].place]
	}
	return nil
}

// placeIn splits "FILE:LINE:COLUMN".
func placeIn(id string) (name string, line int) {
	if m := place().FindStringSubmatch(id); m != nil {
		name = m[1]
		line, _ = strconv.Atoi(m[2])
	}
	return name, line
}

var place = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^(.*):([1-9]\d*):[1-9]\d*$`) })

// appendFile appends a file of a run to that of another; one that does not exist is
// empty, and a last line without its break gets one.
func appendFile(to, from string) error {
	r, err := file.Open(from, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := file.Open(to, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return err
	}
	size, err := io.Copy(w, r)
	var last [1]byte
	if n, _ := r.ReadAt(last[:], size-1); n == 1 && last[0] != '\n' {
		_, more := w.WriteString("\n")
		err = errors.Join(err, more)
	}
	return errors.Join(err, w.Close())
}
