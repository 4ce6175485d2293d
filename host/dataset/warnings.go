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

// maxPaths bounds the paths that warnings tell apart: each row may have another one.
const maxPaths = 20

// countPath counts a case by a path, those beyond maxPaths together under the empty one.
func countPath(counts map[string]int, path string) {
	if _, known := counts[path]; !known && len(counts) >= maxPaths {
		path = ""
	}
	counts[path]++
}

// tellObjects warns of references that are objects, as those of SQuAD: no text equals one.
func (r *Reader) tellObjects() {
	path := FieldReferences
	for _, m := range r.opts.Map {
		if m.Field == FieldReferences {
			path = m.Path
		}
	}
	for _, member := range slices.Sorted(maps.Keys(r.objects)) {
		hint := ""
		if member != "" {
			hint = fmt.Sprintf("; if its %q holds the texts, use "+fault.OptionDatasetMap+" references=%s.%s", member, path, member)
		}
		r.warn("references-object", "", "%d of %d rows have an object as references, which metrics compare with as JSON%s", r.objects[member], r.totals.Rows, hint)
	}
}

// tellAnswers warns of outputs that are objects, such as responses of endpoints: none equals a text.
func (r *Reader) tellAnswers() {
	for _, path := range slices.Sorted(maps.Keys(r.answers)) {
		hint := ""
		if path != "" {
			hint = fmt.Sprintf("; if its %q is the text, use "+fault.OptionDatasetMap+" output=FIELD.%s", path, path)
		}
		r.warn("output-object", "", "%d of %d rows have an object as output, which metrics compare with the text of the references as JSON%s", r.answers[path], r.totals.Rows, hint)
	}
}

// tellLists warns of references such as "['a', 'b']", as pandas writes a list into a cell: no output equals one.
func (r *Reader) tellLists() {
	if r.lists > 0 {
		r.warn("references-list", "", "%d of %d rows have the text of a list as a reference, which counts as one text; if it holds several references, write them as a JSON list of texts", r.lists, r.totals.Rows)
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
