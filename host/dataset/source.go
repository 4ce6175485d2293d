package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/xslices"
)

type splitter interface {
	// next fills in the next row; false: there is none. The row is valid until
	// the next call.
	next(row *rawRow) bool

	// problem says, after next returned false, why the rest of the source could
	// not be read; nil: it ended well.
	problem() *diag.Diagnostic
}

// rawRow is one row, as JSON text or as fields, or its problem.
type rawRow struct {
	json   []byte
	fields []Field
	bad    diag.List
	pos    diag.Pos
	rubric string
}

// source is a file to read, standard input, or the rows given.
type source struct {
	name  string
	path  string    // empty: not a file
	stdin io.Reader // nil: not standard input
	given []Given
}

// opened is a source that is being read. It counts and hashes the bytes read.
type opened struct {
	format Format
	in     io.Reader
	closer io.Closer
	hash   hash.Hash
	n      int64
	ended  bool
}

func (o *opened) Read(p []byte) (int, error) {
	n, err := o.in.Read(p)
	o.n += int64(n)
	o.hash.Write(p[:n])
	if errors.Is(err, io.EOF) {
		o.ended = true
	}
	return n, err
}

func (o *opened) sum() string {
	if !o.ended {
		return ""
	}
	return digest.Sum(o.hash)
}

func (o *opened) close() error {
	if o.closer == nil {
		return nil
	}
	return o.closer.Close()
}

// find resolves paths and globs, and reports everything that is not there.
func find(opts Options) ([]source, error) {
	var out []source
	var errs []error
	if len(opts.Given) > 0 {
		out = append(out, source{name: opts.Given[0].Pos.File, given: opts.Given})
	}
	stdin := false
	for _, p := range opts.Paths {
		switch {
		case p == "":
			errs = append(errs, badOption("name a file, or - for standard input", "a dataset has an empty name"))
		case p == "-" && (stdin || opts.Stdin == nil):
			errs = append(errs, badOption("name - once", "standard input can be read only once"))
		case p == "-":
			stdin = true
			name := cmp.Or(opts.StdinName, "<stdin>")
			out = append(out, source{name: name, stdin: opts.Stdin})
		default:
			files, err := expand(p)
			if err != nil {
				errs = append(errs, err)
			}
			for _, f := range files {
				out = append(out, source{name: f, path: f})
			}
		}
	}
	switch {
	case len(errs) == 1:
		return nil, errs[0]
	case len(errs) > 1:
		return nil, fault.As(fault.Of(errs[0]), errors.Join(errs...))
	case len(out) == 0:
		return nil, badOption("name a file with "+fault.OptionDataset+", or - for standard input", "no dataset to read")
	}
	return out, nil
}

func expand(p string) ([]string, error) {
	info, err := os.Stat(p)
	switch {
	case err == nil && info.IsDir():
		return nil, fault.WithHint(fault.New(fault.Invalid, "%s is a directory, not a dataset", p), "name its files: %s", filepath.Join(p, "*.jsonl"))
	case err == nil:
		return []string{p}, nil
	case !strings.ContainsAny(p, "*?["):
		return nil, file.OpenFault(p, err)
	}
	files, err := filepath.Glob(p)
	if err != nil {
		return nil, badOption("write * for any text, ? for one character", "%s: %w", p, err)
	}
	files = slices.DeleteFunc(files, func(f string) bool {
		info, err := os.Stat(f)
		return err == nil && info.IsDir()
	})
	if len(files) == 0 {
		return nil, fault.New(fault.NotFound, "no file matches %s", p)
	}
	slices.Sort(files)
	return files, nil
}

// sniffed is how much of a file is looked at to tell its format.
const sniffed = 16 << 10

