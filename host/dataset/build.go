package dataset

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Mapping gives a field of the case the value at a path of the row: the option
// --map field=path. It replaces a field of that name.
type Mapping struct {
	Field string // such as "output"
	Path  string // dotted, such as "response.choices.0.text"
}

// String returns the mapping as ParseMap reads it.
func (m Mapping) String() string { return m.Field + "=" + m.Path }

// ParseMap reads "field=path".
func ParseMap(s string) (Mapping, error) {
	field, path, ok := strings.Cut(s, "=")
	if !ok || field == "" || path == "" {
		return Mapping{}, fault.WithHint(fault.New(fault.Usage, "map %q is not field=path", s), "write for example output=response.text")
	}
	return Mapping{field, path}, nil
}

// maxID is the longest id of a case, in bytes.
const maxID = 1024

// A RowError is a row that cannot be used. Its class is fault.Invalid, and
// diag.In finds Problems in it.
type RowError struct {
	ID       string   // of the row, as far as it could be read; may be empty
	SampleOf string   // as in Case, as far as it could be read
	Cluster  string   // as in Case, as far as it could be read
	Pos      diag.Pos // where the row begins
	Problems diag.List

	place string // rows read until then: tells the shard; empty: not of a Reader
	base  string // as in Case
}

// Error returns the problems, one a line.
func (e *RowError) Error() string { return e.Problems.Error() }

// Unwrap returns the problems as a fault of class Invalid.
func (e *RowError) Unwrap() error { return fault.As(fault.Invalid, e.Problems) }

// FromJSON makes a case of one row that is at hand, as an eval file brings it.
// pos is its place. A row without an output is fine; everything else that is
// wrong with it is a RowError. The case shares no memory with v.
func FromJSON(v jsontext.Value, pos diag.Pos) (*Case, error) {
	fields, err := Fields(slices.Clone(v), pos)
	if err != nil {
		return nil, err
	}
	return FromFields(fields, pos)
}

// Fields reads the members of a JSON object in their order. pos is its place. An
// error is a RowError. The fields are parts of v, which may be rewritten: it must not
// be touched afterwards.
func Fields(v jsontext.Value, pos diag.Pos) ([]Field, error) {
	fields, bad := parse(v, pos)
	if bad != nil {
		return nil, &RowError{Pos: pos, Problems: bad}
	}
	return fields, nil
}

// FromFields is FromJSON for the fields of a row. The case keeps them.
func FromFields(fields []Field, pos diag.Pos) (*Case, error) {
	return (&builder{optional: true, looked: true}).one(fields, pos)
}

// Unnamed is FromFields for a case whose id hardly anyone asks for: a row without an id gets none, see
// ContentID. To make one takes 2 % of the time of `score bleu --lines`.
func Unnamed(fields []Field, pos diag.Pos) (*Case, error) {
	return (&builder{optional: true, looked: true, unnamed: true}).one(fields, pos)
}

func (b *builder) one(fields []Field, pos diag.Pos) (*Case, error) {
	c, bad := b.build(fields, pos, 0)
	if bad != nil {
		return nil, &RowError{ID: c.ID, Pos: pos, Problems: bad}
	}
	return c, nil
}

type builder struct {
	maps      []Mapping
	mapped    []bool // which of maps found something, ever
	preset    *preset
	answers   bool    // the rows are answers to the preset's problems
	looked    bool    // without a preset: at the first row
	set       *preset // that it is of, as it seems
	outputs   *Outputs
	used      []bool                 // which of outputs found their case
	rivalries map[Rival]int          // rows with several fields for a role; nil: they are not counted
	optional  bool                   // a row may lack an output
	unnamed   bool                   // a row without an id gets none
	number    func(id string) string // a free id for a sample of a problem; nil: rows are not samples
}

