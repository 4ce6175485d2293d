package plan

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// pinOf returns the pin of a plugin, with the granted part of its requests.
func (b *builder) pinOf(p *plugin.Plugin) Plugin {
	m := &p.Manifest
	out := Plugin{Name: m.Name, Version: m.Version, Digest: p.Digest, Source: p.Source, Limits: m.Limits.String()}
	var asked []grant.Grant
	for _, text := range m.Grants {
		g, err := grant.Parse(text)
		if err != nil {
			b.fail(fault.New(fault.Invalid, "plugin %q requests an unknown grant: %w", m.Name, err))
			return out
		}
		asked = append(asked, g)
	}
	granted, missing, err := grant.Match(asked, b.o.Allow[m.Name])
	if err != nil {
		b.fail(fault.WithHint(fault.New(fault.Of(err), "plugin %q: %w", m.Name, err), "%s", fault.Hint(err)))
	}
	out.Grants, out.Missing = texts(granted), texts(missing)
	return out
}

// texts returns nil for no grants: a plan without them has no such members, which its digest covers.
func texts(grants []grant.Grant) (list []string) {
	for _, g := range grants {
		list = append(list, g.String())
	}
	slices.Sort(list)
	return list
}

// unused reports grants to plugins that are not there.
func (b *builder) unused() {
	if len(b.o.Allow) == 0 {
		return
	}
	known := []string{}
	if b.o.Catalog != nil {
		known = b.o.Catalog.Names()
	}
	known = append(known, xslices.Map(b.plan.Plugins, func(p Plugin) string { return p.Name })...)
	for name := range b.o.Allow {
		if !slices.Contains(known, name) {
			b.fail(fault.WithHint(fault.New(fault.Usage, "a grant is given to %q, which is not a plugin", name), "%s", diag.DidYouMean(name, known)))
		}
	}
}
