package schema

import (
	"embed"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A draft is a version of JSON Schema.
type draft struct {
	version    int
	url        string // of its schema of schemas, without the scheme
	id         string // the keyword for an address
	file       string // below meta: its schema of schemas
	vocabulary string // prefix of those that it knows; empty: it has none
	parts      map[string]position
}

// drafts are those that are known, the newest last.
var drafts = []*draft{
	{version: 4, url: "json-schema.org/draft-04/schema", id: "id", file: "draft-04.json", parts: partsOf4},
	{version: 6, url: "json-schema.org/draft-06/schema", id: "$id", file: "draft-06.json", parts: partsOf6},
	{version: 7, url: "json-schema.org/draft-07/schema", id: "$id", file: "draft-07.json", parts: partsOf7},
	{version: 2019, url: "json-schema.org/draft/2019-09/schema", id: "$id", file: "2019-09/schema.json", vocabulary: "https://json-schema.org/draft/2019-09/vocab/", parts: partsOf2019},
	{version: 2020, url: "json-schema.org/draft/2020-12/schema", id: "$id", file: "2020-12/schema.json", vocabulary: "https://json-schema.org/draft/2020-12/vocab/", parts: partsOf2020},
}

var newest = drafts[len(drafts)-1]

// asserts reports whether format is an assertion.
func (d *draft) asserts() bool { return d.version <= 7 }

// knows reports whether the draft has a vocabulary.
func (d *draft) knows(vocabulary string) bool {
	name, ok := strings.CutPrefix(vocabulary, d.vocabulary)
	if !ok || d.vocabulary == "" || strings.ContainsAny(name, "/.") {
		return false
	}
	_, err := metaFiles.ReadFile("meta/" + strings.TrimSuffix(d.file, "schema.json") + name + ".json")
	return err == nil && name != "schema"
}

// A position says where below a keyword parts of a schema are.
type position byte

const (
	inItself  position = 1 << iota // the value is one
	inMembers                      // the members of the value are
	inItems                        // the elements of the value are
)

// The keywords that hold parts, by draft.
var (
	partsOf4 = map[string]position{
		"definitions": inMembers, "not": inItself, "allOf": inItems, "anyOf": inItems, "oneOf": inItems,
		"properties": inMembers, "additionalProperties": inItself, "patternProperties": inMembers, "dependencies": inMembers,
		"items": inItself | inItems, "additionalItems": inItself,
	}
	partsOf6    = with(partsOf4, map[string]position{"propertyNames": inItself, "contains": inItself})
	partsOf7    = with(partsOf6, map[string]position{"if": inItself, "then": inItself, "else": inItself})
	partsOf2019 = with(partsOf7, map[string]position{
		"$defs": inMembers, "dependentSchemas": inMembers, "unevaluatedProperties": inItself, "unevaluatedItems": inItself, "contentSchema": inItself,
	})
	partsOf2020 = with(partsOf2019, map[string]position{"prefixItems": inItems})
)

func with(older, more map[string]position) map[string]position {
	all := make(map[string]position, len(older)+len(more))
	for _, table := range []map[string]position{older, more} {
		for name, p := range table {
			all[name] = p
		}
	}
	return all
}

// metaFiles are the schemas of schemas, as json-schema.org has them; see
// meta/README.md.
//
//go:embed meta/*.json meta/*/*.json
var metaFiles embed.FS

// bare takes the scheme and an empty fragment from an address: both spellings are
// in use.
func bare(address string) string {
	address = strings.TrimPrefix(strings.TrimPrefix(address, "http://"), "https://")
	return strings.TrimRight(address, "#/")
}

// draftAt returns the draft of an address, nil if there is none.
func draftAt(address string) *draft {
	for _, d := range drafts {
		if bare(address) == d.url {
			return d
		}
	}
	return nil
}

// carried returns the text of a schema that needs not be loaded: a draft's schema
// of schemas, or a part of one.
func carried(address string) (jsontext.Value, *draft) {
	for _, d := range drafts {
		file := ""
		dir, isPart := strings.CutSuffix(d.url, "schema")
		if name, below := strings.CutPrefix(bare(address), dir+"meta/"); isPart && below && d.vocabulary != "" && !strings.Contains(name, "/") {
			file = strings.TrimSuffix(d.file, "schema.json") + name + ".json"
		}
		if bare(address) == d.url {
			file = d.file
		}
		if text, err := metaFiles.ReadFile("meta/" + file); file != "" && err == nil {
			return text, d
		}
	}
	return nil, nil
}

// metas are the schemas of schemas, each read when a schema of its draft is.
var metas = func() map[*draft]func() *Schema {
	all := map[*draft]func() *Schema{}
	for _, d := range drafts {
		all[d] = sync.OnceValue(func() *Schema {
			r := &reader{formats: true, check: func(*draft, any) error { return nil }}
			root, err := r.read("https://"+d.url, nil, nil)
			if err != nil { // it is part of the program
				panic(err)
			}
			return root
		})
	}
	return all
}()
