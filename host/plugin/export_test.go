package plugin

// Open reads a catalog of modules, and of what lies below directories.
func Open(modules []Module, dirs ...string) (*Catalog, error) {
	var plugins []*Plugin
	for _, m := range modules {
		p, err := FromModule(m)
		if err != nil {
			return nil, err
		}
		plugins = append(plugins, p)
	}
	return newCatalog(nil, nil, newIndex(plugins, nil)).With(dirs...)
}
