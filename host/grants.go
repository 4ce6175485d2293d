package host

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/datafile"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/wasm"
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
			problems = append(problems, fault.WithHint(fault.New(fault.Usage, "the grant %q is not PLUGIN=GRANT", text), "write "+fault.OptionAllow+" such as words=fs:read:./words"))
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

// of returns the grants of a plugin: those of its plan, as far as
// the user gives it here too. So no number is touched by a grant that its pin,
// which marks it, does not name.
func (a allowed) of(pin *plan.Plugin) []grant.Grant {
	return slices.DeleteFunc(slices.Clone(a[pin.Name]), func(g grant.Grant) bool { return !slices.Contains(pin.Grants, g.String()) })
}

// loadGranted loads a plugin with its grants, behind the same wall as any
// other.
func (e *Evaluator) loadGranted(ctx context.Context, u use) (loaded, *grant.Access, error) {
	access, err := grant.OpenAccess(u.grants, grant.Bounds{})
	if err != nil {
		return nil, nil, err
	}
	m, err := e.loadWith(ctx, u, access)
	if err != nil {
		return nil, nil, errors.Join(err, access.Close())
	}
	return m, access, nil
}

// loadWith loads a plugin where it belongs. An access of nil grants nothing.
func (e *Evaluator) loadWith(ctx context.Context, u use, access *grant.Access) (loaded, error) {
	p := u.plugin
	files, err := datafile.In(e.o.RuntimeDir).Of(p, u.data)
	if err != nil {
		return nil, err
	}
	src := wasm.Source{Name: p.Manifest.Name, Digest: p.Code, Access: access, Data: files, Scorers: u.exports}
	if p.Source == plugin.Builtin && p.Manifest.Language() == "" {
		src.Open = func() ([]byte, error) { return p.Module(), nil } // it is decompressed only if it must be compiled
	} else {
		src.Module = p.Module()
	}
	limits := p.Manifest.Limits.Apply(e.o.Limits)
	if e.wall(p.Source, p.Manifest.Peer) == result.Worker {
		return notNil(e.workers.Load(ctx, src, limits))
	}
	return notNil(e.runtime.Load(ctx, src, limits))
}

// notNil returns no module at all with an error, instead of a pointer that is nil.
func notNil[M loaded](m M, err error) (loaded, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
