package wasm

import (
	"context"
	"fmt"

	"github.com/rubric-host/rubric-host/host/wasm/script"
)

// Compile reads, meters and compiles a module, so that the cache holds it, and
// forgets it; of a script, its interpreter. Nothing of either runs. The errors
// are those of Load.
func (r *Runtime) Compile(ctx context.Context, name string, module []byte, limits Limits) error {
	if script.Is(module) {
		return r.compileInterpreter(ctx, name, module)
	}
	m := r.newModule(name, digestOf(module), len(module), limits)
	if err := m.limits.check(); err != nil {
		return fmt.Errorf("plugin %s: %w", name, err)
	}
	metered, err := m.rewrite(module)
	if err != nil {
		return fmt.Errorf("plugin %s: %w", name, err)
	}
	if m.hollows && canKeep(r.kept) {
		return r.keepForm(ctx, m, metered)
	}
	_, c, err := r.compile(ctx, m, metered)
	if err != nil {
		return err
	}
	return c.close(ctx)
}

func (r *Runtime) compileInterpreter(ctx context.Context, name string, module []byte) error {
	s, err := script.Read(module)
	if err != nil {
		return fmt.Errorf("plugin %s: %w", name, err)
	}
	l, err := languageOf(s)
	if err != nil {
		return fmt.Errorf("plugin %s: %w", name, err)
	}
	if _, err = r.engine(ctx, l); err != nil {
		return fmt.Errorf("plugin %s: %w", name, err)
	}
	return nil
}
