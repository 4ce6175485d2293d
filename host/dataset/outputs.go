package dataset

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
)

// Outputs are the outputs of cases by id, for cases in a file of their own: one for
// each case, or several samples. They are held in memory. The zero value has none.
// They are safe for concurrent use but for Set.
type Outputs struct {
	Name string // the file, for messages

	index map[string]int // of an id in rows and ids
	ids   []string
	rows  [][][]Field // of each id the samples, in the order of the file
	again diag.List   // ids that come more than once
}

// ReadOutputs reads outputs: rows with an id and an output in any format of
// datasets. name is the file's, and tells the format. The other fields of a row are
// added to its case where the case has none of that name. preset names the form of the
// rows; empty: none.
//
// The error has class fault.Invalid and holds every problem of the file.
func ReadOutputs(name string, r io.Reader, preset string) (*Outputs, error) {
	o := newOutputs(name)
	return o, o.readRows(Options{Paths: []string{"-"}, Stdin: r, StdinName: name, Preset: preset})
}

// OpenOutputs reads the outputs in a file; see ReadOutputs.
func OpenOutputs(path, preset string) (*Outputs, error) {
	if err := file.Check(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, file.OpenFault(path, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	return ReadOutputs(path, f, preset)
}

func newOutputs(name string) *Outputs { return &Outputs{Name: name, index: map[string]int{}} }

// add adds a sample of a case, and reports whether it is the first one.
func (o *Outputs) add(id string, fields []Field) bool {
	if k, known := o.index[id]; known {
		o.rows[k] = append(o.rows[k], fields)
		return false
	}
	o.index[id] = len(o.ids)
	o.ids, o.rows = append(o.ids, id), append(o.rows, [][]Field{fields})
	return true
}

// maxAgain bounds the ids that are reported as coming more than once.
const maxAgain = 10

func (o *Outputs) readRows(opts Options) error {
	opts.answers, opts.Samples = true, true
	rows, err := Open(opts)
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
			hint := `name the case that it belongs to: {"id": …, "output": …}`
			if opts.Preset == "" && c.Raw("task_id") != nil { // as every published set has it
				hint += ", or the form of published sets with " + fault.OptionDatasetPreset
			}
			bad.Add(diag.Diagnostic{Code: "id-missing", Pos: diag.Pos{File: c.File, Line: c.Line}, Message: "the output has no id", Hint: hint})
			continue
		}
		fields := carried(c)
		if !c.HasOutput {
			fields = append(withoutOutput(fields), Field{FieldOutput, jsontext.Value("null")})
		}
		if !o.add(c.base, fields) && len(o.again) < maxAgain {
			o.again.Add(diag.Diagnostic{Code: "id-duplicate", Path: FieldID, Pos: diag.Pos{File: c.File, Line: c.Line},
				Message: fmt.Sprintf("the id %q comes again", fault.Clip(c.base, 80)),
				Hint:    "keep one of the two; if they are samples of one problem, write pass_at in the rubric or use " + fault.OptionDatasetSamples})
		}
	}
	return bad.Err()
}

// carried returns the fields of an output row that go into the case.
func carried(c *Case) []Field {
	var out []Field
	for _, f := range c.Fields {
		claim, ok := claims[f.Name]
		if ok && claim.role == roleID || f.Name == FieldCluster && text(f.Value) == c.base || f.Name == FieldSampleOf {
			continue
		}
		out = append(out, f)
	}
	return out
}

func (o *Outputs) samples(id string) int {
	if k, ok := o.index[id]; ok {
		return len(o.rows[k])
	}
	return 0
}

// join adds an output of case id to its fields. The output of the file counts
// more than one in the row.
func (b *builder) join(id string, sample int, fields []Field, who [roles]int) ([]Field, [roles]int) {
	k, ok := b.outputs.index[id]
	if !ok {
		return fields, who
	}
	b.used[k] = true
	if b.preset != nil { // another form of the answer would count more
		fields = slices.DeleteFunc(fields, func(f Field) bool { return isAnswer(f.Name) })
	}
	sampled := b.outputs.rows[k][sample]
	if v := rawAt(sampled, FieldOutput); v.Kind() == 'n' { // an older output is not the one to grade
		fields = withoutOutput(fields)
	}
	for _, f := range sampled {
		i := indexOf(fields, f.Name)
		switch {
		case i < 0:
			fields = append(fields, f)
		case f.Name == FieldOutput || fields[i].Value.Kind() == 'n':
			fields[i] = f
		}
	}
	return fields, cast(fields)
}

// withoutOutput removes the fields that may play the output.
func withoutOutput(fields []Field) []Field {
	return slices.DeleteFunc(fields, func(f Field) bool { return playsOutput(f.Name) })
}

// unused returns a warning about the outputs that no case asked for, or nil.
func (o *Outputs) unused(used []bool) *diag.Diagnostic {
	var ids []string
	for k, id := range o.ids {
		if !used[k] {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	return &diag.Diagnostic{Severity: diag.Warning, Code: "outputs-unused", Pos: diag.Pos{File: o.Name},
		Message: fmt.Sprintf("%d of %d outputs belong to no case that was read: %s", len(ids), len(o.ids), quoted(ids)),
		Hint:    "check that the ids are those of the cases"}
}

// Len returns the number of cases that have outputs.
func (o *Outputs) Len() int { return len(o.ids) }

// Set gives a case an output, in place of those that are there. It serves
// programs whose outputs are in memory.
func (o *Outputs) Set(id, output string) {
	if o.index == nil {
		*o = *newOutputs(o.Name)
	}
	fields := []Field{{FieldOutput, Quote(output)}}
	if k, ok := o.index[id]; ok {
		o.rows[k] = [][]Field{fields}
		return
	}
	o.add(id, fields)
}
