package plugin

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

var manifestLimits = document.Limits{Bytes: maxManifest, Nodes: 50_000, Depth: 64}

// ParseManifest reads a manifest strictly. Everything that is wrong is reported
// at once, as a diag.List of class Invalid; file is for its places.
func ParseManifest(file string, src []byte) (*Manifest, error) {
	return parseManifest(file, src, document.YAML)
}

func parseManifest(file string, src []byte, format string) (*Manifest, error) {
	p := parser{strict.New(document.Read(file, src, document.Options{Format: format, Noun: "manifest", Limits: manifestLimits})), format == document.JSON}
	p.Noun, p.NoNulls = "manifest", true
	m := &Manifest{Exports: map[string]Export{}}
	switch root := p.Doc.Root; {
	case root != nil:
		p.manifest(p.Object(root, "", "manifest"), m)
	case len(p.Errors) == 0:
		p.Fail(document.Place{}, "", "empty", "write at least plugin and version", "the manifest is empty")
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

var versionPattern = lazily(`^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$`)

const nameHint = "use lower-case letters, digits, '.', '_' and '-', at most 64, beginning with a letter or digit"

func isName(name string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789._-") == "" && !strings.ContainsAny(name[:1], "._-")
}

func checkName(source, name string) error {
	if isName(name) {
		return nil
	}
	return fault.WithHint(fault.New(fault.Invalid, "%s: %q is not a plugin name", source, fault.Clip(name, 60)), nameHint)
}

type parser struct {
	strict.Reader
	carried bool // a manifest of the program: tests check its version, and that its schema is canonical JSON
}

func (p *parser) manifest(o *strict.Object, m *Manifest) {
	if o == nil {
		return
	}
	m.Name = p.text(o, strict.Must, "plugin", "name", nameHint, "a plugin name", isName)
	m.Version = p.version(o)
	m.Summary, m.License = o.Prose(strict.May, "summary"), o.Text(strict.May, "license")
	m.Reference, m.Cost = o.Prose(strict.May, "reference"), o.Prose(strict.May, "cost")
	m.Kind = o.Choice(strict.May, kinds, "kind")
	m.Module, m.Script, m.Front = p.file(o, "module"), p.file(o, "script"), p.file(o, "front")
	m.Runtime = o.Choice(strict.May, runtimes(), "runtime")
	m.Peer, _ = o.Flag("peer")
	m.Inputs, m.Embeds = texts(o, "inputs"), p.embeds(o)
	m.Range, m.Corpus = p.span(o), corpusExport(o)
	o.Flag("deterministic")
	p.config(o, &m.Config)
	p.exports(o, m.Exports)
	m.Default, m.Cases = o.Text(strict.May, "default"), o.Text(strict.May, "cases")
	m.Grants = p.grants(o)
	p.limits(o, &m.Limits)
	m.Data = p.data(o)
	o.Close()
	p.checkScript(o, m)
	if _, there := m.Exports[m.Default]; m.Default != "" && len(m.Exports) > 0 && !there {
		p.Fail(o.Node.Get("default").At, "default", "default", diag.DidYouMean(m.Default, m.ExportNames()), "default: unknown export %q", fault.Clip(m.Default, 60))
	}
}

// text reads a text of a form. It is not what, unless ok holds; the problem then has a code.
func (p *parser) text(o *strict.Object, need strict.Need, key, code, hint, what string, ok func(string) bool) string {
	s := o.Text(need, key)
	if n := o.Node.Get(key); n.Is(document.Text) && !p.Failed(n.At) && !ok(s) {
		p.Fail(n.At, o.Sub(key), code, hint, "%s: %q is not %s", o.Sub(key), fault.Clip(s, 60), what)
	}
	return s
}

// texts reads a list of texts, nil if it is empty.
func texts(o *strict.Object, key string) []string {
	list := o.Texts(key)
	if len(list) == 0 {
		return nil
	}
	return list
}

// version reads a version. One of two parts is a number in YAML.
func (p *parser) version(o *strict.Object) string {
	if n := o.Node.Get("version"); n.Is(document.Number) {
		n.Kind = document.Text
	}
	return p.text(o, strict.May, "version", "version", "write it as major.minor.patch", "a semantic version", func(s string) bool { return p.carried || versionPattern().MatchString(s) })
}

func (p *parser) file(o *strict.Object, key string) string {
	return p.text(o, strict.May, key, key, "keep the "+key+" beside its manifest", "a file name",
		func(s string) bool { return !strings.ContainsAny(s, `/\`) && s != "." && s != ".." })
}

func (p *parser) config(o *strict.Object, into *Config) {
	n, at := o.Raw(strict.May, "config")
	c := p.Object(n, at, "configuration")
	if c == nil {
		return
	}
	if p.carried {
		if n, _ := c.Raw(strict.May, "schema"); n != nil {
			into.Schema = document.Compact(n)
		}
	} else if schema := c.Free("schema"); schema != nil {
		into.Schema, _ = json.Marshal(schema, json.Deterministic(true)) // it was read from a document
	}
	into.Default = c.Free("default")
	c.Close()
}

// exports reads the scorers: each is its summary alone, or an object.
func (p *parser) exports(o *strict.Object, into map[string]Export) {
	n, at := o.Raw(strict.May, "exports")
	if n == nil {
		return
	}
	p.Each(n, at, "scorers by name", func(m *document.Member, at string) {
		var e Export
		switch m.Value.Kind {
		case document.Null:
		case document.List, document.Object:
			if x := p.Object(m.Value, at, "export"); x != nil {
				e = Export{
					Summary: x.Prose(strict.May, "summary"), Kind: x.Choice(strict.May, kinds, "kind"), Inputs: texts(x, "inputs"), Embeds: p.embeds(x), Range: p.span(x),
					Corpus: corpusExport(x), Default: x.Free("config"), Keys: x.Texts("keys"), Reference: x.Prose(strict.May, "reference"), Cost: x.Prose(strict.May, "cost"),
				}
				x.Close()
			}
		default:
			e.Summary = p.Prose(m.Value, at)
		}
		into[m.Key] = e
	})
}

// kinds are the contract kinds of this version, as sdk/ABI.md lists them.
var kinds = []string{"metric", "scorer", "judge", "check"}

// embeddable are the fields of a case that an endpoint can be asked to embed.
var embeddable = []string{"output", "input", "references"}

func (p *parser) embeds(o *strict.Object) []string {
	list := texts(o, "embeddings")
	for i, name := range list {
		if at := document.Index(o.Sub("embeddings"), i); name != "" && !slices.Contains(embeddable, name) {
			p.Fail(o.Node.Find("embeddings").Items[i].At, at, "embeddings", diag.DidYouMean(name, embeddable), "%s: %q is not a field that can be embedded", at, fault.Clip(name, 60))
		}
	}
	return list
}

func (p *parser) grants(o *strict.Object) (list []string) {
	for i, s := range o.Texts("grants") {
		if s == "" {
			continue // reported
		}
		g, err := grant.Parse(s)
		if err != nil {
			p.Fail(o.Node.Get("grants").Items[i].At, document.Index("grants", i), "grant", fault.Hint(err), "grants[%d]: %v", i, err)
			continue
		}
		list = append(list, g.String())
	}
	return list
}

// corpusExport reads the name of an export, or true for "corpus".
func corpusExport(o *strict.Object) string {
	if !o.Node.Get("corpus").Is(document.Boolean) {
		return o.Text(strict.May, "corpus")
	}
	if yes, _ := o.Flag("corpus"); yes {
		return "corpus"
	}
	return ""
}

func (p *parser) span(o *strict.Object) [2]float64 {
	items, at := o.List(strict.May, "range")
	if items == nil {
		return [2]float64{}
	}
	list := make([]float64, len(items))
	for i, n := range items {
		var ok bool
		if list[i], ok = p.Number(n, document.Index(at, i)); !ok {
			return [2]float64{}
		}
	}
	if len(list) != 2 || !(list[0] < list[1]) || !rubric.Finite(list[1]-list[0]) {
		p.Fail(o.Node.Get("range").At, at, "range", "write [low, high]", "%s must be two numbers, the lower one first", at)
		return [2]float64{}
	}
	return [2]float64(list)
}

// embeddedManifest returns the manifest that a module carries, or nil.
func embeddedManifest(module []byte) ([]byte, error) {
	if len(module) < 8 || !bytes.HasPrefix(module, []byte("\x00asm")) {
		return nil, fault.WithHint(fault.New(fault.Refused, "it is not a WebAssembly module"),
			"a plugin is a module, a script - .js, .mjs, .cjs or .py, TypeScript compiled to one of these - or a directory with plugin.yaml")
	}
	b, ok := binary.CustomSection(module, ManifestSection)
	switch {
	case !ok:
		return nil, nil
	case len(b) > maxManifest:
		return nil, fault.New(fault.Refused, "its manifest has %d bytes; at most %d are read", len(b), maxManifest)
	}
	return b, nil
}
