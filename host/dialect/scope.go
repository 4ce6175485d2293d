package dialect

import (
	"math"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A scope is an object of a rubric document that is read strictly.
type scope struct {
	*strict.Object
	d *decoder
}

type need = strict.Need

const (
	must = strict.Must
	may  = strict.May
)

// object opens n for reading, nil if it is not an object.
func (d *decoder) object(n *node, path, what string) *scope {
	if o := d.Object(n, path, what); o != nil {
		return &scope{o, d}
	}
	return nil
}

// member opens the object that a key has, nil if none is written.
func (s *scope) member(n need, key, what string) *scope {
	v, _ := s.Raw(n, key)
	return s.d.object(v, s.Sub(key), what)
}

// criteria reads the criteria that a key has, nil if it is not written, and notes where they stand.
func (s *scope) criteria(n need, key string, traces *[]trace, read func(d *decoder, n *node, path string) rubric.Criterion) []rubric.Criterion {
	items, list := s.List(n, key)
	if items == nil {
		return nil
	}
	out := []rubric.Criterion{}
	for i, item := range items {
		path := document.Index(list, i)
		out, *traces = append(out, read(s.d, item, path)), append(*traces, trace{node: item, path: path})
	}
	return out
}

// known marks keys as known; their values are kept in the document and not read.
func (s *scope) known(keys ...string) {
	for _, key := range keys {
		if m := s.Ask(key); m != nil {
			s.d.kept = append(s.d.kept, s.Sub(key))
		}
	}
}

// keep notes that a member of an object of s is kept and means nothing there.
func (d *decoder) keep(s *scope, key, member string) {
	if s.Node.Get(key).Get(member) != nil {
		d.kept = append(d.kept, document.Join(s.Sub(key), member))
	}
}

func (s *scope) integers(key string) []int {
	list, path := s.List(may, key)
	var out []int
	for i, v := range list {
		x, ok := s.d.Number(v, document.Index(path, i))
		if ok && (x != math.Trunc(x) || math.Abs(x) > 1<<31) {
			s.d.Fail(v.At, document.Index(path, i), "number-range", "", "%s must be a whole number, not %s", document.Index(path, i), v.Value)
			ok = false
		}
		if ok {
			out = append(out, int(x))
		}
	}
	return out
}

// weight returns a weight within bounds with its literal; the default if none
// is written.
func (s *scope) weight(n need, lo, hi float64, otherwise rubric.Weight, keys ...string) rubric.Weight {
	v, key := s.Raw(n, keys...)
	if v == nil {
		return otherwise
	}
	x, ok := s.d.Number(v, s.Sub(key))
	if !ok {
		return otherwise
	}
	if x < lo || x > hi {
		s.d.Fail(v.At, s.Sub(key), "weight-range", "", "the weight %s is %s", v.Value, strict.Outside(hi))
		return otherwise
	}
	return rubric.Weight{Value: x, Literal: v.Value}
}

// textOrTexts returns a list of texts, or a single text as one.
func (s *scope) textOrTexts(key string) []string {
	if s.Node.Get(key).Is(document.Text) {
		return []string{s.Text(may, key)}
	}
	return s.Texts(key)
}
