package judge

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// Templates is a loaded plugins/jinja, which renders Jinja2 templates in the
// sandbox. It is safe for concurrent use. Call appends the answer to answer[:0].
type Templates interface {
	Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error)
}

// maxTemplate is the longest source of a template, in bytes.
const maxTemplate = 64 << 10

// TemplateLimits are the limits that plugins/jinja is loaded with: about a quarter of
// a second of work. A usual prompt takes a thousandth of it.
func TemplateLimits() wasm.Limits {
	return wasm.Limits{Fuel: 500_000_000, InputBytes: maxMessage, OutputBytes: 2 << 20}
}

// A jinja is a template that was checked. Safe for concurrent use.
type jinja struct {
	source string
	engine Templates
}

// templateRequest is a request to plugins/jinja. Without values it only checks the
// template.
type templateRequest struct {
	Template string          `json:"template"`
	Values   *map[string]any `json:"values,omitzero"`
}

// compile checks a template: its syntax, and that it uses known filters, tests and
// functions. The error has class fault.Invalid and names the line.
func compile(ctx context.Context, engine Templates, source string) (*jinja, error) {
	if engine == nil {
		return nil, fault.New(fault.Internal, "judge: Options.Templates is nil")
	}
	j := &jinja{source: source, engine: engine}
	wrong := fmt.Sprintf("it has %d bytes; at most %d are allowed", len(source), maxTemplate)
	if len(source) <= maxTemplate {
		var err error
		if _, wrong, err = j.call(ctx, nil); err != nil {
			return nil, err
		}
	}
	if wrong != "" {
		return nil, fault.WithHint(fault.New(fault.Invalid, "the template: %s", wrong),
			"write plain Jinja2: {{ name }}, {%% for %%}, {%% if %%}, {%% set %%} and the usual filters")
	}
	return j, nil
}

// CheckTemplate checks the template of a criterion's prompt: its syntax, and that it uses
// known filters, tests and functions. The error has class fault.Invalid and names the line.
func CheckTemplate(ctx context.Context, engine Templates, criterion, source string) error {
	if _, err := compile(ctx, engine, source); err != nil {
		return fmt.Errorf("criterion %q: %w", criterion, err)
	}
	return nil
}

// render fills in the template with the members of target. The error has class
// fault.Invalid if the template does not fit them, or needs too much time or memory.
func (j *jinja) render(ctx context.Context, target map[string]any) (string, error) {
	text, wrong, err := j.call(ctx, &target)
	if err == nil && wrong != "" {
		err = fault.New(fault.Invalid, "the template cannot be filled in: %s", wrong)
	}
	return text, err
}

// call returns the rendered text, or the problem of the template. The error is
// that of a sandbox which could not run, or of ctx.
func (j *jinja) call(ctx context.Context, values *map[string]any) (text, wrong string, err error) {
	request, err := json.Marshal(templateRequest{j.source, values}, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return "", "", fmt.Errorf("the template's values: %w", err)
	}
	answer, _, err := j.engine.Call(ctx, "render", request, nil)
	switch class := fault.Of(err); {
	case err == nil && len(answer) > 0 && answer[0] == 0:
		return string(answer[1:]), "", nil
	case err == nil && len(answer) > 0:
		return "", diag.Line(string(answer[1:]), 240), nil
	case err == nil:
		return "", "", fault.New(fault.Internal, "plugins/jinja gave an empty answer")
	case ctx.Err() != nil:
		return "", "", err
	case class == fault.Fuel || class == fault.Deadline:
		return "", "it takes too much time", nil
	case class == fault.Memory || class == fault.Output:
		return "", "it makes values that are too large", nil
	case class == fault.Depth || class == fault.Trap:
		return "", "it nests too deep, or crashes the template engine", nil
	case class == fault.Input:
		return "", fmt.Sprintf("its values have more than %d bytes", maxMessage), nil
	}
	return "", "", fmt.Errorf("the template: %w", err)
}
