package contract_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/sdk/contract"
)

var update = flag.Bool("update", false, "write the schemas anew")

// TestSchemas_AreThoseOfTheTypes generates each schema from the Go types, their
// comments and the table of rules that types cannot express.
func TestSchemas_AreThoseOfTheTypes(t *testing.T) {
	made := map[string]*node{"request": request(t), "answer": answer(t), "manifest": manifest(t)}
	for _, name := range contract.Schemas() {
		root := made[name]
		if root == nil {
			t.Fatalf("no rule makes %s", name)
		}
		root.Schema, root.ID = "http://json-schema.org/draft-07/schema#", "urn:rubric-host:schema:plugin:"+name
		b, err := json.Marshal(root, json.Deterministic(true), jsontext.WithIndent("  "))
		must(t, err)
		b = append(b, '\n')
		if *update {
			if err := os.WriteFile(name+".schema.json", b, 0o644); err != nil { //nolint:gosec // a file of the tree
				t.Fatal(err)
			}
			continue
		}
		got, err := contract.Schema(name)
		must(t, err)
		if !bytes.Equal(got, b) {
			t.Errorf("%s is stale: run go test ./sdk/contract -update\n%s", name, cmp.Diff(string(got), string(b)))
		}
	}
}

// A node is a part of a JSON Schema of draft 7.
type node struct {
	Schema      string   `json:"$schema,omitzero"`
	ID          string   `json:"$id,omitzero"`
	Ref         string   `json:"$ref,omitzero"`
	Title       string   `json:"title,omitzero"`
	Description string   `json:"description,omitzero"`
	Type        any      `json:"type,omitzero"` // a name, or a list of names
	Const       any      `json:"const,omitzero"`
	Enum        []string `json:"enum,omitzero"`
	Pattern     string   `json:"pattern,omitzero"`
	MinLength   int      `json:"minLength,omitzero"`
	MaxLength   int      `json:"maxLength,omitzero"`
	Minimum     *float64 `json:"minimum,omitzero"`
	Maximum     *float64 `json:"maximum,omitzero"`
	MinItems    int      `json:"minItems,omitzero"`
	MaxItems    int      `json:"maxItems,omitzero"`
	Items       *node    `json:"items,omitzero"`
	Properties  members  `json:"properties,omitzero"`
	MaxMembers  int      `json:"maxProperties,omitzero"`
	Required    []string `json:"required,omitzero"`
	Additional  any      `json:"additionalProperties,omitzero"` // false, or a node
	Not         *node    `json:"not,omitzero"`
	AnyOf       []*node  `json:"anyOf,omitzero"`
	OneOf       []*node  `json:"oneOf,omitzero"`
}

// members are the properties of an object, in the order of the Go type.
type members []member

type member struct {
	name string
	node *node
}

// MarshalJSONTo writes the members as an object.
func (m members) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, one := range m {
		if err := e.WriteToken(jsontext.String(one.name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(e, one.node); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

func (n *node) at(name string) *node {
	for _, m := range n.Properties {
		if m.name == name {
			return m.node
		}
	}
	return nil
}

// comments are the words beside the fields of the types of a room, by
// "Type.Field".
func comments(t *testing.T, room string) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../host/" + room + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(room, err)
	}
	out := map[string]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		must(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			fields, ok := spec.Type.(*ast.StructType)
			if !ok {
				return false
			}
			for _, field := range fields.Fields.List {
				text := field.Comment.Text()
				if field.Doc != nil {
					text = field.Doc.Text()
				}
				for _, name := range field.Names {
					out[spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(text), " ")
				}
			}
			return false
		})
	}
	return out
}

// generator makes schemas of types whose fields have JSON names.
type generator struct {
	words map[string]string
	open  bool // members that are not named may be there
}

// of returns the schema of a type.
func (g *generator) of(typ reflect.Type) *node {
	switch typ {
	case reflect.TypeFor[jsontext.Value]():
		return &node{Type: "object"}
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return g.of(typ.Elem())
	case reflect.String:
		return &node{Type: "string"}
	case reflect.Int:
		return &node{Type: "integer"}
	case reflect.Float64:
		return &node{Type: "number"}
	case reflect.Slice:
		return &node{Type: "array", Items: g.of(typ.Elem())}
	case reflect.Interface:
		return &node{} // anything
	case reflect.Map:
		return &node{Type: "object"}
	case reflect.Struct:
		return g.object(typ)
	}
	panic("no rule for " + typ.String())
}

