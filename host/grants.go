package host

import (
	"errors"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
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
