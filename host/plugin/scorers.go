package plugin

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	sandbox "github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// undeclared returns the export that a reference means, of a plugin whose
// manifest lists none: then the module's exports are the list.
func (p *Plugin) undeclared(export string) (string, error) {
	names := scorersIn(p.Module())
	switch {
	case export != "" && (len(names) == 0 || slices.Contains(names, export)):
		return export, nil
	case export != "":
		return "", fault.WithHint(fault.New(fault.NotFound, "plugin %q has no export %q", p.Manifest.Name, export),
			"%s", diag.DidYouMean(export, names))
	case p.Manifest.Default != "":
		return p.Manifest.Default, nil
	case slices.Contains(names, p.Manifest.Name):
		return p.Manifest.Name, nil
	case len(names) == 1:
		return names[0], nil
	}
	return DefaultExport, nil
}

// scorersIn returns the names by which the scorers of a module are called; none
// if it cannot be read, which is said when it is loaded.
func scorersIn(module []byte) []string {
	m, err := binary.Outline(module, binary.Limits{})
	if err != nil {
		return nil
	}
	return sandbox.ScorersOf(m)
}
