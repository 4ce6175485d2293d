package runner

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
)

// CasesFile holds the cases of a run as they were read: one line per digest.
const CasesFile = "cases.jsonl"

// maxCaseLine is the longest line of cases.jsonl that is read, in bytes: a longer one is not a case.
const maxCaseLine = 256 << 20

// A digestKey is the first half of a SHA-256: enough to tell cases apart, even
// those of an attacker who looks for two that collide.
type digestKey [16]byte

func keyOf(digest string) (k digestKey, ok bool) {
	const prefix = "sha256:"
	if len(digest) != len(prefix)+64 || digest[:len(prefix)] != prefix {
		return k, false
	}
	_, err := hex.Decode(k[:], []byte(digest[len(prefix):len(prefix)+2*len(k)]))
	return k, err == nil
}

// caseWriter appends cases to cases.jsonl, each content once. It takes 10 to 23 bytes of memory per case.
type caseWriter struct {
	file    *os.File
	buf     *bufio.Writer
	seed    maphash.Seed
	have    map[[8]byte]struct{} // seeded hashes of digests: two of a million are the same with a chance of 3 in 10⁸
	line    []byte               // scratch
	content bool
}

// openCases opens the cases of a run to append to them. A torn last line is cut.
func openCases(dir string, content bool) (*caseWriter, error) {
	f, err := file.Open(filepath.Join(dir, CasesFile), os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nil, err
	}
	w := &caseWriter{file: f, buf: bufio.NewWriterSize(f, 64<<10), seed: maphash.MakeSeed(), have: map[[8]byte]struct{}{}, content: content}
	end := int64(0)
	err = scanCases(f, func(at caseAt) {
		w.have[w.hash(at.key)] = struct{}{}
		end = at.end
	})
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return w, nil
}

// add writes a case unless the file holds it.
func (w *caseWriter) add(c *dataset.Case) error {
	key, ok := keyOf(c.Digest())
	h := w.hash(key)
	if _, known := w.have[h]; !ok || known {
		return nil
	}
	w.have[h] = struct{}{}
	w.line = append(result.AppendCase(w.line[:0], c, w.content), '\n')
	_, err := w.buf.Write(w.line)
	return err
}

// has reports whether the file holds the case of a digest.
func (w *caseWriter) has(digest string) bool {
	key, _ := keyOf(digest)
	_, known := w.have[w.hash(key)]
	return known
}

// hash returns bytes: a map of uint64 without values takes 16 bytes each.
func (w *caseWriter) hash(key digestKey) (h [8]byte) {
	binary.NativeEndian.PutUint64(h[:], maphash.Bytes(w.seed, key[:]))
	return h
}

func (w *caseWriter) flush() error { return w.buf.Flush() }
func (w *caseWriter) close() error { return w.file.Close() }

// caseAt is where the line of a case lies.
type caseAt struct {
	key        digestKey
	start, end int64 // end is behind the line break
}

// scanCases finds every whole line. A line that is not a case is left out, and a
// last line without a line break is torn.
func scanCases(r io.Reader, found func(caseAt)) error {
	lines := file.NewLines(r, maxCaseLine)
	for at := int64(0); ; {
		line, size, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		start := at
		at += int64(size)
		if key, ok := keyOf(digestIn(line)); ok {
			found(caseAt{key, start, at})
		}
	}
}

// digestIn returns the digest in the head of a line of cases.jsonl, where
// AppendCase puts it.
func digestIn(line []byte) string {
	_, rest, ok := bytes.Cut(line[:min(len(line), 256)], []byte(`"digest":"`))
	if !ok {
		return ""
	}
	digest, _, _ := bytes.Cut(rest, []byte{'"'})
	return string(digest)
}

// A CaseFile finds the cases of a run by their digest. It takes 32 bytes of memory
// per case. It is safe for concurrent use.
type CaseFile struct {
	file  *os.File
	index []caseAt // sorted by key
}

// OpenCases opens the cases of the run in dir. A run without the file has none.
func OpenCases(dir string) (*CaseFile, error) {
	f, err := file.Open(filepath.Join(dir, CasesFile), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return &CaseFile{}, nil
	}
	if err != nil {
		return nil, dirFault(dir, err)
	}
	c := &CaseFile{file: f}
	if err := scanCases(f, func(at caseAt) { c.index = append(c.index, at) }); err != nil {
		return nil, errors.Join(fault.New(fault.Invalid, "%s: %w", f.Name(), err), f.Close())
	}
	slices.SortFunc(c.index, func(a, b caseAt) int { return bytes.Compare(a.key[:], b.key[:]) })
	return c, nil
}

// Read returns the line of a case, or nil if there is none with this digest.
func (c *CaseFile) Read(digest string) (*result.Case, error) {
	key, ok := keyOf(digest)
	if !ok {
		return nil, nil //nolint:nilnil // not there is no error
	}
	i, found := slices.BinarySearchFunc(c.index, key, func(at caseAt, k digestKey) int { return bytes.Compare(at.key[:], k[:]) })
	if !found {
		return nil, nil //nolint:nilnil // not there is no error
	}
	at := c.index[i]
	line := make([]byte, at.end-at.start)
	if _, err := c.file.ReadAt(line, at.start); err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", c.file.Name(), err)
	}
	return result.ReadCase(line)
}

// Of returns the case that a row graded, under the row's id. It has no fields if
// the run keeps digests only, and is nil if the row of the dataset could not be
// read.
func (c *CaseFile) Of(row *result.Row) (*dataset.Case, error) {
	record, err := c.Read(row.CaseDigest)
	if err != nil || record == nil {
		return nil, err
	}
	restored, err := record.Restore(row.Case)
	if restored != nil {
		restored.Rubric = row.Rubric
	}
	return restored, err
}

// Close closes the file.
func (c *CaseFile) Close() error {
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}
