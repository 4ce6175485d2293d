package host

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// allowed are the grants that a user gives, by the name of the plugin.
type allowed map[string][]grant.Grant

// parseAllow reads PLUGIN=GRANT. The error names everything that is wrong.
func parseAllow(list []string) (allowed, error) {
	out := allowed{}
	var problems []error
	for _, text := range list {
		name, what, found := strings.Cut(text, "=")
		if !found || name == "" {
			problems = append(problems, fault.WithHint(fault.New(fault.Usage, "--allow %q is no PLUGIN=GRANT", text), "such as words=fs:read:./words"))
			continue
		}
		g, err := grant.Parse(what)
		if err != nil {
			problems = append(problems, fault.As(fault.Usage, err))
			continue
		}
		if !slices.Contains(out[name], g) {
			out[name] = append(out[name], g)
		}
	}
	return out, errors.Join(problems...)
}

// loadGranted loads a plugin with what it was granted. It runs in this process:
// a worker has given up files and the network.
func (e *Evaluator) loadGranted(ctx context.Context, p *plugin.Plugin, grants []grant.Grant) (metric.Guest, error) {
	if e.o.Isolate == IsolateAlways {
		return nil, fault.WithHint(fault.New(fault.Usage, "plugin %s: a worker has nothing to grant", p.Manifest.Name),
			"take away --allow %s=..., or run with --isolate auto", p.Manifest.Name)
	}
	access, err := grant.OpenAccess(grants, grant.Bounds{})
	if err != nil {
		return nil, err
	}
	m, err := e.runtime.Load(ctx, p.Manifest.Name, p.Module, e.o.Limits)
	if err != nil {
		return nil, errors.Join(err, access.Close())
	}
	m.Grant(access)
	e.modules.mu.Lock()
	defer e.modules.mu.Unlock()
	e.modules.opened = append(e.modules.opened, access)
	return m, nil
}

// close lets go of what was granted.
func (m *modules) close() (all error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.opened {
		all = errors.Join(all, a.Close())
	}
	m.opened = nil
	return all
}
