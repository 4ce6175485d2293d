package plugin

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// ParseManifest reads a manifest strictly. Everything that is wrong is reported
// at once, as a diag.List of class Invalid; file is for its places.
func ParseManifest(file string, src []byte) (*Manifest, error) {
	var p parser
	m := &Manifest{Exports: map[string]Export{}}
	if root := p.read(file, src); root != nil {
		p.manifest(root, m)
	}
	p.problems.Sort()
	if err := p.problems.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

var (
	namePattern    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`) })
	versionPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$`) })
)

const nameHint = "use lower-case letters, digits, '.', '_' and '-', at most 64, beginning with a letter or digit"

func checkName(source, name string) error {
	if namePattern().MatchString(name) {
		return nil
	}
	return fault.WithHint(fault.New(fault.Invalid, "%s: %q is not a plugin name", source, fault.Clip(name, 60)), nameHint)
}

// manifest reads the whole of a manifest into m.
func (p *parser) manifest(root *document.Node, m *Manifest) {
	named := false
	var byDefault *document.Node
	p.object(root, "", "the manifest", keys{
		"plugin": func(n *document.Node, at string) {
			named = true
			if p.text(n, at, &m.Name) && !namePattern().MatchString(m.Name) {
				p.fail(n, at, "name", nameHint, "%q is not a plugin name", fault.Clip(m.Name, 60))
			}
		},
		"version": func(n *document.Node, at string) {
			if p.word(n, at, &m.Version) && !versionPattern().MatchString(m.Version) {
				p.fail(n, at, "version", "write it as major.minor.patch", "%q is not a semantic version", fault.Clip(m.Version, 60))
			}
		},
		"summary": p.textOf(&m.Summary),
		"license": p.textOf(&m.License),

		"reference": p.textOf(&m.Reference),
		"cost":      p.textOf(&m.Cost),

		"kind":          p.kindOf(&m.Kind),
		"module":        p.fileOf(&m.Module, "module"),
		"runtime":       p.textOf(&m.Runtime),
		"script":        p.fileOf(&m.Script, "script"),
		"peer":          func(n *document.Node, at string) { m.Peer = p.boolean(n, at) },
		"inputs":        p.textsOf(&m.Inputs),
		"embeddings":    p.embedsOf(&m.Embeds),
		"range":         p.spanOf(&m.Range),
		"corpus":        p.corpusOf(&m.Corpus),
		"deterministic": func(n *document.Node, at string) { p.boolean(n, at) },
		"config":        func(n *document.Node, at string) { p.config(n, at, &m.Config) },
		"exports":       func(n *document.Node, at string) { p.exports(n, at, m.Exports) },
		"default": func(n *document.Node, at string) {
			if p.text(n, at, &m.Default) {
				byDefault = n
			}
		},
		"cases":  p.textOf(&m.Cases),
		"grants": p.grantsOf(&m.Grants),
		"limits": func(n *document.Node, at string) { p.limits(n, at, &m.Limits) },
		"data":   func(n *document.Node, at string) { m.Data = p.data(n, at) },
	})
	if !named && root.Kind == document.Object {
		p.fail(root, "plugin", "key-missing", "name the plugin: "+nameHint, "the manifest needs \"plugin\"")
	}
	p.checkScript(m)
	if _, there := m.Exports[m.Default]; byDefault != nil && len(m.Exports) > 0 && !there {
		p.fail(byDefault, "default", "default", diag.DidYouMean(m.Default, m.ExportNames()), "unknown export %q", fault.Clip(m.Default, 60))
	}
}

func (p *parser) config(n *document.Node, at string, into *Config) {
	p.object(n, at, "config", keys{
		"schema": func(n *document.Node, at string) {
			if v := p.free(n, at); v != nil {
				b, err := json.Marshal(v, json.Deterministic(true))
				if err != nil {
					p.fail(n, at, "config-schema", "", "it is not JSON: %v", err)
				}
				into.Schema = b
			}
		},
		"default": p.freeOf(&into.Default),
	})
}

// fileOf reads the name of a file beside the manifest.
func (p *parser) fileOf(into *string, what string) field {
	return func(n *document.Node, at string) {
		if p.text(n, at, into) && (strings.ContainsAny(*into, `/\`) || *into == "." || *into == "..") {
			p.fail(n, at, what, "keep the "+what+" beside its manifest", "%q is not a file name", fault.Clip(*into, 60))
		}
	}
}

// exports reads the scorers: each is its summary alone, or an object.
func (p *parser) exports(n *document.Node, at string, into map[string]Export) {
	p.each(n, at, "exports", func(m *document.Member, at string) {
		var e Export
		switch m.Value.Kind {
		case document.Null:
		case document.List, document.Object:
			p.object(m.Value, at, "the export", keys{
				"summary": p.textOf(&e.Summary), "kind": p.kindOf(&e.Kind), "inputs": p.textsOf(&e.Inputs), "embeddings": p.embedsOf(&e.Embeds), "range": p.spanOf(&e.Range),
				"corpus": p.textOf(&e.Corpus), "config": p.freeOf(&e.Default), "keys": p.keysOf(&e.Keys), "reference": p.textOf(&e.Reference), "cost": p.textOf(&e.Cost),
			})
		default:
			p.text(m.Value, at, &e.Summary)
		}
		into[m.Key] = e
	})
}

// kinds are the contract kinds of this version, as sdk/ABI.md lists them.
var kinds = []string{"metric", "scorer", "judge", "check"}

func (p *parser) kindOf(into *string) field {
	return func(n *document.Node, at string) {
		if p.text(n, at, into) && !slices.Contains(kinds, *into) {
			p.fail(n, at, "kind", diag.DidYouMean(*into, kinds), "unknown kind %q", fault.Clip(*into, 60))
		}
	}
}

// embeddable are the fields of a case that an endpoint can be asked to embed.
var embeddable = []string{"output", "input", "references"}

// embedsOf reads names of fields to embed.
func (p *parser) embedsOf(into *[]string) field {
	return func(n *document.Node, at string) {
		p.textsOf(into)(n, at)
		for _, name := range *into {
			if !slices.Contains(embeddable, name) {
				p.fail(n, at, "embeddings", diag.DidYouMean(name, embeddable), "%q is not a field that can be embedded", fault.Clip(name, 60))
			}
		}
	}
}

// keysOf reads the configuration keys of an export; an empty list is one.
func (p *parser) keysOf(into *[]string) field {
	return func(n *document.Node, at string) {
		*into = []string{}
		p.textsOf(into)(n, at)
	}
}

// corpusOf reads the name of an export, or true for "corpus".
func (p *parser) corpusOf(into *string) field {
	return func(n *document.Node, at string) {
		if n.Kind == document.Boolean {
			if p.boolean(n, at) {
				*into = "corpus"
			}
			return
		}
		p.text(n, at, into)
	}
}

// spanOf reads a range of scores.
func (p *parser) spanOf(into *[2]float64) field {
	return func(n *document.Node, at string) {
		var list []float64
		ok := p.list(n, at, func(n *document.Node, at string) {
			if x, isNumber := p.number(n, at); isNumber {
				list = append(list, x)
			}
		})
		switch {
		case !ok || len(list) != len(n.Items): // reported
		case len(list) != 2 || !(list[0] < list[1]) || !rubric.Finite(list[1]-list[0]):
			p.fail(n, at, "range", "write [low, high]", "this is not a range")
		default:
			*into = [2]float64(list)
		}
	}
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
