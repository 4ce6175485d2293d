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

// loadUse loads a plugin with its grants, where it belongs.
func (e *Evaluator) loadUse(ctx context.Context, u use) (has loadedWith, err error) {
	p := u.plugin
	if len(u.grants) > 0 {
		if has.access, err = grant.OpenAccess(u.grants, grant.Bounds{}); err != nil {
			return has, err
		}
	}
	files, err := datafile.In(e.o.RuntimeDir).Of(p, u.data)
	if err == nil {
		src := wasm.Source{Name: p.Manifest.Name, Digest: p.Code, Access: has.access, Data: files, Scorers: u.exports}
		if p.Source == plugin.Builtin && p.Manifest.Language() == "" {
			src.Open = func() ([]byte, error) { return p.Module(), nil } // it is decompressed only if it must be compiled
		} else {
			src.Module = p.Module()
		}
		has.module, err = e.loadSource(ctx, src, p.Manifest.Limits.Apply(e.o.Limits), e.wall(p.Source, p.Manifest.Peer))
	}
	if err != nil && has.access != nil {
		err = errors.Join(err, has.access.Close())
	}
	return has, err
}

// loadSource loads a module in this process or in a worker.
func (e *Evaluator) loadSource(ctx context.Context, src wasm.Source, limits wasm.Limits, where result.Wall) (loaded, error) {
	if where == result.Worker {
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
