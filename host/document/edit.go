package document

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
)

// An Edit sets a member of an object: an existing one is replaced in its place,
// any other is added at the end.
type Edit struct {
	Object *Node // in the tree of the document
	Key    string
	Value  *Node // without places
}

// Edit returns the text of the document with its members set. All other bytes stay:
// comments, the order of keys, blank lines, line ends, the byte order mark. Nothing
// is written to the tree, which must be as Read returned it.
//
// The result is read again and compared with the tree. The error, of class
// fault.Invalid, names the line of an object that cannot be edited in place: in
// YAML one that an alias repeats, one written {like: this} with comments, or one
// that ends in a block text with |+. Of several edits it may be any.
func (d *Document) Edit(edits []Edit) ([]byte, error) {
	e := &editor{doc: d, next: map[*Node]int{}, edits: edits, set: map[*Node]map[string]*Node{}}
	for _, x := range edits {
		if e.set[x.Object] == nil {
			e.set[x.Object] = map[string]*Node{}
		}
		e.set[x.Object][x.Key] = x.Value
	}
	e.ends(d.Root, len(d.text))
	out, bad := e.apply()
	if bad == nil && !e.right(out) {
		bad = &edits[0]
	}
	if bad != nil {
		err := fault.New(fault.Invalid, "%s: %q cannot be written here with everything else left as it is", d.Pos(bad.Object.At), bad.Key)
		return nil, fault.WithHint(err, "write the object with one key a line, and without aliases")
	}
	return out, nil
}

type editor struct {
	doc   *Document
	edits []Edit
	set   map[*Node]map[string]*Node
	next  map[*Node]int // offset of the text after an edited object
}

// A splice puts text in place of the bytes from..to.
type splice struct {
	from, to int
	text     []byte
}

func offsetOf(p Place) int { return int(p.offset) }

// ends notes the text to write after each edited object.
func (e *editor) ends(n *Node, next int) {
	if e.set[n] != nil {
		e.next[n] = next
	}
	for i, item := range n.Items {
		after := next
		if i+1 < len(n.Items) {
			after = offsetOf(n.Items[i+1].At)
		}
		e.ends(item, after)
	}
	for i := range n.Members {
		after := next
		if i+1 < len(n.Members) {
			after = offsetOf(n.Members[i+1].At)
		}
		e.ends(n.Members[i].Value, after)
	}
}

// apply returns the text with every edit, or the edit that has no place.
func (e *editor) apply() (out []byte, bad *Edit) {
	list := make([]splice, 0, len(e.edits))
	for i := range e.edits {
		s, ok := e.place(e.edits[i])
		if !ok {
			return nil, &e.edits[i]
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b splice) int { return cmp.Compare(a.from, b.from) })
	text, at := e.doc.text, 0
	out = append(out, e.doc.Bytes[:len(e.doc.Bytes)-len(text)]...)
	for _, s := range list {
		if s.from < at {
			return nil, &e.edits[0]
		}
		out = append(append(out, text[at:s.from]...), s.text...)
		at = s.to
	}
	return append(out, text[at:]...), nil
}

// right reports whether text reads as the tree with its members set.
func (e *editor) right(text []byte) bool {
	limits := Limits{Bytes: len(text) + 1, Nodes: 4 * MaxNodes}
	again := Read(e.doc.File, text, Options{Format: e.doc.Format, Limits: limits})
	return len(again.Problems) == 0 && again.Root != nil && e.same(e.doc.Root, again.Root)
}

// same compares a node of the tree, or of an edit, with one that was read again: not
// places, comments, style, and the order of keys.
func (e *editor) same(was, is *Node) bool {
	if was.Kind != is.Kind || was.Value != is.Value || len(was.Items) != len(is.Items) {
		return false
	}
	for i := range was.Items {
		if !e.same(was.Items[i], is.Items[i]) {
			return false
		}
	}
	added := 0
	set := e.set[was]
	for key, value := range set {
		if was.Get(key) == nil {
			added++
		}
		if written := is.Get(key); written == nil || !e.same(value, written) {
			return false
		}
	}
	if len(is.Members) != len(was.Members)+added {
		return false
	}
	for i := range was.Members {
		m := &was.Members[i]
		if set[m.Key] != nil {
			continue
		}
		if value := is.Get(m.Key); value == nil || !e.same(m.Value, value) {
			return false
		}
	}
	return true
}

// inline reports whether an object is written in braces.
func (e *editor) inline(n *Node) bool { return e.doc.Format == JSON || n.Flow }

// find returns the index of a member, -1 if there is none.
func find(n *Node, key string) int {
	return slices.IndexFunc(n.Members, func(m Member) bool { return m.Key == key })
}

// place replaces a member, or adds one to its object; false: it has no place.
func (e *editor) place(x Edit) (splice, bool) {
	i := find(x.Object, x.Key)
	switch {
	case i >= 0 && e.inline(x.Object):
		return e.replaceInline(x, i)
	case i >= 0:
		return e.replaceBlock(x, i)
	case e.inline(x.Object):
		return e.appendInline(x)
	}
	return e.appendBlock(x)
}

// appendBlock adds lines behind the last one of an object in block style: before
// blank lines and comments that stand further to the left.
func (e *editor) appendBlock(x Edit) (splice, bool) {
	if len(x.Object.Members) == 0 {
		return splice{}, false
	}
	text, ok := e.blockMember(x, nil)
	if !ok {
		return splice{}, false
	}
	at := e.endOfLines(e.next[x.Object], e.indent(x.Object))
	if at > 0 && e.doc.text[at-1] != '\n' { // the document ends without a line break
		end := e.lineEnd()
		text = slices.Concat(end, bytes.TrimSuffix(text, end))
	}
	return splice{at, at, text}, true
}

