package tools

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A Change is one edit that Migrate makes.
type Change struct {
	Path   string   // the element, in the document's words
	Pos    diag.Pos // where it stands in the input
	Before string   // as written; empty: it was not there
	After  string
	Why    string
}

// A Migration is an OpenRubricRL document brought up to the current format.
type Migration struct {
	Changes []Change // in document order; empty: the document is up to date
	Output  []byte   // the migrated document, keys and comments in their places

	// Remaining lists the problems that keep Output from loading, placed in Output:
	// things that only its author can decide. Empty: it loads.
	Remaining diag.List
}

// missingExplanation is written where an example does not say why it was given
// its score.
const missingExplanation = "No explanation was given."

// synonyms maps domains that older documents use.
var synonyms = map[string]string{
	"coding": "code", "programming": "code", "software": "code", "code_generation": "code", "python": "code", "code_quality": "code",
	"dialog": "dialogue", "chat": "dialogue", "conversation": "dialogue", "conversational": "dialogue", "customer_support": "dialogue", "dialogue_quality": "dialogue",
	"writing": "creative_writing", "creative": "creative_writing", "fiction": "creative_writing", "storytelling": "creative_writing", "poetry": "creative_writing",
	"math": "reasoning", "mathematics": "reasoning", "logic": "reasoning", "science": "reasoning", "problem_solving": "reasoning",
	"qa": "general", "question_answering": "general", "summarization": "general", "other": "general", "misc": "general", "default": "general", "any": "general",
}

// Migrate brings an OpenRubricRL document to the current format: it writes
// toVersion, or if that is empty adds or mends the document's own, rescales the weights to a sum of exactly 1, maps the
// domain to one of the five, and gives every example an explanation. It takes
// documents that Decode refuses, and writes nothing itself: Changes is the
// report of a dry run too. The error is about documents that cannot be read.
func Migrate(file string, src []byte, toVersion string) (*Migration, error) {
	if toVersion != "" && dialect.FixVersion(toVersion) != toVersion {
		return nil, fault.WithHint(fault.New(fault.Usage, "invalid version %q", toVersion), `write three numbers, such as "2.0.0"`)
	}
	read, err := dialect.Read(file, src, "")
	if err != nil {
		return nil, err
	}
	tree := read.Root
	found, message := dialect.Detect(tree).Dialect, "this is not an OpenRubricRL rubric"
	if tree.Kind != document.Object || found != dialect.OpenRubricRL && (found != "" || !tree.Has("criteria")) {
		if found != "" {
			message += ", but one of " + found
		}
		return nil, diag.List{{Severity: diag.Error, Code: "dialect-unknown", Pos: read.Pos(tree.At), Message: message, Hint: "migrate takes OpenRubricRL documents"}}.Err()
	}
	m := &migrator{src: read.Source, toVersion: toVersion}
	m.version(tree)
	m.domain(tree)
	m.weights(tree)
	m.explanations(tree)
	out, err := document.Write(tree, read.Format)
	if err != nil {
		return nil, err
	}
	done := &Migration{Changes: m.changes, Output: out}
	if _, err := dialect.Decode(file, out, dialect.Options{Dialect: dialect.OpenRubricRL, Format: read.Format}); err != nil {
		done.Remaining = diag.In(err)
	}
	return done, nil
}

type migrator struct {
	src       *document.Source
	toVersion string
	changes   []Change
}

func (m *migrator) change(place document.Place, path, before, after, why string) {
	m.changes = append(m.changes, Change{Path: path, Pos: m.src.Pos(place), Before: before, After: after, Why: why})
}

func (m *migrator) version(n *document.Node) {
	v := n.Get("version")
	want := m.toVersion
	switch {
	case v == nil:
		want = cmp.Or(want, "1.0.0")
		m.change(n.At, "version", "", want, "a version is required")
		name := slices.IndexFunc(n.Members, func(m document.Member) bool { return m.Key == "name" })
		n.Members = slices.Insert(n.Members, name+1, document.Member{Key: "version", Value: &document.Node{Kind: document.Text, Value: want}})
		return
	case v.Kind == document.Text && dialect.FixVersion(v.Value) == v.Value && (want == "" || want == v.Value):
		return
	}
	why := "asked for"
	if want == "" {
		want, why = dialect.FixVersion(v.Value), "a version is three numbers"
	}
	m.change(v.At, "version", v.Value, want, why)
	*v = document.Node{Kind: document.Text, Value: want, At: v.At, Comments: v.Comments}
}

