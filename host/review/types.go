package review

import (
	"maps"
	"slices"
	"strconv"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
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

// ReadTypes reads an object of types by id, the value of TypesKey.
func ReadTypes(r *strict.Reader, n *document.Node) map[string]Type {
	types := map[string]Type{}
	if n.Kind != document.Object {
		r.Wrong(n, TypesKey, "an object: types by id")
	}
	for i := range n.Members {
		m := &n.Members[i]
		path := document.Join(TypesKey, m.Key)
		if err := checkLabel("type", m.Key); err != nil {
			r.Fail(m.At, path, "value-invalid", "", "%v", err)
			continue
		}
		types[m.Key] = readType(r, m.Key, m.Value, path)
	}
	return types
}

func readType(r *strict.Reader, id string, n *document.Node, path string) Type {
	t := Type{ID: id}
	if n.Is(document.Null) && n.Empty {
		return t
	}
	o := r.Object(n, path, "type "+strconv.Quote(id))
	if o == nil {
		return t
	}
	// texts reads a list of texts without repetitions.
	texts := func(key string, check func(string) error) []string {
		list := o.Texts(key)
		for i, s := range list {
			at := o.Node.Get(key).Items[i].At
			if err := check(s); err != nil && !r.Failed(at) {
				r.Fail(at, document.Index(o.Sub(key), i), "value-invalid", "", "%s: %v", o.Sub(key), err)
			}
		}
		return xslices.Unique(list)
	}
	t.Description = o.Prose(strict.May, "description")
	t.Rubrics = texts("rubrics", checkRubric)
	t.Tags = texts("tags", func(s string) error { return checkLabel("tag", s) })
	t.AutoReview, _ = o.Flag("auto_review")
	t.RequiresApproval, _ = o.Flag("requires_approval")
	if x, ok := o.NumberTo(strict.May, 1, "approval_threshold"); ok {
		t.ApprovalThreshold = &x
	}
	if m := o.Ask("content_schema"); m != nil { // dataknobs has the key, and does not use it
		r.Fail(m.At, o.Sub("content_schema"), "unsupported", "check the content with a schema criterion of a rubric", "%s is not supported", o.Sub("content_schema"))
	}
	o.Close()
	return t
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