// begin opens the source and finds its splitter.
func (s *source) begin(opts Options) (splitter, *opened, *diag.Diagnostic) {
	o := &opened{hash: sha256.New(), in: s.stdin}
	if s.given != nil {
		o.ended, o.in = true, strings.NewReader("")
		return &givenRows{rows: s.given}, o, nil
	}
	problem := func(code, hint, format string, args ...any) (splitter, *opened, *diag.Diagnostic) {
		_ = o.close() // it was only read
		return nil, nil, &diag.Diagnostic{Code: code, Pos: diag.Pos{File: s.name}, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	if s.path != "" {
		if err := file.Check(s.path); err != nil {
			return problem("file-special", fault.Hint(err), "the file is %s", strings.TrimPrefix(err.Error(), s.path+" is "))
		}
		f, err := os.Open(s.path)
		if err != nil {
			return problem("file-unreadable", "check the name and its permissions", "%s", strings.TrimPrefix(err.Error(), "open "+s.path+": "))
		}
		o.in, o.closer = f, f
	}
	in, err := unzipped(bufio.NewReaderSize(o, 256<<10))
	if err != nil {
		return problem("file-binary", "compress the file again", "the file is not valid gzip: %v", err)
	}
	head, err := in.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return problem("file-unreadable", "check the file and the disk", "%v", err)
	}
	if code, message, hint := foreign(head); code != "" {
		return problem(code, hint, "%s", message)
	}
	if bytes.HasPrefix(head, bom) {
		_, _ = in.Discard(len(bom)) // they were just seen
		head = head[len(bom):]
	}
	format := cmp.Or(opts.Format, formatOf(s.name))
	if format == JSONL && spread(head) {
		return problem(codeMismatch, "use "+fault.OptionDatasetFormat+" json, or write one object per line (jq -c)", "the file is one JSON value over several lines, not one object per line")
	}
	format = cmp.Or(format, sniff(head, len(opts.Map) > 0 || opts.Preset != ""))
	if format == CSV && bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(bytes.TrimSpace(head), '\r') >= 0 { // all would be a header
		return problem("file-lines", "save it with other line breaks, or convert them: tr '\\r' '\\n' < FILE", "its lines end in a carriage return alone")
	}
	o.format = format
	for _, f := range formats {
		if f.name == format {
			return f.split(in, s.name, opts.MaxRow), o, nil
		}
	}
	if opts.Format != "" {
		return problem("format-unknown", diag.DidYouMean(string(format), xslices.Map(Formats(), func(f Format) string { return string(f) })), "unknown format %q", format)
	}
	return problem("format-unknown", "name it with "+fault.OptionDatasetFormat+" jsonl, json, csv or yaml; text makes the file one output", "the format cannot be told from the name or the content")
}

var gzipMagic = []byte{0x1f, 0x8b}

// unzipped decompresses gzip, and returns any other stream as it is.
func unzipped(in *bufio.Reader) (*bufio.Reader, error) {
	if head, _ := in.Peek(len(gzipMagic)); !bytes.Equal(head, gzipMagic) { // an unreadable file is reported later
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(gunzip{z}, 256<<10), nil
}

// gunzip has errors of the compression say that they are.
type gunzip struct{ z *gzip.Reader }

func (g gunzip) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("not valid gzip: it ends too early") // not the JSON in it
	}
	return n, err
}

// bom is the byte order mark that some programs put before UTF-8.
var bom = []byte("\xEF\xBB\xBF")

// ofArrow is the hint for a table of Arrow, a file or, as datasets saves them, a stream.
const ofArrow = "write it as JSONL, for example with datasets: Dataset.from_file(FILE).to_json(NAME)"

// magics are the first bytes of binary files.
var magics = []struct{ head, what, hint string }{
	{"\x28\xb5\x2f\xfd", "Zstandard", "decompress it first, for example with zstd -dc"},
	{"BZh", "bzip2", "decompress it first, for example with bzip2 -dc"},
	{"\xfd7zXZ", "XZ", "decompress it first, for example with xz -dc"},
	{"PK\x03\x04", "a zip archive or a spreadsheet", "unpack it, or save the sheet as CSV; of a log of Inspect, use what inspect log dump FILE prints"},
	{"PAR1", "Parquet", "write it as JSONL, for example with pandas: df.to_json(FILE, orient='records', lines=True)"},
	{"ARROW1", "Arrow", ofArrow},
	{"\xff\xff\xff\xff", "Arrow", ofArrow},
	{"SQLite format 3\x00", "a SQLite database", "write the rows as JSONL"},
}

