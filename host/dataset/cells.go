package dataset

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// cells reads CSV (RFC 4180): a header row of field names, then a row a record.
// Cells are text. An empty cell is absent, as programs write missing values, but "" in the
// column of the output is an empty output. In the columns that hold lists or objects a cell may
// be JSON.
type cells struct {
	csv    *csv.Reader
	budget *budget
	pos    diag.Pos // of the record read last
	header []string
	failed *diag.Diagnostic
	ended  bool
}

func newCells(in *bufio.Reader, name string, limit int) splitter {
	b := &budget{in: in, limit: limit}
	r := csv.NewReader(b)
	r.Comma = delimiterOf(in)
	r.FieldsPerRecord = -1 // ragged rows are ours to report
	r.ReuseRecord = true
	return &cells{csv: r, budget: b, pos: diag.Pos{File: name, Line: 1, Column: 1}}
}

// delimiterOf finds the delimiter of a file's cells: from the header the one that gives the most columns with a
// known name, else the comma if there is one, else the one with the most columns.
func delimiterOf(in *bufio.Reader) rune {
	head, _ := in.Peek(sniffed) // an error comes again with reading
	header, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	header = bytes.TrimSuffix(header, []byte("\r"))
	best, mostKnown, most := ',', 0, 1
	for _, d := range []rune{',', ';', '\t'} {
		r := csv.NewReader(bytes.NewReader(header))
		r.Comma = d
		names, err := r.Read()
		if err != nil {
			continue
		}
		known := 0
		for _, name := range names {
			if _, ok := claims[name]; ok {
				known++
			}
		}
		comma := d != ',' && bytes.IndexByte(header, ',') >= 0
		if known > mostKnown || known == mostKnown && len(names) > most && !comma {
			best, mostKnown, most = d, known, len(names)
		}
	}
	return best
}

// budget bounds the bytes that one record may take: a quote that is never
// closed would take the rest of the file.
type budget struct {
	in    io.Reader
	limit int
	left  int

	recent []byte // what was read last, and the three bytes before it
	end    int64  // the offset behind it
}

var errBudget = errors.New("the record is too long")

func (b *budget) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errBudget
	}
	n, err := b.in.Read(p)
	b.left -= n
	b.recent = append(append(b.recent[:0], b.recent[max(0, len(b.recent)-3):]...), p[:n]...)
	b.end += int64(n)
	return n, err
}

// quoteAt reports whether a line that ends at an offset ends in a quote. The line must be the
// last that the csv reader has read.
func (b *budget) quoteAt(offset int64) bool {
	line := b.recent[:max(0, len(b.recent)-int(b.end-offset))]
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	return bytes.HasSuffix(line, []byte{'"'})
}

func (c *cells) problem() *diag.Diagnostic { return c.failed }

func (c *cells) next(row *rawRow) bool {
	for !c.ended {
		c.budget.left = c.budget.limit + 64<<10 // the csv reader may have read ahead so much
		record, err := c.csv.Read()
		if err == nil {
			c.pos.Line, c.pos.Column = c.csv.FieldPos(0)
		}
		var syn *csv.ParseError
		switch {
		case err == io.EOF:
			c.ended = true
		case errors.Is(err, errBudget):
			c.ended = true
			c.broken("row-too-long", "shorten that row, or close the quote of this one", "the row after this one is longer than the limit of %s; the rest of the file is not read", bytesWord(c.budget.limit))
		case errors.As(err, &syn):
			*row = rawRow{bad: only(c.quotes(syn))}
			row.pos = row.bad[0].Pos
			if c.header == nil {
				c.ended = true
			}
			return true
		case err != nil:
			c.ended = true
			c.failed = unreadable(c.pos, err)
		case c.header == nil:
			for _, name := range record {
				c.header = append(c.header, strings.TrimSpace(name)) // as in "id, output"
			}
			if !c.checkHeader() {
				c.ended = true
			}
		default:
			*row = c.row(record)
			return true
		}
	}
	return false
}

func (c *cells) broken(code, hint, format string, args ...any) {
	c.failed = &diag.Diagnostic{Code: code, Pos: c.pos, Message: fmt.Sprintf(format, args...), Hint: hint}
}

func (c *cells) quotes(err *csv.ParseError) diag.Diagnostic {
	d := diag.Diagnostic{Code: "csv-quote", Pos: diag.Pos{File: c.pos.File, Line: err.StartLine, Column: 1}}
	switch {
	case errors.Is(err.Err, csv.ErrBareQuote):
		d.Pos.Line, d.Pos.Column = err.Line, err.Column
		d.Message, d.Hint = "a quote inside a cell that is not quoted", `put the cell in quotes and double those inside: "say ""yes"""`
	case errors.Is(err.Err, csv.ErrQuote):
		d.Message, d.Hint = "a quoted cell of this row is not closed, or something follows its quote", `double the quotes inside a cell: "say ""yes"""`
	default:
		d.Message, d.Hint = "the row is not CSV: "+err.Err.Error(), "write the file again with a CSV library"
	}
	return d
}

