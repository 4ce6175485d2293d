package document

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/rubric-host/rubric-host/host/fault"
)

// yamlReader reads a YAML document into a tree: YAML 1.2 as a Parser has it,
// aliases followed, one document to a file.
type yamlReader struct {
	*reader
	open map[*yaml.Node]bool // aliases being followed
}

func (r *reader) readYAML() *Node {
	if elements(r.doc.text) > r.o.Limits.Nodes {
		r.fail(Place{}, "too-large", "write less, or split it", "the %s has more than %d elements", r.o.Noun, r.o.Limits.Nodes)
		return nil
	}
	r.doc.index()
	p := NewParser(r.doc.text)
	root, err := p.Next()
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(root.Content) == 0:
		return nil
	case err != nil:
		r.syntax(err)
		return nil
	}
	switch more, err := p.Next(); {
	case err == nil:
		r.fail(r.placeOf(more), "many-documents", "keep one document per file", "a second document begins here")
	case !errors.Is(err, io.EOF):
		r.syntax(err)
		return nil
	}
	y := &yamlReader{r, map[*yaml.Node]bool{}}
	n, ok := y.value(root.Content[0], 1)
	if !ok {
		return nil
	}
	n.Comments = joinComments(commentsOf(root), n.Comments)
	return n
}

// elements returns an upper bound of the elements of a YAML text, without
// reading it: each one takes one of these characters.
func elements(text []byte) int {
	n := 1
	for i, c := range text {
		switch c {
		case ',', ':', '[', '{':
			n++
		case '-', '?':
			if i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n' || text[i+1] == '\t' || text[i+1] == '\r' {
				n++
			}
		}
	}
	return n
}

// syntax reports a syntax error, at the line that the parser
// names.
func (r *reader) syntax(err error) {
	s, ok := errors.AsType[*SyntaxError](err)
	if !ok {
		s = &SyntaxError{Message: err.Error()}
	}
	at := Place{}
	if s.Line >= 1 && s.Line <= len(r.doc.lines) {
		at = offset(int(r.doc.lines[s.Line-1]))
	}
	r.fail(at, "syntax", s.Hint, "not YAML: %s", s.Message)
}

func (y *yamlReader) value(in *yaml.Node, depth int) (*Node, bool) {
	at := y.placeOf(in)
	if !y.grow(at, depth) {
		return nil, false
	}
	n := &Node{At: at, Comments: commentsOf(in), Flow: in.Style&yaml.FlowStyle != 0}
	switch in.Kind {
	case yaml.AliasNode:
		return y.alias(in, depth)
	case yaml.SequenceNode:
		if !y.plainTag(n, in, "!!seq") {
			return n, true
		}
		n.Kind = List
		return n, y.list(n, in, depth)
	case yaml.MappingNode:
		if !y.plainTag(n, in, "!!map") {
			return n, true
		}
		n.Kind, n.Members = Object, []Member{}
		return n, y.object(n, in, depth)
	}
	return n, y.scalar(n, in)
}

func (y *yamlReader) alias(in *yaml.Node, depth int) (*Node, bool) {
	target := in.Alias
	if target == nil || y.open[target] {
		y.fail(y.placeOf(in), "alias-loop", "write the value out", "the alias *%s refers to itself", fault.Clip(in.Value, 80))
		return nil, false
	}
	y.open[target] = true
	defer delete(y.open, target)
	n, ok := y.value(target, depth)
	if ok {
		n.Comments = nil
	}
	return n, ok
}

func (y *yamlReader) list(n *Node, in *yaml.Node, depth int) bool {
	n.Items = make([]*Node, 0, len(in.Content))
	for i, item := range in.Content {
		y.enter("", i)
		child, ok := y.value(item, depth+1)
		if !ok {
			return false
		}
		y.leave()
		n.Items = append(n.Items, child)
	}
	return true
}

