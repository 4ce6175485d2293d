package plugin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"gopkg.in/yaml.v3"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// manifestFile is a manifest as it is written.
type manifestFile struct {
	Plugin        string                `yaml:"plugin"`
	Version       string                `yaml:"version"`
	Summary       string                `yaml:"summary"`
	License       string                `yaml:"license"`
	Kind          string                `yaml:"kind"`
	Module        string                `yaml:"module"`
	Inputs        []string              `yaml:"inputs"`
	Range         []float64             `yaml:"range"`
	Corpus        yaml.Node             `yaml:"corpus"` // an export's name, or true for "corpus"
	Deterministic *bool                 `yaml:"deterministic"`
	Config        configFile            `yaml:"config"`
	Exports       map[string]exportFile `yaml:"exports"`
	Default       string                `yaml:"default"`
	Cases         string                `yaml:"cases"`
	Grants        []string              `yaml:"grants"`
}

type configFile struct {
	Schema  map[string]any `yaml:"schema"`
	Default map[string]any `yaml:"default"`
}

// exportFile is a scorer as it is written: its summary alone, or an object.
type exportFile struct {
	Summary string         `yaml:"summary"`
	Kind    string         `yaml:"kind"`
	Inputs  []string       `yaml:"inputs"`
	Range   []float64      `yaml:"range"`
	Corpus  string         `yaml:"corpus"`
	Config  map[string]any `yaml:"config"`
}

// UnmarshalYAML takes both forms of an export.
func (e *exportFile) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return n.Decode(&e.Summary)
	}
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains(exportKeys, key.Value) {
			return fmt.Errorf("line %d: field %s not found in type export", key.Line, key.Value)
		}
	}
	type plain exportFile
	return n.Decode((*plain)(e))
}

var exportKeys = []string{"summary", "kind", "inputs", "range", "corpus", "config"}

// ParseManifest reads a manifest strictly. Everything that is wrong is reported
// at once, as a diag.List of class Invalid; file is for its places.
func ParseManifest(file string, src []byte) (*Manifest, error) {
	p := manifestParser{file: file}
	src = bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF"))
	if !utf8.Valid(src) || bytes.IndexByte(src, 0) >= 0 {
		p.fail(0, "encoding", "save it as UTF-8", "the manifest is not UTF-8 text")
		return nil, p.problems.Err()
	}
	var f manifestFile
	d := yaml.NewDecoder(bytes.NewReader(src))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil {
		p.yamlError(err)
		return nil, p.problems.Err()
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		p.fail(0, "several-documents", "keep the first one", "the manifest holds more than one document")
	}
	m := p.manifest(&f)
	if err := p.problems.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

type manifestParser struct {
	file     string
	problems diag.List
}

func (p *manifestParser) fail(line int, code, hint, format string, args ...any) {
	p.problems.Add(diag.Diagnostic{Code: code, Pos: diag.Pos{File: p.file, Line: line}, Message: fmt.Sprintf(format, args...), Hint: hint})
}

var (
	yamlLine    = regexp.MustCompile(`^(?:yaml: )?line (\d+): (.*)$`)
	yamlUnknown = regexp.MustCompile(`^field (.*) not found in type .*$`)
)

// yamlError places what the YAML reader found.
func (p *manifestParser) yamlError(err error) {
	lines := []string{err.Error()}
	var typed *yaml.TypeError
	switch {
	case errors.Is(err, io.EOF):
		p.fail(0, "empty", "write at least plugin and version", "the manifest is empty")
		return
	case errors.As(err, &typed):
		lines = typed.Errors
	}
	for _, text := range lines {
		line := 0
		if m := yamlLine.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1])
			text = m[2]
		}
		if m := yamlUnknown.FindStringSubmatch(text); m != nil {
			p.fail(line, "unknown-key", diag.DidYouMean(m[1], manifestKeys()), "unknown key %q", m[1])
			continue
		}
		p.fail(line, "manifest-invalid", "", "%s", strings.TrimPrefix(text, "yaml: "))
	}
}

func manifestKeys() []string {
	return []string{"plugin", "version", "summary", "license", "kind", "module", "inputs", "range", "corpus", "deterministic",
		"config", "schema", "exports", "default", "cases", "grants"}
}