const toUTF8 = "save the file as UTF-8 (Excel: CSV UTF-8), or convert it, for example with iconv -f WINDOWS-1252 -t UTF-8"

// checkHeader finds column names that are empty, there twice or not UTF-8.
func (c *cells) checkHeader() bool {
	have := map[string]bool{}
	for i, name := range c.header {
		switch {
		case name == "":
			hint := "name the column, or remove it"
			if i == 0 { // the index of a DataFrame
				hint += "; pandas leaves its index out with to_csv(..., index=False)"
			}
			c.broken("header-empty", hint, "column %d has no name", i+1)
		case have[name]:
			hint := "rename one of the two"
			if name == "Grader Reason" { // promptfoo's CSV repeats it for each prompt and provider
				hint = "write the results with promptfoo eval -o results.json; " + fault.OptionDatasetSamples + " promptfoo reads them"
			}
			c.broken("header-duplicate", hint, "duplicate column %q", fault.Clip(name, 80))
		case strings.ContainsRune(name, 0):
			c.broken("row-control", "write the file again without NUL bytes", "the name of column %d holds a NUL byte", i+1)
		case !utf8.ValidString(name):
			c.broken("row-encoding", toUTF8, "the name of column %d is not valid UTF-8", i+1)
		default:
			have[name] = true
			continue
		}
		return false
	}
	return true
}

// structured are the roles whose cells may be JSON: CSV has no lists.
var structured = map[int]bool{roleInput: true, roleReferences: true, roleExpected: true, roleContext: true, roleTags: true}

func (c *cells) row(record []string) rawRow {
	row := rawRow{pos: c.pos}
	if len(record) != len(c.header) {
		row.bad.Add(diag.Diagnostic{Code: "row-ragged", Pos: row.pos, Message: fmt.Sprintf("the row has %d cells, the header has %d", len(record), len(c.header)),
			Hint: "put cells with commas or line breaks in quotes"})
		return row
	}
	row.fields = make([]Field, 0, len(record)+4) // and room for aliases
	for i, cell := range record {
		if cell == "" && playsOutput(c.header[i]) {
			v := jsontext.Value("null")
			if c.quoted(i, len(record)) {
				v = jsontext.Value(`""`)
			}
			row.fields = append(row.fields, Field{c.header[i], v})
			continue
		}
		v, bad := cellValue(c.header[i], cell)
		if bad != nil {
			line, column := c.csv.FieldPos(i)
			if bad.code == "row-encoding" { // the line of the byte, not the first of the cell
				if n := strings.Count(cell[:document.ValidPrefix([]byte(cell))], "\n"); n > 0 {
					line, column = line+n, 0
				}
			}
			row.bad.Add(diag.Diagnostic{Code: bad.code, Path: c.header[i], Pos: diag.Pos{File: c.pos.File, Line: line, Column: column},
				Message: fmt.Sprintf("the cell of %q %s", fault.Clip(c.header[i], 80), bad.message), Hint: bad.hint})
			continue
		}
		if v != nil {
			row.fields = append(row.fields, Field{c.header[i], v})
		}
	}
	return row
}

// quoted reports whether the empty cell i of n is written as "".
func (c *cells) quoted(i, n int) bool {
	if i == n-1 {
		return c.budget.quoteAt(c.csv.InputOffset())
	}
	_, at := c.csv.FieldPos(i)
	_, next := c.csv.FieldPos(i + 1)
	return next-at > 1 // more than the delimiter
}

// listsTexts reports whether valid JSON is a list of texts. A cell of references that is other
// JSON is one reference: the answer [1,2] has no two alternatives.
func listsTexts(v jsontext.Value) bool {
	if v.Kind() != '[' {
		return false
	}
	texts := true
	each(v, func(e jsontext.Value) bool {
		texts = e.Kind() == '"'
		return texts
	})
	return texts
}

// cellValue returns a cell as JSON; nil for one that says nothing.
func cellValue(column, cell string) (jsontext.Value, *flaw) {
	who, plays := claims[column]
	if cell == "" {
		return nil, nil
	}
	if strings.IndexByte(cell, 0) >= 0 {
		return nil, &flaw{"row-control", "holds a NUL byte", "write the file again without NUL bytes"}
	}
	if plays && structured[who.role] || column == FieldMetadata || column == FieldLogprobs {
		if v := jsontext.Value(strings.TrimSpace(cell)); (v.Kind() == '[' || v.Kind() == '{') && v.IsValid() && !(plays && who.role == roleReferences && !listsTexts(v)) {
			return v, tidy(&v)
		}
	}
	v, err := jsontext.AppendQuote(make([]byte, 0, len(cell)+16), cell)
	if err != nil {
		return nil, &flaw{"row-encoding", fmt.Sprintf("is not valid UTF-8: byte %#02x", cell[document.ValidPrefix([]byte(cell))]), toUTF8}
	}
	return v, nil
}