// foreign names the format of a file that is not UTF-8 text.
func foreign(head []byte) (code, message, hint string) {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.head)) {
			return "file-binary", "the file is " + m.what + ", not text", m.hint
		}
	}
	utf16 := ""
	switch {
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), bytes.HasPrefix(head, []byte("\xFE\xFF")):
		utf16 = "UTF-16"
	case len(head) < 2: // without a mark, rows begin with ASCII: one byte of two is NUL
	case head[0] != 0 && head[1] == 0:
		utf16 = "UTF-16LE"
	case head[0] == 0 && head[1] != 0:
		utf16 = "UTF-16BE"
	}
	if utf16 != "" {
		return "file-encoding", "the file is UTF-16, not UTF-8", "save it as UTF-8 (Excel: CSV UTF-8), or convert it: iconv -f " + utf16 + " -t UTF-8 FILE"
	}
	return "", "", ""
}

type givenRows struct{ rows []Given }

func (g *givenRows) next(row *rawRow) bool {
	if len(g.rows) == 0 {
		return false
	}
	*row = rawRow{json: g.rows[0].Value, pos: g.rows[0].Pos, rubric: g.rows[0].Rubric}
	g.rows = g.rows[1:]
	return true
}

func (g *givenRows) problem() *diag.Diagnostic { return nil }

// A Format is the file format of a dataset.
type Format string

// The formats.
const (
	JSONL Format = "jsonl" // one object a line
	JSON  Format = "json"  // a list of objects, or objects one after the other
	CSV   Format = "csv"   // RFC 4180 with a header row; also separated by semicolons or tabs
	YAML  Format = "yaml"  // a list of objects, or documents that are objects
	Text  Format = "text"  // the whole file is one output
)

// formats is the table of formats: the extensions that name each, and its function to
// cut a file into rows of at most limit bytes.
var formats = []struct {
	name       Format
	extensions []string
	split      func(in *bufio.Reader, name string, limit int) splitter
}{
	{JSONL, []string{".jsonl", ".ndjson", ".jsonlines"}, newLines},
	{JSON, []string{".json"}, newElements},
	{CSV, []string{".csv", ".tsv"}, newCells},
	{YAML, []string{".yaml", ".yml"}, newItems},
	{Text, nil, newWhole},
}

// Formats lists every format.
func Formats() []Format {
	out := make([]Format, len(formats))
	for i, f := range formats {
		out[i] = f.name
	}
	return out
}

// formatOf returns the format that the extension of a file names, or "". The
// extension of gzip stands behind that of the format.
func formatOf(name string) Format {
	name = strings.ToLower(name)
	ext := filepath.Ext(strings.TrimSuffix(name, ".gz"))
	for _, f := range formats {
		if slices.Contains(f.extensions, ext) {
			return f.name
		}
	}
	return ""
}

// NamesRows reports whether the extension of a file is that of a format in which only datasets are
// written, such as .jsonl or .csv: it is not a rubric.
func NamesRows(name string) bool {
	format := formatOf(name)
	return format == JSONL || format == CSV
}

// sniff tells the format from the beginning of a file, or returns "". CSV names a column that
// is known, in any case of letters, unless others may be: prose and code have commas, too.
func sniff(head []byte, others bool) Format {
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	if len(trimmed) == 0 {
		return JSONL // an empty file has no rows in any format
	}
	first, _, more := bytes.Cut(trimmed, []byte("\n"))
	switch {
	case trimmed[0] == '[':
		return JSON
	case trimmed[0] == '{':
		if !more && len(head) == sniffed || jsontext.Value(first).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			return JSONL
		}
		return JSON
	case bytes.HasPrefix(trimmed, []byte("- ")), bytes.HasPrefix(trimmed, []byte("---")), trimmed[0] == '#':
		return YAML
	case others && bytes.ContainsAny(first, ",;\t"):
		return CSV
	}
	for column := range bytes.FieldsFuncSeq(first, func(r rune) bool { return strings.ContainsRune(",;\t", r) }) {
		if _, known := claims[strings.ToLower(strings.Trim(string(bytes.TrimSpace(column)), `"`))]; known {
			return CSV
		}
	}
	return ""
}
