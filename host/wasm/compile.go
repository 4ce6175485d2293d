package wasm

import (
	"context"
	"fmt"
)

// Compile reads, meters and compiles a module, so that the cache holds it, and
// forgets it. Nothing of the module runs. The errors are those of Load.
func (r *Runtime) Compile(ctx context.Context, name string, module []byte, limits Limits) error {
	m := &Module{name: name, digest: digestOf(module), limits: limits.WithDefaults(), owner: r}
	if err := m.limits.check(); err != nil {
		return fmt.Errorf("plugin %s: %w", name, err)
	}
	metered, err := m.rewrite(module)
	if err != nil {
		return fmt.Errorf("plugin %s: %w", name, err)
	}
	if err := r.compile(ctx, m, metered); err != nil {
		return err
	}
	return m.runtime.Close(ctx)
}

// Private makes sure that dir is a directory that only we can write to and read,
// as compiled code needs it. It makes the directory if there is none.
func Private(dir string) error { return private(dir) }