// endOfLines returns the offset of the line behind the last content before an
// offset. Comments in the column indent or right of it are content; the end of a document, "...", is not.
func (e *editor) endOfLines(next, indent int) int {
	text := e.doc.text
	at := next
	if next < len(text) {
		at = lineStart(text, next)
	}
	for at > 0 {
		from := lineStart(text, at-1)
		line := text[from:at]
		if trimmed := bytes.TrimLeft(line, " \t"); len(bytes.TrimSpace(line)) > 0 && (trimmed[0] != '#' || len(line)-len(trimmed) >= indent) && !bytes.HasPrefix(line, []byte("...")) {
			break
		}
		at = from
	}
	if at == 0 {
		return next
	}
	return at
}

// indent returns the number of columns before the keys of an object.
func (e *editor) indent(n *Node) int {
	at := offsetOf(n.Members[0].At)
	return at - lineStart(e.doc.text, at)
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// replaceBlock rewrites a member of an object in block style, from its key to the end
// of its value.
func (e *editor) replaceBlock(x Edit, i int) (splice, bool) {
	m := &x.Object.Members[i]
	from, next := offsetOf(m.At), e.next[x.Object]
	if i+1 < len(x.Object.Members) {
		next = offsetOf(x.Object.Members[i+1].At)
	}
	to := e.endOfLines(next, e.indent(x.Object)+1)
	text, ok := e.blockMember(x, lineComment(m))
	text = bytes.TrimLeft(text, " ")
	if to > 0 && to <= len(e.doc.text) && e.doc.text[to-1] != '\n' {
		text = bytes.TrimSuffix(text, e.lineEnd())
	}
	return splice{from, to, text}, ok && to > from
}

// lineComment returns the comment behind a member on its line, nil if there is none.
func lineComment(m *Member) *Comments {
	for _, c := range []*Comments{m.Value.Comments, m.Comments} {
		if c != nil && c.Line != "" {
			return &Comments{Line: c.Line}
		}
	}
	return nil
}

// blockMember writes a member in lines of its own.
func (e *editor) blockMember(x Edit, comments *Comments) ([]byte, bool) {
	value := x.Value
	if comments != nil {
		copied := *value
		copied.Comments = comments
		value = &copied
	}
	text, err := Write((&Node{Kind: Object}).Put(x.Key, value), YAML)
	if err != nil {
		return nil, false
	}
	lead := strings.Repeat(" ", e.indent(x.Object))
	var out []byte
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) > 0 {
			out = append(out, lead...)
		}
		out = append(append(out, line...), e.lineEnd()...)
	}
	return out, true
}

// lineEnd returns the end of the document's first line.
func (e *editor) lineEnd() []byte {
	if i := bytes.IndexByte(e.doc.text, '\n'); i > 0 && e.doc.text[i-1] == '\r' {
		return []byte("\r\n")
	}
	return []byte("\n")
}

// appendInline adds a member at the end of an object in braces. Before the last member, if that is
// not written as JSON: where a plain scalar ends is not known.
func (e *editor) appendInline(x Edit) (splice, bool) {
	last := len(x.Object.Members) - 1
	if last < 0 {
		at := offsetOf(x.Object.At) + 1
		return splice{at, at, e.inlineMember(x, nil)}, true
	}
	at := offsetOf(x.Object.Members[last].At)
	lead := e.lead(at)
	_, end, ok := e.jsonValue(x.Object.Members[last].Value)
	if rest := bytes.TrimLeft(e.doc.text[end:], " \t\r\n"); !ok || len(rest) == 0 || rest[0] != '}' && rest[0] != ',' {
		return splice{at, at, slices.Concat(e.inlineMember(x, lead), []byte(","), lead)}, last > 0
	}
	return splice{end, end, slices.Concat([]byte(","), lead, e.inlineMember(x, lead))}, true
}

func (e *editor) replaceInline(x Edit, i int) (splice, bool) {
	from, to, ok := e.jsonValue(x.Object.Members[i].Value)
	lead := e.lead(offsetOf(x.Object.Members[i].At))
	return splice{from, to, e.inlineValue(x.Value, lead)}, ok
}

// jsonValue returns where a value that is written as JSON begins and ends.
func (e *editor) jsonValue(n *Node) (from, to int, ok bool) {
	from = offsetOf(n.At)
	d := jsontext.NewDecoder(bytes.NewReader(e.doc.text[from:]), jsontext.AllowDuplicateNames(true))
	v, err := d.ReadValue()
	return from, from + len(v), err == nil
}

// lead returns the white space that precedes an offset, one blank if there is
// none.
func (e *editor) lead(at int) []byte {
	from := at
	for from > 0 && strings.IndexByte(" \t\r\n", e.doc.text[from-1]) >= 0 {
		from--
	}
	if from == at {
		return []byte(" ")
	}
	return e.doc.text[from:at]
}

func (e *editor) inlineMember(x Edit, lead []byte) []byte {
	key := Compact(&Node{Kind: Text, Value: x.Key})
	return slices.Concat(key, []byte(": "), e.inlineValue(x.Value, lead))
}

// inlineValue writes a value as JSON: on one line, or with the indentation of
// lead if that begins a line.
func (e *editor) inlineValue(n *Node, lead []byte) []byte {
	i := bytes.LastIndexByte(lead, '\n')
	if i < 0 {
		return Compact(n)
	}
	return bytes.ReplaceAll(indented(n), []byte("\n"), append(bytes.Clone(e.lineEnd()), lead[i+1:]...))
}
