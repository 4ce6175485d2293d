package review

import (
	"maps"
	"slices"
	"strconv"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// TypesKey is the key of a document that declares types, as in dataknobs'
// configuration.
const TypesKey = "artifact_types"

// A Type holds the defaults of artifacts of one kind. An artifact copies them when
// it is created.
type Type struct {
	ID          string   `json:"id"`
	Description string   `json:"description,omitzero"`
	Rubrics     []string `json:"rubrics"` // ids, or ID@VERSION
	Tags        []string `json:"tags"`    // added to those of every artifact
	Rules
}

// typeKeys are the keys of a type in a document.
var typeKeys = []string{"description", "rubrics", "auto_review", "requires_approval", "approval_threshold", "tags"}

// ParseTypes reads a document with types: {"artifact_types": {ID: {...}}}, JSON or
// YAML by the name's extension. The error is a diag.List with every problem, of class
// fault.Invalid.
func ParseTypes(name string, src []byte) (map[string]Type, error) {
	doc := document.Read(name, src, document.Options{Noun: "types", Limits: document.Limits{Bytes: 1 << 20, Nodes: 50_000, Depth: 16}})
	problems := doc.Problems
	fail := func(d diag.Diagnostic, at document.Place) {
		d.Pos = doc.Pos(at)
		problems.Add(d)
	}
	var types map[string]Type
	switch root := doc.Root; {
	case root.Is(document.Object):
		for i := range root.Members {
			if m := &root.Members[i]; m.Key != TypesKey {
				fail(diag.Diagnostic{Code: "unknown-key", Message: "unknown key " + strconv.Quote(m.Key), Hint: "types are declared below " + TypesKey}, m.At)
			}
		}
		if n := root.Get(TypesKey); n != nil {
			types = ReadTypes(n, fail)
		} else {
			fail(diag.Diagnostic{Code: "key-missing", Message: "missing key " + TypesKey}, root.At)
		}
	case len(problems) == 0:
		fail(diag.Diagnostic{Code: "wrong-type", Message: "the document is not an object", Hint: "write " + TypesKey + ": {NAME: {rubrics: [...]}}"}, document.Place{})
	}
	problems.Sort()
	return types, problems.Err()
}

// ReadTypes reads an object of types by id. Every problem is given to fail, without
// its position.
func ReadTypes(n *document.Node, fail func(diag.Diagnostic, document.Place)) map[string]Type {
	types := map[string]Type{}
	r := &typeReader{fail: fail}
	if !n.Is(document.Object) {
		r.wrong(n, TypesKey, "an object")
		return types
	}
	for i := range n.Members {
		m := &n.Members[i]
		if err := checkLabel("type", m.Key); err != nil {
			fail(diag.Diagnostic{Code: "value-invalid", Message: err.Error()}, m.At)
			continue
		}
		types[m.Key] = r.read(m.Key, m.Value)
	}
	return types
}

type typeReader struct {
	fail func(diag.Diagnostic, document.Place)
}

// wrong reports a value of another kind; one that could not be read is reported already.
func (r *typeReader) wrong(n *document.Node, what, kind string) {
	if n.Kind != document.Invalid {
		r.fail(diag.Diagnostic{Code: "wrong-type", Message: what + " must be " + kind + ", not " + n.Kind.String()}, n.At)
	}
}

func (r *typeReader) read(id string, n *document.Node) Type {
	t := Type{ID: id}
	if !n.Is(document.Object) {
		if !(n.Is(document.Null) && n.Empty) {
			r.wrong(n, "type "+strconv.Quote(id), "an object")
		}
		return t
	}
	for i := range n.Members {
		m := &n.Members[i]
		v, what := m.Value, "type "+strconv.Quote(id)+": "+m.Key
		switch m.Key {
		case "description":
			if t.Description = v.Value; v.Kind != document.Text {
				r.wrong(v, what, "text")
			}
		case "rubrics":
			t.Rubrics = r.list(v, what, checkRubric)
		case "tags":
			t.Tags = r.list(v, what, func(s string) error { return checkLabel("tag", s) })
		case "auto_review":
			t.AutoReview = r.flag(v, what)
		case "requires_approval":
			t.RequiresApproval = r.flag(v, what)
		case "approval_threshold":
			t.ApprovalThreshold = r.share(v, what)
		case "content_schema": // dataknobs has the key, and does not use it
			r.fail(diag.Diagnostic{Code: "unsupported", Message: what + " is not supported", Hint: "check the content with a schema criterion of a rubric"}, m.At)
		default:
			r.fail(diag.Diagnostic{Code: "unknown-key", Message: "type " + strconv.Quote(id) + ": unknown key " + strconv.Quote(m.Key), Hint: diag.DidYouMean(m.Key, typeKeys)}, m.At)
		}
	}
	return t
}

func (r *typeReader) flag(n *document.Node, what string) bool {
	if n.Kind != document.Boolean {
		r.wrong(n, what, "true or false")
	}
	return n.Value == "true"
}

func (r *typeReader) share(n *document.Node, what string) *float64 {
	x, err := strconv.ParseFloat(n.Value, 64)
	switch {
	case n.Kind != document.Number:
		r.wrong(n, what, "a number")
	case err != nil || !(x >= 0 && x <= 1):
		r.fail(diag.Diagnostic{Code: "number-range", Message: what + " must be between 0 and 1, not " + n.Value}, n.At)
	default:
		return &x
	}
	return nil
}

func (r *typeReader) list(n *document.Node, what string, check func(string) error) []string {
	if n.Kind != document.List {
		r.wrong(n, what, "a list")
		return nil
	}
	var list []string
	for _, item := range n.Items {
		if item.Kind != document.Text {
			r.wrong(item, what, "a list of texts")
			continue
		}
		if err := check(item.Value); err != nil {
			r.fail(diag.Diagnostic{Code: "value-invalid", Message: what + ": " + err.Error()}, item.At)
			continue
		}
		list = appendNew(list, item.Value)
	}
	return list
}

// typeOf returns the definition of a type. An undeclared type is accepted if the
// artifact has rubrics of its own.
func typeOf(types map[string]Type, id string, alone bool) (Type, error) {
	if t, ok := types[id]; ok {
		return t, nil
	}
	if alone {
		return Type{ID: id}, nil
	}
	err := fault.New(fault.NotFound, "artifact type %q is not declared", id)
	if len(types) == 0 {
		return Type{}, fault.WithHint(err, "declare it with its rubrics in "+fault.OptionTypes+", or name a rubric")
	}
	return Type{}, fault.WithHint(err, "%s", diag.DidYouMean(id, slices.Sorted(maps.Keys(types))))
}

// appendNew appends the words that list does not have.
func appendNew(list []string, words ...string) []string {
	for _, w := range words {
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}