func (g *generator) object(typ reflect.Type) *node {
	n := &node{Type: "object"}
	if !g.open {
		n.Additional = false
	}
	for f := range typ.Fields() {
		f := f
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		part := g.of(f.Type)
		part.Description = g.words[typ.Name()+"."+f.Name]
		n.Properties = append(n.Properties, member{name, part})
		if !strings.Contains(options, "omitzero") {
			n.Required = append(n.Required, name)
		}
	}
	return n
}

// request adds rules beyond the type: which kind has which members. A later host may
// send more.
func request(t *testing.T) *node {
	g := generator{words: comments(t, "metric"), open: true}
	n := g.of(reflect.TypeFor[metric.Request]())
	n.Title, n.Description = "rubric-host plugin request", "What a plugin is sent. Members that it does not know are to be passed over."
	n.at("contract").Const, n.at("contract").Type = metric.ContractVersion, nil
	n.at("kind").Enum, n.at("kind").Type = []string{metric.KindMetric, metric.KindScorer, metric.KindJudge, metric.KindCheck, metric.KindCorpus}, nil
	level := n.at("criterion").at("levels").Items
	level.at("score").Minimum, level.at("score").Maximum = new(0.0), new(1.0)
	texts := &node{Type: "array", Items: &node{Type: "string"}}
	n.at("case").Properties = members{{"references", texts}}
	kind := func(name string, required []string, without ...string) *node {
		one := &node{Properties: members{{"kind", &node{Const: name}}}, Required: required}
		var not []*node
		for _, member := range without {
			not = append(not, &node{Required: []string{member}})
		}
		one.Not = &node{AnyOf: not}
		return one
	}
	n.OneOf = []*node{
		kind(metric.KindMetric, []string{"case"}, "criterion", "stats"), kind(metric.KindScorer, []string{"case", "criterion"}, "stats"),
		kind(metric.KindJudge, []string{"case", "criterion"}, "stats"), kind(metric.KindCheck, []string{"case", "criterion"}, "stats"), kind(metric.KindCorpus, []string{"stats"}, "case", "criterion"),
	}
	return n
}

// answer adds a rule beyond the type: exactly one outcome.
func answer(t *testing.T) *node {
	g := generator{words: comments(t, "metric")}
	maps.Copy(g.words, comments(t, "rubric"))
	n := g.of(reflect.TypeFor[metric.Answer]())
	n.Title, n.Description = "rubric-host plugin answer", "What a plugin answers: exactly one of score, level, unscored and error. To a request of the kind corpus there is no level."
	n.at("unscored").Pattern, n.at("unscored").MaxLength = `\S`, 64<<10
	n.at("reason").MaxLength, n.at("reasoning").MaxLength = 64<<10, 64<<10
	n.at("details").MaxMembers = 1000
	n.at("stats").MaxItems = 100_000
	for _, list := range []string{"evidence", "hits", "misses"} {
		n.at(list).MaxItems = 1000
	}
	for _, place := range []string{"start", "end"} {
		n.at("evidence").Items.at(place).Minimum = new(0.0)
	}
	for _, outcome := range []string{"score", "level", "unscored", "error"} {
		n.OneOf = append(n.OneOf, &node{Required: []string{outcome}})
	}
	return n
}

// written are the keys of a manifest, by the field of the Go type with the same
// meaning. A field that is missing here fails the test.
var written = map[string]map[string]string{
	"Manifest": {"Name": "plugin", "Version": "version", "Summary": "summary", "License": "license", "Reference": "reference", "Cost": "cost", "Kind": "kind", "Module": "module", "Runtime": "runtime", "Script": "script", "Front": "front", "Peer": "peer", "Inputs": "inputs", "Embeds": "embeddings", "Range": "range",
		"Corpus": "corpus", "Config": "config", "Exports": "exports", "Default": "default", "Cases": "cases", "Grants": "grants", "Limits": "limits", "Data": "data"},
	"Data":   {"SHA256": "sha256", "Summary": "summary", "Source": "source", "When": "when"},
	"Limits": {"Fuel": "fuel", "PeerFuel": "peer_fuel", "Memory": "memory", "Input": "input", "Deadline": "deadline"},
	"Config": {"Schema": "schema", "Default": "default"},
	"Export": {"Summary": "summary", "Reference": "reference", "Cost": "cost", "Kind": "kind", "Inputs": "inputs", "Embeds": "embeddings", "Range": "range", "Corpus": "corpus", "Default": "config", "Keys": "keys"},
}

