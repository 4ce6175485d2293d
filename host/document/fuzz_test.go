package document

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/rubric-host/rubric-host/host/fault"
)

// FuzzRead holds a document to its promises on any input: no panic, within its
// bounds, every place within the source, and JSON that YAML takes too says the
// same in both.
func FuzzRead(f *testing.F) {
	f.Add([]byte("a: &a {b: [*a, ~, 1e5, .inf]}\n<<: *a\n# é\nc: What?\n"))
	f.Add([]byte("\xEF\xBB\xBF{\"a\": [1, \"\\u00e9\", {\"b?\": null}], \"a\": true}"))
	f.Add([]byte("%YAML 1.2\n---\na: |\n  b\r\n\u2028c: !x {d, ? e : f}\n...\n---\n"))
	f.Add([]byte(bomb(4)))
	f.Fuzz(func(t *testing.T, src []byte) {
		most := Limits{Bytes: 1 << 16, Nodes: 1000, Depth: 20}
		asJSON := within(t, Read("in", src, Options{Format: JSON, Limits: most}), src, most)
		asYAML := within(t, Read("in", src, Options{Format: YAML, Limits: most}), src, most)
		within(t, Read("in.yaml", src, Options{Limits: most, MergeKeys: true}), src, most)
		if len(asJSON.Problems)+len(asYAML.Problems) > 0 || strings.ContainsAny(string(src), "\u0085\u2028\u2029") { // a break to YAML 1.1 alone
			return
		}
		if a, b := shown(asJSON), shown(asYAML); a != b {
			t.Fatalf("%q\nas JSON %s\nas YAML %s", src, a, b)
		}
	})
}

// FuzzParser splits any text: it ends, and the places that it returns lie within the
// text.
func FuzzParser(f *testing.F) {
	f.Add([]byte("- {a: b?}\n- é: &x c\n  d: *x\n---\n- [e\u0085, f]\r- g\n"))
	f.Add([]byte("%YAML 1.2\n---\na: [\n\tb?"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			return
		}
		p, raw := NewParser(text), yaml.NewDecoder(bytes.NewReader(text))
		lines := strings.Split(string(text), "\n")
		plain := utf8.Valid(text) && !strings.ContainsAny(string(text), "\uFEFF\r\u0085\u2028\u2029") && !bytes.HasPrefix(text, []byte("%YAML"))
		var visit func(n, as *yaml.Node)
		visit = func(n, as *yaml.Node) {
			if n.Kind != yaml.DocumentNode {
				if n.Line < 1 || n.Line > len(lines) || n.Column < 1 || n.Column > len(lines[n.Line-1])+1 {
					t.Fatalf("%q: %d:%d", text, n.Line, n.Column)
				}
				if plain && as.Line <= len(lines) { // it may count one more
					line := []rune(lines[as.Line-1])
					if want := 1 + len(string(line[:min(as.Column-1, len(line))])); n.Line != as.Line || n.Column != want {
						t.Fatalf("%q: %d:%d, not %d:%d", text, n.Line, n.Column, as.Line, want)
					}
				}
			}
			for i, c := range n.Content {
				visit(c, as.Content[i])
			}
		}
		for range len(text) + 2 {
			doc, err := p.Next()
			if err == nil {
				as := doc
				if plain && as.Line <= len(lines) { // it may count one more
					if as = new(yaml.Node); raw.Decode(as) != nil {
						t.Fatalf("%q: go-yaml does not read it", text)
					}
				}
				visit(doc, as)
				continue
			}
			var bad *SyntaxError
			if errors.As(err, &bad) && (bad.Line < 0 || bad.Line > len(lines) || bad.Message == "") || bad == nil && !errors.Is(err, io.EOF) {
				t.Fatalf("%q: %v", text, err)
			}
			if _, again := p.Next(); !errors.Is(again, err) {
				t.Fatalf("%q: %v, then %v", text, err, again)
			}
			return
		}
		t.Fatalf("%q: it does not end", text)
	})
}

func shown(d *Document) string {
	if d.Root == nil {
		return "nothing"
	}
	return show(d.Root)
}

// within holds a document to its bounds, and its places to its source.
func within(t *testing.T, d *Document, src []byte, most Limits) *Document {
	t.Helper()
	lines := strings.Split(string(src), "\n")
	inside := func(at Place) {
		p := d.Pos(at)
		if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1])+1 || d.Line(at) != p.Line {
			t.Fatalf("%q: place %s, line %d", src, p, d.Line(at))
		}
	}
	if err := d.Problems.Err(); err != nil && fault.Of(err) != fault.Invalid || err == nil && len(d.Problems) > 0 {
		t.Fatalf("%q: %v", src, d.Problems)
	}
	for i, problem := range d.Problems {
		if problem.Code == "" || problem.Message == "" || problem.Code != "too-many" && problem.Pos != d.Pos(d.Places[i]) {
			t.Fatalf("%q: %v", src, problem)
		}
	}
	for _, at := range d.Places {
		inside(at)
	}
	if d.Root == nil {
		return d
	}
	nodes := 0
	walk(d.Root, func(n *Node) {
		nodes++
		inside(n.At)
		if n.Kind == Invalid && len(d.Problems) == 0 {
			t.Fatalf("%q: invalid without a problem", src)
		}
		keys := map[string]bool{}
		for _, m := range n.Members {
			inside(m.At)
			if keys[m.Key] || m.Value == nil {
				t.Fatalf("%q: the member %q", src, m.Key)
			}
			keys[m.Key] = true
		}
	})
	if nodes > most.Nodes && len(d.Problems) == 0 {
		t.Fatalf("%q: %d nodes", src, nodes)
	}
	return d
}
