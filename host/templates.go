package host

import (
	"context"
	"fmt"

	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/plugins"
)

// templates is the engine of the prompt templates, loaded when the first is
// compiled.
type templates struct {
	modules *modules
	module  flight.Once[loaded]
}

// Call implements judge.Templates.
func (t *templates) Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error) {
	m, err := t.module.Do(ctx, t.load)
	if err != nil {
		return nil, wasm.Usage{}, fmt.Errorf("template engine: %w", err)
	}
	return m.Call(ctx, export, request, answer)
}

func (t *templates) load(ctx context.Context) (loaded, error) {
	name, module := plugins.Jinja()
	return t.modules.openSource(ctx, wasm.Source{Name: name, Module: module}, judge.TemplateLimits(), t.modules.wall(plugin.Builtin, false))
}