var (
	namePattern    = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	versionPattern = regexp.MustCompile(`^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$`)
)

func checkName(source, name string) error {
	if namePattern.MatchString(name) {
		return nil
	}
	return fault.WithHint(fault.New(fault.Invalid, "%s: %q is no name for a plugin", source, name),
		"use lower-case letters, digits, '.', '_' and '-', at most 64, beginning with a letter or digit")
}

func (p *manifestParser) manifest(f *manifestFile) *Manifest {
	m := &Manifest{
		Name: f.Plugin, Version: f.Version, Summary: f.Summary, License: f.License, Kind: f.Kind, Module: f.Module,
		Inputs: f.Inputs, Range: p.span("range", f.Range), Corpus: p.corpus(&f.Corpus), Default: f.Default, Cases: f.Cases,
		Grants: f.Grants, Exports: map[string]Export{},
	}
	if err := checkName(p.file, f.Plugin); err != nil {
		p.fail(0, "name", fault.Hint(err), "plugin: %q is no name for a plugin", f.Plugin)
	}
	if f.Version != "" && !versionPattern.MatchString(f.Version) {
		p.fail(0, "version", "write it as major.minor.patch", "version: %q is not a semantic version", f.Version)
	}
	p.kind("kind", f.Kind)
	if strings.ContainsAny(f.Module, `/\`) {
		p.fail(0, "module", "keep the module beside its manifest", "module: %q is not a file name", f.Module)
	}
	if f.Config.Schema != nil {
		b, err := json.Marshal(f.Config.Schema, json.Deterministic(true))
		if err != nil {
			p.fail(0, "config-schema", "", "config.schema is not JSON: %v", err)
		}
		m.Config.Schema = b
	}
	m.Config.Default = p.object("config.default", f.Config.Default)
	for name, e := range f.Exports {
		at := "exports." + name
		p.kind(at+".kind", e.Kind)
		m.Exports[name] = Export{Summary: e.Summary, Kind: e.Kind, Inputs: e.Inputs, Corpus: e.Corpus,
			Range: p.span(at+".range", e.Range), Default: p.object(at+".config", e.Config)}
	}
	if f.Default != "" && len(f.Exports) > 0 {
		if _, ok := f.Exports[f.Default]; !ok {
			p.fail(0, "default", diag.DidYouMean(f.Default, m.ExportNames()), "default: there is no export %q", f.Default)
		}
	}
	return m
}

// kinds are the contract kinds of this version, as sdk/ABI.md lists them.
var kinds = []string{"metric", "scorer", "judge"}

func (p *manifestParser) kind(at, kind string) {
	if kind != "" && !slices.Contains(kinds, kind) {
		p.fail(0, "kind", diag.DidYouMean(kind, kinds), "%s: unknown kind %q", at, kind)
	}
}

func (p *manifestParser) corpus(n *yaml.Node) string {
	switch {
	case n.IsZero() || n.Value == "false":
		return ""
	case n.Kind != yaml.ScalarNode:
		p.fail(n.Line, "corpus", "write the name of an export, or true", "corpus is not a name")
		return ""
	case n.Value == "true":
		return "corpus"
	}
	return n.Value
}

func (p *manifestParser) span(at string, list []float64) [2]float64 {
	switch {
	case len(list) == 0:
		return [2]float64{}
	case len(list) != 2 || !(list[0] < list[1]) || !rubric.Finite(list[0]) || !rubric.Finite(list[1]):
		p.fail(0, "range", "write [low, high]", "%s: %v is no range", at, list)
		return [2]float64{}
	}
	return [2]float64{list[0], list[1]}
}

// object checks that a value can be said in JSON.
func (p *manifestParser) object(at string, v map[string]any) map[string]any {
	if _, err := json.Marshal(v); err != nil {
		p.fail(0, "config", "", "%s is not JSON: %v", at, err)
		return nil
	}
	return v
}

// embeddedManifest returns the manifest that a module carries, or nil.
func embeddedManifest(module []byte) ([]byte, error) {
	if len(module) < 8 || !bytes.HasPrefix(module, []byte("\x00asm")) {
		return nil, fault.New(fault.Refused, "it is not a WebAssembly module")
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
