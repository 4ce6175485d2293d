package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Warnings about a dataset as a whole, which a Reader adds at its end.

// tellRivals warns of rows in which several fields play one role.
func (r *Reader) tellRivals() {
	for _, x := range slices.SortedFunc(maps.Keys(r.builder.rivalries), byRole) {
		r.warn("field-ambiguous", "", "%d of %d rows have %q and another %q: %q counts as %s; "+fault.OptionDatasetMap+" %[6]s=FIELD chooses",
			r.builder.rivalries[x], r.totals.Rows, x.First, x.Next, x.First, x.Role)
	}
}

// suspects are forms of cases in which metrics of texts compare a text with JSON, or with the text of a list. Few outputs
// equal such a reference.
var suspects = [...]struct {
	code, what string
	holds      func(c *Case) bool
}{
	{
		"references-object", "an object as references, which metrics compare with as JSON; " + fault.OptionDatasetMap + " references=FIELD.MEMBER takes a text in it",
		func(c *Case) bool {
			return c.Raw(FieldReferences).Kind() == '{' && c.Raw(FieldOutput).Kind() == '"' && !strings.ContainsAny(c.Output, "{[")
		},
	},
	{
		"output-object", "an object as output, which metrics compare with the text of the references as JSON; " +
			fault.OptionDatasetMap + " output=FIELD.MEMBER takes a text in it, such as FIELD.choices.0.message.content",
		func(c *Case) bool {
			isJSON := func(s string) bool { return strings.ContainsAny(s, "{[") }
			return c.Raw(FieldOutput).Kind() == '{' && strings.HasPrefix(c.Output, "{") && len(c.References) > 0 && !slices.ContainsFunc(c.References, isJSON)
		},
	},
	{ // such as "['a', 'b']", as pandas writes a list into a cell
		"references-list", "the text of a list as a reference, which counts as one text; if it holds several references, write them as a JSON list of texts",
		func(c *Case) bool {
			return slices.ContainsFunc(c.References, listAsText) && !strings.Contains(c.Output, "[")
		},
	},
}

// tellSuspects warns of cases of these forms.
func (r *Reader) tellSuspects() {
	for i, s := range suspects {
		if r.suspect[i] > 0 {
			r.warn(s.code, "", "%d of %d rows have %s", r.suspect[i], r.totals.Rows, s.what)
		}
	}
}

func listAsText(reference string) bool {
	s := strings.TrimSpace(reference)
	quote := func(c byte) bool { return c == '\'' || c == '"' }
	return len(s) > 3 && s[0] == '[' && quote(s[1]) && quote(s[len(s)-2]) && s[len(s)-1] == ']'
}

// tellSet warns of rows of a published set that are read as they are.
func (r *Reader) tellSet() {
	if set := r.builder.set; set != nil {
		r.warn("preset-missing", "use "+fault.OptionDatasetSamples+" "+set.name, "the first row looks like one of the set %s, whose tests no metric finds without its preset", set.name)
	}
}

// tellUnused warns of mappings, outputs and requested ids that no row has used.
func (r *Reader) tellUnused() {
	for i, m := range r.builder.maps {
		if !r.builder.mapped[i] && r.totals.Rows > 0 {
			r.warn("map-unused", "correct the path", "no row has anything at %q, which the mapping %s=%s names", m.Path, m.Field, m.Path)
		}
	}
	if r.opts.Outputs != nil {
		if d := r.opts.Outputs.unused(r.builder.used); d != nil {
			r.totals.Warnings.Add(*d)
		}
	}
	if n := len(r.missing); n > 0 {
		r.warn("ids-unknown", "check that the dataset is the one that the ids come from", "%d of %d requested ids are not in the dataset: %s", n, len(r.opts.Select.IDs), quoted(slices.Sorted(maps.Keys(r.missing))))
	}
}

func (r *Reader) warn(code, hint, format string, args ...any) {
	r.totals.Warnings.Add(diag.Diagnostic{Severity: diag.Warning, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// quoted returns the first few of a list of ids.
func quoted(ids []string) string {
	return fault.First(5, xslices.Map(ids, func(id string) string { return strconv.Quote(fault.Clip(id, 80)) }), ", ")
}