func (y *yamlReader) object(n *Node, in *yaml.Node, depth int) bool {
	keys := map[string]Place{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(in.Content); i += 2 {
		key, value := in.Content[i], in.Content[i+1]
		if key.Tag == "!!merge" && key.Style == 0 {
			if y.o.MergeKeys {
				merged = append(merged, value)
			} else {
				y.fail(y.placeOf(key), "key-type", "write the members themselves", "merge keys are not supported")
			}
			continue
		}
		m := Member{Key: key.Value, At: y.placeOf(key), Comments: commentsOf(key)}
		isKey := y.key(key, &m)
		y.enter(m.Key, -1)
		child, ok := y.value(value, depth+1)
		if !ok {
			return false
		}
		m.Value = child
		if !y.hold(m.At, m.Key) {
			return false
		}
		if isKey {
			y.add(n, keys, m)
		}
		y.leave()
	}
	for _, m := range merged {
		if !y.merge(n, m, keys, depth) {
			return false
		}
	}
	return true
}

// key checks a key: text, or an integer for those who take one.
func (y *yamlReader) key(key *yaml.Node, m *Member) bool {
	if key.Kind == yaml.AliasNode && key.Alias != nil {
		key = key.Alias
		m.Key = key.Value
	}
	switch tag := key.ShortTag(); {
	case key.Kind != yaml.ScalarNode:
		y.fail(m.At, "key-type", "write a word", "a key is a list or an object")
	case tag == "!!str", tag == "!!timestamp", tag == "!!merge":
		return true
	case tag == "!!int":
		m.Whole = true
		return true
	case key.Value == "":
		y.fail(m.At, "key-type", "write it before the colon", "a key is missing")
	default:
		quoted := fault.Clip(key.Value, 80)
		y.fail(m.At, "key-type", fmt.Sprintf("quote it: %q", quoted), "the key %s is not text", quoted)
	}
	return false
}

// merge adds the members of a merge key: those that the object does not write itself,
// the first of several maps first.
func (y *yamlReader) merge(n *Node, in *yaml.Node, keys map[string]Place, depth int) bool {
	y.enter("<<", -1)
	defer y.leave()
	brought, ok := y.value(in, depth+1)
	if !ok {
		return false
	}
	list := []*Node{brought}
	if brought.Kind == List {
		list = brought.Items
	}
	for _, from := range list {
		switch from.Kind {
		case Invalid:
			continue
		case Object:
		default:
			y.fail(y.placeOf(in), "merge", "merge an object", "the merge key << takes an object, not %s", from.Kind)
			return true
		}
		for _, m := range from.Members {
			if _, written := keys[m.Key]; !written {
				y.add(n, keys, m)
			}
		}
	}
	return true
}

func (y *yamlReader) scalar(n *Node, in *yaml.Node) bool {
	n.Value = in.Value
	if !y.hold(n.At, n.Value) {
		return false
	}
	n.Bare = in.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) == 0
	switch tag := in.ShortTag(); tag {
	case "!!str", "!!timestamp", "!!merge":
		n.Kind = Text
		if n.Bare {
			if _, ok := JSONNumber(n.Value); ok { // a number too large for go-yaml
				n.Kind = Number
			}
		}
	case "!!int", "!!float":
		n.Kind = Number
	case "!!bool":
		n.Kind, n.Value = Boolean, strings.ToLower(in.Value)
		if n.Value != "true" && n.Value != "false" {
			n.Kind = Invalid
			y.fail(n.At, "tag", "write true or false", "%q is not a boolean", fault.Clip(in.Value, 80))
		}
	case "!!null":
		n.Kind, n.Empty = Null, in.Value == ""
	default:
		y.unknownTag(n, tag)
	}
	return true
}

// plainTag refuses collections with a tag of their own, such as !!set.
func (y *yamlReader) plainTag(n *Node, in *yaml.Node, want string) bool {
	if in.ShortTag() == want {
		return true
	}
	y.unknownTag(n, in.ShortTag())
	return false
}

func (y *yamlReader) unknownTag(n *Node, tag string) {
	n.Kind = Invalid
	y.fail(n.At, "tag", "remove the tag", "the tag %s is not understood", fault.Clip(tag, 80))
}

func (r *reader) placeOf(in *yaml.Node) Place {
	return offset(int(r.doc.lines[in.Line-1]) + in.Column - 1)
}

func commentsOf(in *yaml.Node) *Comments {
	if in.HeadComment == "" && in.LineComment == "" && in.FootComment == "" {
		return nil
	}
	return &Comments{Head: in.HeadComment, Line: in.LineComment, Foot: in.FootComment}
}

// joinComments puts the comments around a document to those of its root.
func joinComments(outer, inner *Comments) *Comments {
	if outer == nil || inner == nil {
		return cmp.Or(outer, inner)
	}
	join := func(a, b string) string { return strings.Trim(a+"\n\n"+b, "\n") }
	return &Comments{Head: join(outer.Head, inner.Head), Line: inner.Line, Foot: join(inner.Foot, outer.Foot)}
}
