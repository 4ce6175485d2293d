package dataset

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/file"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Outputs are the outputs of cases by id, for cases that are kept apart from
// what is graded. They are held in memory. The zero value has none.
//
// Outputs belong to one Reader at a time.
type Outputs struct {
	Name   string // the file, for messages
	byID   map[string]*outputRow
	sorted []string // the ids in order, made when first needed
}

// outputRow is one row of an outputs file: output first, then its other fields.
type outputRow struct {
	fields []Field
	used   bool
}

// maxOutputsObject bounds an outputs file that is one object, which is read as
// a whole.
const maxOutputsObject = 256 << 20

// ReadOutputs reads outputs: rows with an id and an output in any format of
// datasets, or one JSON object from id to output. name is the file's, and tells
// the format. The other fields of a row are added to its case where the case
// has none of that name.
//
// The error has class fault.Invalid and holds every problem of the file.
func ReadOutputs(name string, r io.Reader) (*Outputs, error) {
	o := &Outputs{Name: name, byID: map[string]*outputRow{}}
	head := make([]byte, sniffed)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fault.New(fault.NotFound, "%s: %w", name, err)
	}
	head = head[:n]
	whole := io.MultiReader(bytes.NewReader(head), r)
	if f := formatOf(name); (f == "" || f == JSON) && looksLikeMap(head) {
		return o, o.readMap(whole)
	}
	return o, o.readRows(whole)
}

// OpenOutputs reads the outputs in a file; see ReadOutputs.
func OpenOutputs(path string) (*Outputs, error) {
	if err := file.Check(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	return ReadOutputs(path, f)
}

// looksLikeMap reports whether a file that begins with head is one object from
// id to output: it begins with an object that has no member output so far.
func looksLikeMap(head []byte) bool {
	dec := jsontext.NewDecoder(bytes.NewBuffer(bytes.TrimPrefix(head, bom)))
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '{' {
		return false
	}
	keys := map[string]bool{}
	for dec.PeekKind() == '"' {
		t, err := dec.ReadToken()
		if err != nil {
			break
		}
		keys[t.String()] = true
		if dec.SkipValue() != nil {
			break
		}
	}
	return !keys[FieldOutput] && !keys[FieldID]
}

func (o *Outputs) readMap(r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, maxOutputsObject+1))
	if err != nil {
		return fault.New(fault.NotFound, "%s: %w", o.Name, err)
	}
	pos := diag.Pos{File: o.Name, Line: 1, Column: 1}
	if len(text) > maxOutputsObject {
		return only(diag.Diagnostic{Code: "file-too-large", Pos: pos, Message: fmt.Sprintf("the object is larger than %d MiB", maxOutputsObject>>20), Hint: `write one line for each case: {"id": …, "output": …}`}).Err()
	}
	fields, bad := newParser().parse(bytes.TrimPrefix(text, bom), pos)
	for _, f := range fields {
		o.byID[f.Name] = &outputRow{fields: []Field{{FieldOutput, f.Value}}}
	}
	return bad.Err()
}

func (o *Outputs) readRows(r io.Reader) error {
	rows, err := Open(Options{Paths: []string{"-"}, Stdin: r, StdinName: o.Name, Format: formatOf(o.Name)})
	if err != nil {
		return err
	}
	var bad diag.List
	for c, err := range rows.Cases() {
		switch {
		case err != nil:
			for _, d := range diag.In(err) {
				bad.Add(d)
			}
			continue
		case c.Made:
			bad.Add(diag.Diagnostic{Code: "id-missing", Pos: diag.Pos{File: c.File, Line: c.Line}, Message: "the output has no id", Hint: "name the case that it belongs to: {\"id\": …, \"output\": …}"})
			continue
		}
		o.byID[c.ID] = &outputRow{fields: carried(c.Fields)}
	}
	return bad.Err()
}

// carried returns the fields of an output row that go into the case.
func carried(fields []Field) []Field {
	out := slices.Clone(fields[:0])
	for _, f := range fields {
		if c, ok := claims[f.Name]; !ok || c.role != roleID {
			out = append(out, f)
		}
	}
	return out
}

// join adds the output of case id to its fields. The output of the file counts
// more than one in the row.
func (o *Outputs) join(id string, fields []Field, who [roles]int) ([]Field, [roles]int) {
	row := o.byID[id]
	if row == nil {
		return fields, who
	}
	row.used = true
	for _, f := range row.fields {
		i := slices.IndexFunc(fields, func(have Field) bool { return have.Name == f.Name })
		switch {
		case i < 0:
			fields = append(fields, f)
		case f.Name == FieldOutput || fields[i].Value.Kind() == 'n':
			fields[i] = f
		}
	}
	return fields, cast(fields)
}

// near returns a hint for a case without an output.
func (o *Outputs) near(id string) string {
	const window = 1000 // ids looked at on either side, so that a large file stays cheap
	if o.sorted == nil {
		o.sorted = slices.Sorted(maps.Keys(o.byID))
	}
	i, _ := slices.BinarySearch(o.sorted, id)
	if s := diag.Suggest(id, o.sorted[max(0, i-window):min(len(o.sorted), i+window)]); s != "" {
		return fmt.Sprintf("the file has one for %q", fault.Clip(s, 80))
	}
	return "add it to the file, or leave the case out with " + fault.OptionDatasetSelect
}

// unused returns a warning about the outputs that no case asked for, or nil.
func (o *Outputs) unused() *diag.Diagnostic {
	var ids []string
	for id, row := range o.byID {
		if !row.used {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	const most = 5
	shown := make([]string, 0, most)
	for _, id := range ids[:min(most, len(ids))] {
		shown = append(shown, fmt.Sprintf("%q", fault.Clip(id, 80)))
	}
	return &diag.Diagnostic{Severity: diag.Warning, Code: "outputs-unused", Pos: diag.Pos{File: o.Name},
		Message: fmt.Sprintf("%d of %d outputs belong to no case that was read: %s", len(ids), len(o.byID), strings.Join(shown, ", ")),
		Hint:    "check that the ids are those of the cases"}
}

// Len returns the number of outputs.
func (o *Outputs) Len() int { return len(o.byID) }

// Output returns the output of a case as JSON, and whether there is one.
func (o *Outputs) Output(id string) (jsontext.Value, bool) {
	row := o.byID[id]
	if row == nil {
		return nil, false
	}
	v := rawAt(row.fields, FieldOutput)
	return v, v != nil
}

// Set gives a case an output, in place of one that is there. It serves programs
// whose outputs are in memory.
func (o *Outputs) Set(id, output string) {
	if o.byID == nil {
		o.byID = map[string]*outputRow{}
	}
	v, err := json.Marshal(output)
	if err != nil { // it is not valid UTF-8
		v, _ = json.Marshal(strings.ToValidUTF8(output, "\uFFFD"))
	}
	o.byID[id] = &outputRow{fields: []Field{{FieldOutput, v}}}
}
