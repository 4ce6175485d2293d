package plugins

import "github.com/rubric-host/rubric-host/host/plugin"

// Catalog reads the plugins that an evaluator with these directories would have: the
// built-in ones and those of the directories. Nothing is compiled. Without directories,
// built-in plugins are read when they are asked for.
func Catalog(dirs ...string) (*plugin.Catalog, error) {
	if len(dirs) == 0 {
		return plugin.Carried(Names(), func(name string) plugin.Module { return carried(Named(name)) }), nil
	}
	var builtin []plugin.Module
	for _, b := range All() {
		builtin = append(builtin, carried(b))
	}
	return plugin.Open(builtin, dirs...)
}

func carried(b Built) plugin.Module {
	return plugin.Module{Name: b.Name, Bytes: b.Module, Cases: b.Cases}
}
