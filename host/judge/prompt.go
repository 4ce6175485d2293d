package judge

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"text/template"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

//go:embed prompts/*.tmpl
var files embed.FS

// sets are the sets of templates that belong together, by name: the first of each is its system prompt.
var sets = map[string][]string{
	"criteria": {"system.tmpl", "criterion.tmpl", "user.tmpl", "form.tmpl", "again.tmpl"},
	"holistic": {"holistic.tmpl", "criterion.tmpl", "user.tmpl", "form.tmpl", "again.tmpl"},
}

// Prompts returns the digests, "sha256:<hex>", of the sets of templates by name: "criteria" asks about
// one criterion or several, "holistic" about a whole rubric. A change to a single letter of them is
// another digest, and another plan. rubric.How.Digest is that of the set, unless the rubric brings a
// system prompt or a template of its own; then it is of the set and of those.
func Prompts() map[string]string {
	out := map[string]string{}
	for name, files := range sets {
		out[name] = digest.Of(setBytes(files))
	}
	return out
}

// setBytes joins files so that no two sets have the same bytes.
func setBytes(names []string) []byte {
	var b []byte
	for _, name := range names {
		text, err := fs.ReadFile(files, "prompts/"+name)
		if err != nil {
			panic(err) // the names above are those of embedded files
		}
		b = fmt.Appendf(b, "%s %d\n", name, len(text))
		b = append(b, text...)
	}
	return b
}

// setDigest returns the digest of a set with the rubric's replacements.
func setDigest(set string, own ...string) string {
	of := digest.Of(setBytes(sets[set]))
	if strings.Join(own, "") == "" {
		return of
	}
	b := []byte(of)
	for _, text := range own {
		b = fmt.Appendf(b, "\n%d\n%s", len(text), text)
	}
	return digest.Of(b)
}

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"plain": plainNumber,
		"json":  dataset.Quote,
	}).ParseFS(files, "prompts/*.tmpl"))
})

// render fills in a template. Templates and values are ours, so an error is a bug.
func render(name string, data any) string {
	var b strings.Builder
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Sprintf("judge: %v", err))
	}
	return b.String()
}

// shown is a question as the templates see it.
type shown struct {
	Key, Type, Text string
	Weight          float64
	Subcriteria     []rubric.Subcriterion
	Levels          []rubric.Level
	Scale           string   // "an integer from 0 to 10"; empty unless Number
	Parts           []string // of the scale, described
	Examples        []rubric.ExampleSet
	Blank           string // placeholder of the verdict in the form
	Wants           string
}

func (q *question) shown() shown {
	s := shown{Key: q.key, Type: "positive", Blank: `"…"`, Wants: q.wants()}
	if q.kind == rubric.KindNumber {
		s.Blank = "<number>"
	}
	c := q.criterion
	if c == nil {
		return s
	}
	if c.Penalty() {
		s.Type = "negative"
	}
	s.Text, s.Weight, s.Subcriteria, s.Examples = strings.TrimSpace(cmp.Or(c.Text, c.Name)), c.Weight.Value, c.Subcriteria, c.Examples
	if c.Text != "" && c.Name != "" && c.Name != c.Text {
		s.Text = strings.TrimSpace(c.Name) + ": " + s.Text
	}
	switch q.kind {
	case rubric.KindLevel:
		s.Levels = c.Answer.Levels
	case rubric.KindNumber:
		unbound := *q
		unbound.abstain = false
		s.Scale, s.Parts = unbound.wants(), parts(&c.Answer)
	}
	return s
}

// parts describes the stretches and points of a scale.
func parts(a *rubric.Answer) []string {
	var out []string
	for _, b := range a.Bands {
		at := plainNumber(b.Low)
		if b.High != b.Low {
			at += " to " + plainNumber(b.High)
		}
		out = append(out, at+": "+b.Text)
	}
	return append(out, xslices.Map(a.Anchors, func(p rubric.Anchor) string { return plainNumber(p.At) + ": " + p.Text })...)
}
