package dataset

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// aliases is the table of names that stand for a field of a Case. A field's own
// name wins over every alias, and an earlier alias over a later one. The row
// keeps the alias as a field of its own too.
//
// Words that mean an output in one data set and a reference in another, such as
// "answer", "target" or "text", are not aliases: a wrong guess would grade the
// reference against itself. --map names them.
var aliases = []struct {
	field string
	names []string
}{
	{FieldID, []string{"case_id", "test_id", "sample_id"}},
	{FieldInput, []string{"input_messages", "messages", "prompt", "question", "query", "instruction", "user_input"}},
	{FieldOutput, []string{"candidate", "response", "completion", "prediction", "actual_output"}},
	{FieldReferences, []string{"reference", "reference_answer"}},
	{FieldExpected, []string{"expected", "expected_messages", "ideal"}},
	{FieldContext, []string{"contexts", "retrieved_contexts", "retrieval_context"}},
	{FieldTags, nil},
	{FieldCluster, []string{"cluster_id"}},
	{FieldSampleOf, nil},
	{FieldProbe, nil},
}

// The roles are the positions of the fields in aliases.
const (
	roleID = iota
	roleInput
	roleOutput
	roleReferences
	roleExpected
	roleContext
	roleTags
	roleCluster
	roleSampleOf
	roleProbe
	roles // how many there are
)

// A claim says which role a field name plays, and how strong its claim is: 0
// for the role's own name, then the rank of the alias.
type claim struct{ role, rank int }

var claims = func() map[string]claim {
	m := map[string]claim{}
	for role, a := range aliases {
		m[a.field] = claim{role, 0}
		for i, name := range a.names {
			m[name] = claim{role, i + 1}
		}
	}
	return m
}()

// IsColumn reports whether a field of a row is one of its own, and neither a field
// of a case nor another name of the output. Other names of fields stay columns: a
// prompt may have been made of them.
func IsColumn(name string) bool {
	switch name {
	case FieldMetadata, FieldLogprobs, FieldOutcome:
		return false
	}
	c, known := claims[name]
	return !known || c.rank > 0 && c.role != roleOutput
}

func playsOutput(name string) bool {
	c, ok := claims[name]
	return ok && c.role == roleOutput
}

// FieldNames returns the names that mean something: of the fields that a Case
// decodes, and all that stand for them, sorted.
func FieldNames() []string {
	names := append(slices.Collect(maps.Keys(claims)), FieldMetadata, FieldLogprobs)
	slices.Sort(names)
	return names
}

const maxRivalries = 1024

// rivals counts the rows in which several fields are an output or references, and differ:
// another choice would be another number. A mapping is a choice already made.
func (b *builder) rivals(fields []Field, who *[roles]int) {
	if b.rivalries == nil {
		return
	}
	for j := range fields {
		f := &fields[j]
		c, known := claims[f.Name]
		if !known || c.role != roleOutput && c.role != roleReferences && c.role != roleExpected || f.Value.Kind() == 'n' {
			continue
		}
		i := who[c.role]
		if i < 0 || i == j || slices.Equal(referenceTexts(fields[i].Value), referenceTexts(f.Value)) ||
			slices.ContainsFunc(b.maps, func(m Mapping) bool { return m.Field == aliases[c.role].field }) {
			continue
		}
		if r := (Rival{aliases[c.role].field, fields[i].Name, f.Name}); len(b.rivalries) < maxRivalries {
			b.rivalries[r]++
		}
	}
}

// A Rival is a field of a row that does not count, since another one with the same role does,
// which says something else.
type Rival struct{ Role, First, Next string }

// Rivals returns the rivals of the fields of a row, as Reader warns of them.
func Rivals(fields []Field) []Rival {
	who := cast(fields)
	b := builder{rivalries: map[Rival]int{}}
	b.rivals(fields, &who)
	return slices.SortedFunc(maps.Keys(b.rivalries), byRole)
}

func byRole(a, b Rival) int {
	return cmp.Or(claims[a.Role].role-claims[b.Role].role, strings.Compare(a.First, b.First), strings.Compare(a.Next, b.Next))
}

// cast finds the field that plays each role: its index in fields, or -1.
// Fields that are null play no role.
func cast(fields []Field) (index [roles]int) {
	var rank [roles]int
	for i := range index {
		index[i] = -1
	}
	for i := range fields {
		c, ok := claims[fields[i].Name]
		if !ok || fields[i].Value.Kind() == 'n' {
			continue
		}
		if index[c.role] < 0 || c.rank < rank[c.role] {
			index[c.role], rank[c.role] = i, c.rank
		}
	}
	return index
}