func (m *migrator) domain(n *document.Node) {
	v := n.Get("domain")
	if v == nil || v.Kind == document.Null || v.Kind == document.Text && slices.Contains(dialect.Domains(), v.Value) {
		return
	}
	word := strings.ToLower(strings.TrimSpace(v.Value))
	word = strings.NewReplacer(" ", "_", "-", "_").Replace(word)
	to, why := synonyms[word], "the domains are five now"
	if to == "" && slices.Contains(dialect.Domains(), word) {
		to, why = word, "the domains are written in lower case"
	}
	if to == "" {
		to, why = "general", "no domain of the five is known to mean it; check this one"
	}
	m.change(v.At, "domain", v.Value, to, why)
	*v = document.Node{Kind: document.Text, Value: to, At: v.At, Comments: v.Comments}
}

// weights rescales the weights to a sum of exactly 1, from their literals.
func (m *migrator) weights(n *document.Node) {
	list := n.Get("criteria")
	if !list.Is(document.List) || len(list.Items) == 0 {
		return
	}
	parts, written, total := make([]*big.Rat, len(list.Items)), 0, new(big.Rat)
	for i, item := range list.Items {
		w := item.Get("weight")
		if item.Kind != document.Object {
			return
		}
		if w == nil || w.Kind == document.Null {
			continue
		}
		written++
		r, ok := document.Rational(strings.TrimSpace(w.Value))
		if !ok || r.Sign() < 0 || w.Kind != document.Number && w.Kind != document.Text {
			return // only its author knows the meaning
		}
		parts[i] = r
		total.Add(total, r)
	}
	switch {
	case written == 0:
		m.equalWeights(list)
	case written == len(parts) && total.Sign() > 0:
		m.rescale(list, parts, total)
	}
}

func (m *migrator) equalWeights(list *document.Node) {
	parts := slices.Repeat([]*big.Rat{big.NewRat(1, 1)}, len(list.Items))
	for i, literal := range rubric.Shares(parts) {
		item := list.Items[i]
		item.Members = slices.DeleteFunc(item.Members, func(x document.Member) bool { return x.Key == "weight" })
		item.Put("weight", &document.Node{Kind: document.Number, Value: literal})
		m.change(item.At, document.Index("criteria", i)+".weight", "", literal, "a weight is required; without any, all weigh the same")
	}
}

func (m *migrator) rescale(list *document.Node, parts []*big.Rat, total *big.Rat) {
	off := new(big.Rat).Sub(total, big.NewRat(1, 1))
	near := off.Abs(off).Cmp(big.NewRat(1, 1_000_000)) <= 0
	for i, literal := range rubric.Shares(parts) {
		w := list.Items[i].Get("weight")
		if near {
			literal = strings.TrimSpace(w.Value)
		}
		if w.Kind == document.Number && (near || w.Value == literal) {
			continue
		}
		why := "the weights must sum to 1, and these sum to " + rubric.TrimDecimal(total.FloatString(12))
		if near {
			why = "a weight is a number"
		}
		m.change(w.At, document.Index("criteria", i)+".weight", w.Value, literal, why)
		*w = document.Node{Kind: document.Number, Value: literal, At: w.At, Comments: w.Comments}
	}
}

func (m *migrator) explanations(n *document.Node) {
	criteria := n.Get("criteria")
	if !criteria.Is(document.List) {
		return
	}
	for i, c := range criteria.Items {
		sets := c.Get("examples")
		if !sets.Is(document.Object) {
			continue
		}
		for _, set := range sets.Members {
			if !set.Value.Is(document.List) {
				continue
			}
			for k, example := range set.Value.Items {
				m.explain(example, fmt.Sprintf("criteria[%d].examples.%s[%d].explanation", i, set.Key, k))
			}
		}
	}
}

func (m *migrator) explain(example *document.Node, path string) {
	if !example.Is(document.Object) {
		return
	}
	if v := example.Get("explanation"); v != nil && v.Kind != document.Null {
		return
	}
	example.Members = slices.DeleteFunc(example.Members, func(x document.Member) bool { return x.Key == "explanation" })
	example.Put("explanation", &document.Node{Kind: document.Text, Value: missingExplanation})
	m.change(example.At, path, "", missingExplanation, "an example needs an explanation; write a better one")
}
