package result

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// A Verification lists the parts of a run that were recomputed, and their differences.
type Verification struct {
	Run     string `json:"run"`
	Rows    int    `json:"rows"`    // in the run
	Derived int    `json:"derived"` // verdicts that were computed again, and are the same
	Taken   int    `json:"taken"`   // verdicts that nothing can compute again: given ones, a judge's without a recording, those with a grant
	Totals  int    `json:"totals"`  // rows whose total was combined again, and is the same

	GoCode     []string `json:"go_code,omitzero"`    // scorers and aggregates ("go:NAME") written in Go that this program does not have
	Uncombined int      `json:"uncombined,omitzero"` // rows whose total needs such an aggregate: it is taken as it is

	Unfinished RunStatus `json:"unfinished,omitzero"` // how far the run came, if not to its end

	Differences []Difference `json:"differences"` // at most MaxDifferences
	More        int          `json:"more,omitzero"`
	Unseen      []string     `json:"unseen"` // rows whose case is not in the dataset any more; at most MaxDifferences
	UnseenCount int          `json:"unseen_count"`
	Notes       []string     `json:"notes"` // limits of the result, with reasons
}

// MaxDifferences is how many differences a Verification names.
const MaxDifferences = 50

// A Difference is a number that came out otherwise.
type Difference struct {
	Case   string `json:"case,omitzero"` // empty: of the run as a whole
	Repeat int    `json:"repeat,omitzero"`
	What   string `json:"what"` // "criterion x", "total", "summary", ...
	Was    string `json:"was"`
	Is     string `json:"is"`
}

// A Part is a value within a Difference that came out otherwise.
type Part struct {
	Path    string // "total.mean", "criteria.0.mean"; empty: the whole
	Was, Is string // JSON or text; empty: not there
}

// Parts returns the parts of d that differ, if both sides are JSON objects, or d as one part.
func (d *Difference) Parts() []Part {
	return parts(nil, "", jsontext.Value(d.Was), jsontext.Value(d.Is))
}

func parts(to []Part, path string, was, is jsontext.Value) []Part {
	if bytes.Equal(was, is) {
		return to
	}
	before, after := fields(was), fields(is)
	if before == nil || after == nil {
		return append(to, Part{path, string(was), string(is)})
	}
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		to = parts(to, strings.TrimPrefix(path+"."+name, "."), before[name], after[name])
	}
	return to
}

// fields returns the values of an object, or of a list of objects by their numbers; nil: it is neither.
func fields(v jsontext.Value) map[string]jsontext.Value {
	var object map[string]jsontext.Value
	if json.Unmarshal(v, &object) == nil {
		return object
	}
	var list []jsontext.Value
	if json.Unmarshal(v, &list) != nil || slices.ContainsFunc(list, func(v jsontext.Value) bool { return v.Kind() != '{' }) {
		return nil
	}
	object = map[string]jsontext.Value{}
	for i, v := range list {
		object[strconv.Itoa(i)] = v
	}
	return object
}

// Err returns a fault of class Gate if something differs, one of class
// Incomparable if part of the run could not be looked at, else nil.
func (v *Verification) Err() error {
	switch n := len(v.Differences) + v.More; {
	case n > 0:
		return fault.WithHint(fault.New(fault.Gate, "run %s: %s", v.Run, diag.Count(n, "difference")), "the recorded scores differ from those of this program, these plugins and this data")
	case v.Unfinished != "":
		return fault.WithHint(fault.New(fault.Incomparable, "run %s is not finished (%s): only the rows that it has are checked", v.Run, v.Unfinished), "re-run its command to resume it, and verify it then")
	case len(v.GoCode) > 0:
		return fault.WithHint(fault.New(fault.Incomparable, "run %s: not re-derived: Go code (%s)", v.Run, strings.Join(v.GoCode, ", ")),
			"verify it with the program that has them in host.Options")
	case v.UnseenCount > 0:
		return fault.WithHint(fault.New(fault.Incomparable, "run %s: the dataset lacks the cases of %s", v.Run, diag.Count(v.UnseenCount, "row")), "name the data that the run graded with "+fault.OptionDataset)
	}
	return nil
}

// Add adds a difference, or counts it if there are many.
func (v *Verification) Add(d Difference) {
	if len(v.Differences) < MaxDifferences {
		v.Differences = append(v.Differences, d)
	} else {
		v.More++
	}
}
