package plugin

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
)

// decisive is the part of a manifest that affects scores, beside the module. Its JSON
// form goes into the digest of a plugin: a field that is added must leave the
// form of manifests without it as it was.
type decisive struct {
	Module  string              `json:"module"` // its digest
	Kind    string              `json:"kind,omitzero"`
	Inputs  []string            `json:"inputs,omitzero"`
	Embeds  []string            `json:"embeddings,omitzero"`
	Range   [2]float64          `json:"range,omitzero"`
	Corpus  string              `json:"corpus,omitzero"`
	Schema  jsontext.Value      `json:"schema,omitzero"`
	Config  map[string]any      `json:"config,omitzero"`
	Exports map[string]decisive `json:"exports,omitzero"`
	Keys    []string            `json:"keys,omitzero"`
	Default string              `json:"default,omitzero"`
	Grants  []string            `json:"grants,omitzero"`
	Peer    bool                `json:"peer,omitzero"`
	Limits  string              `json:"limits,omitzero"`
	Data    map[string]Data     `json:"data,omitzero"`
}

// decides returns the part of a manifest that affects scores.
func (m *Manifest) decides(module string) decisive {
	d := decisive{
		Module: module, Kind: m.Kind, Inputs: m.Inputs, Embeds: m.Embeds, Range: m.Range, Corpus: m.Corpus, Schema: m.Config.Schema, Config: m.Config.Default,
		Default: m.Default, Grants: slices.Sorted(slices.Values(m.Grants)), Exports: map[string]decisive{}, Limits: m.Limits.String(), Peer: m.Peer, Data: m.Data,
	}
	for name, e := range m.Exports {
		d.Exports[name] = decisive{Kind: e.Kind, Inputs: e.Inputs, Embeds: e.Embeds, Range: e.Range, Corpus: e.Corpus, Config: e.Default, Keys: e.Keys}
	}
	return d
}

func (d decisive) json() []byte {
	b, err := json.Marshal(&d, json.Deterministic(true), jsontext.CanonicalizeRawInts(false))
	if err != nil { // a manifest is JSON
		panic(fmt.Sprintf("plugin: %v", err))
	}
	return b
}

// of returns a plugin with the manifest m beside its module. The parts of m that
// decide a number are part of the digest.
func of(m *Manifest, module []byte, source string) *Plugin {
	p := &Plugin{Manifest: *m, module: module, Code: digest.Of(module), Source: source}
	p.Digest = digest.Of(m.decides(p.Code).json())
	return p
}

// alone returns a plugin whose module has all that decides a number.
func alone(m *Manifest, module []byte, source string) *Plugin {
	code := digest.Of(module)
	return &Plugin{Manifest: *m, module: module, Code: code, Digest: code, Source: source}
}

// agree refuses a module with a manifest of its own that says something else
// than the one beside it.
func agree(beside, module string, m *Manifest, bytes []byte) error {
	text, err := embeddedManifest(bytes)
	if err != nil || text == nil {
		return nil //nolint:nilerr // Load reports that it is not a module
	}
	own, err := ParseManifest(module+"#"+ManifestSection, text)
	if err != nil {
		return err
	}
	if own.Name == m.Name && string(own.decides("").json()) == string(m.decides("").json()) {
		return nil
	}
	return fault.WithHint(fault.New(fault.Conflict, "%s and the manifest in %s are two for one plugin, and say different things", beside, module),
		"remove one of them, or give both the same name, kind, inputs, range, config, exports, default, corpus, grants, peer, limits and data")
}

// names reports whether a manifest names a file beside it as its module or
// script.
func (m *Manifest) names(file string) bool {
	if m.isScript() {
		named, _, err := m.scriptFile()
		return err == nil && named == file
	}
	return file == cmp.Or(m.Module, m.Name+".wasm")
}
