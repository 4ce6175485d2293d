package document

import (
	"errors"
	"io"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

func TestParser_SplitsATextIntoDocuments(t *testing.T) {
	p := NewParser([]byte("%YAML 1.2\n---\na: {b: What?, why?: [x?, y]} # why?\n---\n- é: ü, c: d\n---\n[\n"))
	one, err := p.Next()
	if err != nil || one.Content[0].Content[1].Content[1].Value != "What?" || one.Content[0].Content[1].LineComment != "# why?" {
		t.Fatalf("%v %+v", err, one)
	}
	_, err = p.Next()
	var bad *SyntaxError
	if !errors.As(err, &bad) || bad.Line != 5 || bad.Hint != `quote text that holds ": "` || err.Error() != "line 5: not YAML: mapping values are not allowed in this context" {
		t.Errorf("%+v", bad)
	}
	if _, again := p.Next(); !errors.Is(again, err) {
		t.Errorf("there is more: %v", again)
	}
	if _, err := NewParser(nil).Next(); !errors.Is(err, io.EOF) {
		t.Errorf("nothing: %v", err)
	}
}

func TestParser_PlacesNodes(t *testing.T) {
	text := "- {é: 1, ü: &a x}\n- [ö, *a, z]\r- ß\n- é: w\n"
	doc, err := NewParser([]byte(text)).Next()
	if err != nil {
		t.Fatal(err)
	}
	var nodes []*yaml.Node
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			nodes = append(nodes, n)
		}
		for _, c := range n.Content {
			visit(c)
		}
	}
	visit(doc)
	lines := strings.Split(text, "\n")
	for _, n := range nodes {
		if rest := lines[n.Line-1][n.Column-1:]; !strings.HasPrefix(strings.TrimPrefix(rest, "&a "), n.Value) {
			t.Errorf("%q at %d:%d: %q", n.Value, n.Line, n.Column, rest)
		}
	}
}
