package judge

import (
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"sync"

	"github.com/nikolalohinski/gonja/v2/config"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/loaders"
	"github.com/nikolalohinski/gonja/v2/tokens"

	"github.com/rubric-host/rubric-host/host/fault"
)

// The bounds of a template. They are far beyond what a prompt needs.
const (
	maxTemplate = 64 << 10 // bytes of its source
	maxRendered = 1 << 20  // bytes of what it renders, and of any text on the way
	maxWork     = 1 << 18  // steps of rendering; a step takes a microsecond or two
	maxNesting  = 100      // of brackets, and of an expression's parts
)

// A jinja is a compiled template: Jinja2 as far as a prompt needs it. It can
// read no file and call nothing but what jinjaFilters, jinjaTests and
// jinjaMethods list; a name that is not defined is an error; and however it is
// written, it ends soon and stays small. It is safe for concurrent use.
type jinja struct {
	criterion string
	compiled  *exec.Template
}

// compile reads a template. The error has class fault.Invalid and says where in
// the template it is wrong.
func compile(criterion, source string) (j *jinja, err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("it cannot be read: %v", wrong)
		}
		if err != nil {
			j, err = nil, fault.WithHint(fault.New(fault.Invalid, "criterion %q: the template: %s", criterion, innermost(err)),
				"write plain Jinja2: {{ name }}, {%% for %%}, {%% if %%}, {%% set %%} and the usual filters")
		}
	}()
	if len(source) > maxTemplate {
		return nil, fmt.Errorf("it is longer than %d bytes", maxTemplate)
	}
	c := config.New()
	c.StrictUndefined = true
	if err := checkTokens(source, c); err != nil {
		return nil, err
	}
	compiled, err := exec.NewTemplate("template", c, &noFiles{source}, &exec.Environment{
		Context: exec.EmptyContext(), Filters: jinjaFilters(), Tests: jinjaTests(), Methods: jinjaMethods, ControlStructures: jinjaBlocks,
	})
	if err != nil {
		return nil, err
	}
	g := guard{}
	if err := g.nodes(compiled.Root().Nodes); err != nil {
		return nil, err
	}
	return &jinja{criterion: criterion, compiled: compiled}, nil
}

// render fills the template in with the members of target. The error has class
// fault.Invalid: the template does not fit what it is filled in with.
func (j *jinja) render(target map[string]any) (text string, err error) {
	b := &budget{left: maxWork}
	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("%v", wrong)
		}
		if b.spent != nil { // whatever became of it on the way
			err = b.spent
		}
		if err != nil {
			text, err = "", fault.New(fault.Invalid, "criterion %q: the template cannot be filled in: %s", j.criterion, innermost(err))
		}
	}()
	data := exec.EmptyContext()
	data.Set("range", jinjaRange)
	for name, v := range target {
		data.Set(name, plainValue(v))
	}
	for name, f := range guardFunctions { // last: no member may stand in for them
		data.Set(name, f)
	}
	data.Set(budgetName, b)
	var out limited
	if err := j.compiled.Execute(&out, data); err != nil {
		return "", err
	}
	return out.String(), nil
}

// plainValue gives numbers of JSON the form that Python's json has: 3 is an
// integer and prints as one.
func plainValue(v any) any {
	switch v := v.(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int(v)
		}
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = plainValue(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = plainValue(e)
		}
		return out
	}
	return v
}

// limited is a text that cannot grow beyond maxRendered.
type limited struct{ strings.Builder }

var errTooMuch = fmt.Errorf("it renders more than %d bytes", maxRendered)

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) { return l.WriteString(string(p)) }

// WriteString implements io.StringWriter.
func (l *limited) WriteString(s string) (int, error) {
	if l.Len()+len(s) > maxRendered {
		return 0, errTooMuch
	}
	return l.Builder.WriteString(s)
}

// checkTokens looks for what the parser would pass over: text that cannot be
// read, which it takes for the end, and brackets so deep that it would recurse
// beyond its stack.
func checkTokens(source string, c *config.Config) error {
	depth, line := 0, 1
	for s := tokens.LexAll(source, c); ; s.Next() {
		t := s.Current()
		if t.Line > 0 {
			line = t.Line
		}
		switch t.Type {
		case tokens.EOF:
			return nil
		case tokens.Error:
			return fmt.Errorf("line %d: %s", line, t.Val)
		case tokens.LeftParenthesis, tokens.LeftBracket, tokens.LeftBrace:
			if depth++; depth > maxNesting {
				return fmt.Errorf("line %d: brackets nest more than %d deep", line, maxNesting)
			}
		case tokens.RightParenthesis, tokens.RightBracket, tokens.RightBrace:
			depth--
		}
	}
}

var atLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`at line (\d+)`) })

// innermost returns what an error of the template engine comes down to: its
// own words are wrapped once for every part of an expression.
func innermost(err error) string {
	text := err.Error()
	for e := err; e != nil; {
		text = e.Error()
		if v := (*exec.Value)(nil); errors.As(e, &v) { // the engine's errors are values, and wrap others as values do
			e, _ = v.Interface().(error)
			continue
		}
		e = errors.Unwrap(e)
	}
	if m := atLine().FindStringSubmatch(err.Error()); m != nil && !strings.Contains(text, "line") {
		text = "line " + m[1] + ": " + text
	}
	return clip(text, 240)
}

// noFiles is a loader that has the template itself and nothing else.
type noFiles struct{ source string }

var errNoFiles = errors.New("a template cannot read files")

// Read implements loaders.Loader.
func (n *noFiles) Read(name string) (io.Reader, error) {
	if name != "template" {
		return nil, errNoFiles
	}
	return strings.NewReader(n.source), nil
}

// Resolve implements loaders.Loader.
func (n *noFiles) Resolve(string) (string, error) { return "", errNoFiles }

// Inherit implements loaders.Loader.
func (n *noFiles) Inherit(string) (loaders.Loader, error) { return nil, errNoFiles }