// manifest makes the schema of a manifest, whose Go type has other names.
func manifest(t *testing.T) *node {
	words := comments(t, "plugin")
	var object func(typ reflect.Type) *node
	part := func(f reflect.StructField) *node {
		switch f.Type {
		case reflect.TypeFor[jsontext.Value](), reflect.TypeFor[map[string]any]():
			return &node{Type: "object"}
		case reflect.TypeFor[[2]float64]():
			return &node{Type: "array", Items: &node{Type: "number"}, MinItems: 2, MaxItems: 2}
		case reflect.TypeFor[uint64](), reflect.TypeFor[time.Duration]():
			return &node{Type: "integer"}
		case reflect.TypeFor[bool]():
			return &node{Type: "boolean"}
		case reflect.TypeFor[plugin.Config](), reflect.TypeFor[plugin.Limits]():
			return object(f.Type)
		case reflect.TypeFor[map[string]plugin.Data]():
			file := object(reflect.TypeFor[plugin.Data]())
			file.Required = []string{"sha256"}
			file.at("sha256").Pattern = `^[0-9a-f]{64}$`
			return &node{Type: "object", Additional: file}
		case reflect.TypeFor[map[string]plugin.Export]():
			return &node{Type: "object", Additional: &node{AnyOf: []*node{{Type: []string{"string", "null"}}, object(reflect.TypeFor[plugin.Export]())}}}
		}
		g := generator{}
		return g.of(f.Type)
	}
	object = func(typ reflect.Type) *node {
		n := &node{Type: "object", Additional: false}
		for f := range typ.Fields() {
			f := f
			key := written[typ.Name()][f.Name]
			if key == "" {
				t.Errorf("no key says %s.%s: add it to the table, if there is one", typ.Name(), f.Name)
				continue
			}
			p := part(f)
			p.Description = words[typ.Name()+"."+f.Name]
			switch key {
			case "fuel":
				p.Minimum, p.Maximum = new(1.0), new(float64(plugin.MostFuel))
			case "peer_fuel":
				p.Minimum, p.Maximum = new(1.0), new(float64(plugin.MostPeerFuel))
			case "memory", "input":
				most := map[string]int{"memory": plugin.MostMemory, "input": plugin.MostInput}[key]
				p.Type, p.Pattern, p.Description = "string", `^[0-9]{1,9}(KiB|MiB)$`, fmt.Sprintf("a multiple of 64KiB, at most %dMiB, such as 32MiB", most>>20)
			case "deadline":
				p.Type, p.Description = "string", "on the wall clock, 1ms to "+plugin.MostDeadline.String()+", such as 30s"
			case "embeddings":
				p.Items.Enum = []string{"output", "input", "references"}
			case "kind":
				p.Enum, p.Type = []string{metric.KindMetric, metric.KindScorer, metric.KindJudge, metric.KindCheck}, nil
			case "corpus":
				if typ == reflect.TypeFor[plugin.Manifest]() {
					p.Type, p.Description = []string{"string", "boolean"}, p.Description+`; true: "corpus"`
				}
			}
			n.Properties = append(n.Properties, member{key, p})
		}
		return n
	}
	n := object(reflect.TypeFor[plugin.Manifest]())
	n.Title, n.Description, n.Required = "rubric-host plugin manifest", "plugin.yaml, beside a module or in its section rubric-host.manifest.", []string{"plugin"}
	n.at("plugin").Pattern = `^[a-z0-9][a-z0-9._-]{0,63}$`
	n.at("version").Pattern = `^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$`
	runtime := n.at("runtime")
	runtime.Type = nil
	for _, l := range script.Languages() {
		runtime.Enum = append(runtime.Enum, l.Name)
	}
	n.at("module").Pattern, n.at("script").Pattern = `^[^/\\]+$`, `^[^/\\]+$`
	n.Properties = append(n.Properties, member{"deterministic", &node{Type: "boolean", Description: "for people: the host lets nothing else be"}})
	return n
}