// build returns the case of a row with the sample of its outputs that has a
// number, from 0, and its problem. The case is never nil; if something
// is wrong only its ID is of use. It keeps fields.
func (b *builder) build(fields []Field, pos diag.Pos, sample int) (*Case, diag.List) {
	c := &Case{File: pos.File, Line: pos.Line, column: pos.Column}
	var bad diag.List
	complain := func(code, path, hint, format string, args ...any) {
		bad.Add(diag.Diagnostic{Code: code, Path: path, Pos: pos, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	fields, who := b.remap(fields)
	b.rivals(fields, &who)
	if !b.looked && b.preset == nil {
		b.looked, b.set = true, setOf(fields)
	}
	if b.preset != nil {
		fields = b.preset.identify(fields)
		who = cast(fields)
	}
	if i := who[roleID]; i >= 0 {
		c.setID(fields[i].Value, complain)
	}
	if b.outputs != nil && c.ID != "" {
		fields, who = b.join(c.ID, sample, fields, who)
	}
	if b.preset != nil && bad == nil {
		fields = b.prepare(c, fields, complain)
		who = cast(fields)
	}
	c.base = c.ID
	if b.number != nil && c.ID != "" {
		fields = b.sample(c, fields, sample)
		who = cast(fields)
	}
	c.Fields = named(fields, &who)
	for i := range c.Fields { // one way to write a character: records hold the values as they are here
		c.Fields[i].Value = diag.EscapeJSON(c.Fields[i].Value)
	}
	if c.ID == "" && bad == nil && !b.unnamed {
		c.ID, c.Made = madeID(c.Fields, b.maps), true
	}
	if i := who[roleOutput]; i >= 0 && c.Fields[i].Value.Kind() == '{' {
		if p := resultsIn(c.Fields); p != nil { // their output is within
			complain("output-missing", c.Fields[i].Name, "use "+fault.OptionDatasetSamples+" "+p.name, "the row is a result of %s", p.name)
		}
	}
	c.fill(&who, complain)
	null := func(f Field) bool { return playsOutput(f.Name) && f.Value.Kind() == 'n' }
	if !c.HasOutput && !b.optional && !(b.answers && slices.ContainsFunc(c.Fields, null)) { // the case that the answer is for is unscored
		b.missing(c, complain)
	}
	return c, bad
}

// ContentID returns the id of a case, made from its content if it has none.
func (c *Case) ContentID() string {
	if c.ID != "" {
		return c.ID
	}
	return madeID(c.Fields, nil)
}

// madeID is the id of a row without one, by its content apart from the output: the rows of two models for
// one question have the same. A row with nothing but an output has that of its content.
func madeID(fields []Field, maps []Mapping) string {
	asked := slices.DeleteFunc(slices.Clone(fields), func(f Field) bool {
		return playsOutput(f.Name) || f.Name == FieldLogprobs || slices.ContainsFunc(maps, func(m Mapping) bool {
			head, _, _ := strings.Cut(m.Path, ".")
			return m.Field == FieldOutput && (f.Name == m.Path || f.Name == head)
		})
	})
	if len(asked) == 0 {
		asked = fields
	}
	sum := digestFields(asked)
	return "row-" + hex.EncodeToString(sum[:8])
}

func (b *builder) prepare(c *Case, fields []Field, complain complaint) []Field {
	if b.answers {
		i := indexOf(fields, fieldSolution)
		if who := cast(fields); who[roleOutput] < 0 && i >= 0 {
			fields = append(fields, Field{FieldOutput, fields[i].Value})
		}
		return fields
	}
	if c.ID == "" {
		complain("id-missing", FieldID, asPublished, "the row has no %s", strings.Join(b.preset.ids, " and no "))
		return fields
	}
	return b.preset.apply(fields, complain)
}

// sample makes the case one of the samples of its problem, which are a cluster
// unless the row names one. Every one but the first gets an id of its own.
func (b *builder) sample(c *Case, fields []Field, sample int) []Field {
	who := cast(fields)
	if who[roleSampleOf] < 0 {
		fields = Set(fields, FieldSampleOf, Quote(c.ID))
	}
	if who[roleCluster] < 0 {
		fields = Set(fields, FieldCluster, Quote(c.ID))
	}
	if b.outputs != nil && sample == 0 { // a problem that comes again is a mistake
		return fields
	}
	if id := b.number(c.ID); id != c.ID {
		c.ID = id
		fields = Set(fields, FieldID, Quote(id))
	}
	return fields
}

type complaint func(code, path, hint, format string, args ...any)

func (c *Case) setID(v jsontext.Value, complain complaint) {
	switch v.Kind() {
	case '"', '0':
		c.ID = text(v)
	default:
		complain("id-type", FieldID, "write a string", "the id is %s, not a string", kindWord(v))
		return
	}
	if len(c.ID) > maxID {
		complain("id-too-long", FieldID, "shorten the id", "the id is %d bytes long, more than %d", len(c.ID), maxID)
		c.ID = strings.ToValidUTF8(c.ID[:maxID], "")
	}
}

// remap applies the mappings, all of them to the fields as they were, and finds
// the field that plays each role. Where a mapping finds nothing, nothing else
// stands in for its field.
func (b *builder) remap(fields []Field) ([]Field, [roles]int) {
	if len(b.maps) == 0 {
		return fields, cast(fields)
	}
	out := slices.Clone(fields)
	for i, m := range b.maps {
		v := rawAt(fields, m.Path)
		if v != nil {
			b.mapped[i] = true
		}
		out = slices.DeleteFunc(out, func(f Field) bool { return f.Name == m.Field })
		if v != nil {
			out = append(out, Field{m.Field, v})
		}
	}
	who := cast(out)
	for _, m := range b.maps {
		if c, ok := claims[m.Field]; ok && c.rank == 0 && rawAt(fields, m.Path) == nil {
			who[c.role] = -1
		}
	}
	return out, who
}

// named adds the fields that only an alias stands for under their own names.
func named(fields []Field, who *[roles]int) []Field {
	for role, i := range who {
		own := aliases[role].field
		if i < 0 || fields[i].Name == own {
			continue
		}
		// A field of its own name is null, or it would play the role.
		fields = Set(fields, own, fields[i].Value)
		who[role] = indexOf(fields, own)
	}
	return fields
}

// fill decodes the fields that play a role.
func (c *Case) fill(who *[roles]int, complain complaint) {
	value := func(role int) jsontext.Value {
		if i := who[role]; i >= 0 {
			return c.Fields[i].Value
		}
		return nil
	}
	if v := value(roleInput); v != nil {
		c.Input = inputText(v)
	}
	if v := value(roleOutput); v != nil {
		c.Output, c.HasOutput = outputText(v), true
	}
	c.References = references(value(roleReferences), value(roleExpected))
	if v := value(roleContext); v != nil {
		c.Context = referenceTexts(v)
	}
	if v := value(roleTags); v != nil {
		c.setTags(v, complain)
	}
	name := func(role int, into *string) {
		v := value(role)
		if v == nil {
			return
		}
		if k := v.Kind(); k != '"' && k != '0' {
			field := aliases[role].field
			complain(field+"-type", field, "write a string", "%s is %s, not a string", field, kindWord(v))
			return
		}
		*into = text(v)
	}
	name(roleCluster, &c.Cluster)
	name(roleSampleOf, &c.SampleOf)
	name(roleProbe, &c.Probe)
}

// references joins the texts of both fields, each text once.
func references(refs, expected jsontext.Value) []string {
	switch {
	case refs == nil && expected == nil:
		return nil
	case expected == nil:
		return referenceTexts(refs)
	case refs == nil:
		return referenceTexts(expected)
	}
	out := referenceTexts(refs)
	have := xslices.Set(out)
	return append(out, xslices.Filter(referenceTexts(expected), func(s string) bool { return !have[s] })...)
}

// setTags takes an object of scalars, a list of "key=value" and "key", or such
// words in one string, separated by commas.
func (c *Case) setTags(v jsontext.Value, complain complaint) {
	var words []string
	switch v.Kind() {
	case '{':
		c.Tags = map[string]string{}
		eachMember(v, func(name, value jsontext.Value) bool {
			if k := value.Kind(); k == '{' || k == '[' {
				complain("tags-type", FieldTags, "write a string", "the tag %q is %s, not a string", fault.Clip(text(name), 80), kindWord(value))
			} else {
				c.Tags[text(name)] = text(value)
			}
			return true
		})
		return
	case '"':
		words = strings.Split(text(v), ",")
	default:
		list, ok := scalarTexts(v)
		if !ok || v.Kind() != '[' {
			complain("tags-type", FieldTags, `write {"key": "value"} or ["key=value"]`, "the tags are %s, neither an object of strings nor a list of them", kindWord(v))
			return
		}
		words = list
	}
	c.Tags = make(map[string]string, len(words))
	for _, w := range words {
		if key, value, _ := strings.Cut(strings.TrimSpace(w), "="); key != "" {
			c.Tags[key] = value
		}
	}
}

// likelyOutputs are fields that hold an output in some data sets, and something
// else in others.
var likelyOutputs = []string{"answer", "generated_text", "generation", "model_output", "result", "text", "content", "outputs", "output_messages", "choices"}

// likelyReferences are fields that hold references in some data sets, and something else in
// others, in any case of letters; the last ones are aliases in lower case.
var likelyReferences = []string{"target", "answer", "answers", "ground_truth", "gold", "label", "solution", "correct_answer",
	"references", "reference", "reference_answer", "expected", "expected_output", "ideal"}

// LikelyReferences returns the field that may hold the references of a case which has none;
// empty: no field looks like it.
func (c *Case) LikelyReferences() string {
	if len(c.References) > 0 {
		return ""
	}
	for _, name := range likelyReferences {
		for _, f := range c.Fields {
			if _, read := claims[f.Name]; !read && strings.EqualFold(f.Name, name) && f.Value.Kind() != 'n' {
				return f.Name
			}
		}
	}
	return ""
}

// absentOutput is the hint for an output that is there and says nothing.
const absentOutput = `it is null, or an empty cell; write "" if the output is an empty text`

func (b *builder) missing(c *Case, complain complaint) {
	row := "the row"
	if !c.Made && c.ID != "" {
		row = fmt.Sprintf("case %q", fault.Clip(c.ID, 80))
	}
	if b.outputs != nil {
		if c.Made {
			complain("output-missing", FieldOutput, "give the case an id", "the row has no id, so it has no output in %s", b.outputs.Name)
			return
		}
		hint := "add it to the file, or leave the case out with " + fault.OptionDatasetSelect
		if b.outputs.samples(c.ID) > 0 {
			hint = absentOutput
		}
		complain("output-missing", FieldOutput, hint, "%s has no output in %s", row, b.outputs.Name)
		return
	}
	if b.preset != nil {
		if answerIn(c.Fields) >= 0 { // of a row that is not of the preset, which is said already
			return
		}
		hint := "add the field completion or solution"
		if !b.answers {
			hint += ", or name the file of answers as " + fault.OptionDatasetOutputs
		}
		complain("output-missing", fieldCompletion, hint, "%s has no answer", row)
		return
	}
	for i, m := range b.maps {
		if m.Field == FieldOutput && rawAt(c.Fields, m.Path) == nil {
			complain("output-missing", FieldOutput, "correct "+fault.OptionDatasetMap+", or complete the row", "%s has no output: nothing is at %s", row, b.maps[i].Path)
			return
		}
	}
	for _, e := range [][2]string{{fieldPromptfooError, "promptfoo"}, {fieldInspectError, "Inspect"}} {
		if said, _ := c.Texts(e[0]); len(said) > 0 {
			complain("output-missing", FieldOutput, "run the case again there", "%s has no output: %s recorded the error %q", row, e[1], fault.Clip(said[0], 200))
			return
		}
	}
	if p := resultsIn(c.Fields); p != nil {
		complain("output-missing", FieldOutput, "use "+fault.OptionDatasetSamples+" "+p.name, "the row holds results of %s", p.name)
		return
	}
	if i := slices.IndexFunc(c.Fields, func(f Field) bool { return playsOutput(f.Name) }); i >= 0 {
		complain("output-missing", c.Fields[i].Name, absentOutput, "%s has no output", row)
		return
	}
	var have []string
	for _, f := range c.Fields {
		if slices.Contains(likelyOutputs, f.Name) {
			complain("output-missing", FieldOutput, fmt.Sprintf("if %q holds the graded output, use "+fault.OptionDatasetMap+" output=%s", f.Name, f.Name), "%s has no output", row)
			return
		}
		if slices.ContainsFunc(membersOf(at(f.Value, "0")), func(m Field) bool { return playsOutput(m.Name) }) {
			complain("output-missing", f.Name, "make that list the whole file", "%s has no output: the rows are in its list %q", row, fault.Clip(f.Name, 80))
			return
		}
		have = append(have, fault.Clip(f.Name, 80))
	}
	hint := "add the field output, name the one that holds it with " + fault.OptionDatasetMap + " output=FIELD, or join rows of id and output with " + fault.OptionDatasetOutputs
	if s := diag.Suggest(FieldOutput, have); s != "" {
		hint = fmt.Sprintf("if %q holds it, use "+fault.OptionDatasetMap+" output=%s", s, s)
	} else if len(have) > 0 {
		hint += "; the row has " + strings.Join(have[:min(len(have), 12)], ", ")
	}
	complain("output-missing", FieldOutput, hint, "%s has no output", row)
}

// Quote returns a text as a JSON string, with U+FFFD in place of bytes that are not UTF-8.
func Quote(s string) jsontext.Value {
	b, _ := jsontext.AppendQuote(nil, s) // its error says that text was mended
	return b
}
