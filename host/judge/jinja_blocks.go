package judge

import (
	"errors"
	"fmt"

	"github.com/nikolalohinski/gonja/v2/builtins/control_structures"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/nodes"
	"github.com/nikolalohinski/gonja/v2/parser"
	"github.com/nikolalohinski/gonja/v2/tokens"
)

// jinjaBlocks are the blocks that a template may use.
var jinjaBlocks = exec.NewControlStructureSet(map[string]parser.ControlStructureParser{
	"if":  engineBlock("if"),
	"raw": engineBlock("raw"),
	"for": parseFor,
	"set": parseSet,
})

// engineBlock returns the engine's own parser of a block.
func engineBlock(name string) parser.ControlStructureParser {
	p, ok := controlStructures.All.Get(name)
	if !ok {
		panic("judge: the template engine has no block " + name)
	}
	return p
}

// A forBlock is the engine's loop, over a list that was looked at first: how
// long it is, and what its condition says of each element, errors included.
type forBlock struct {
	*controlStructures.ForControlStructure
	loop      controlStructures.ForControlStructure
	over      nodes.Expression
	condition nodes.Expression
}

const itemsName = "\x00items"

func parseFor(p, args *parser.Parser) (nodes.ControlStructure, error) {
	c, err := engineBlock("for")(p, args)
	if err != nil {
		return nil, err
	}
	f, ok := c.(*controlStructures.ForControlStructure)
	if !ok {
		return nil, fmt.Errorf("unexpected loop %T", c)
	}
	if f.Recursive {
		return nil, p.Error("recursive loops are not part of a prompt", f.Position())
	}
	b := &forBlock{ForControlStructure: f, loop: *f, over: f.ObjectEvaluator, condition: f.IfCondition}
	b.loop.ObjectEvaluator = &nodes.Name{Name: &tokens.Token{Type: tokens.Name, Val: itemsName}}
	b.loop.IfCondition = nil
	return b, nil
}

// Execute implements exec.ControlStructure.
func (f *forBlock) Execute(r *exec.Renderer, tag *nodes.ControlStructureBlock) error {
	over := r.Eval(f.over)
	if over.IsError() {
		return over
	}
	items, err := f.items(r, over)
	if err != nil {
		return err
	}
	if err := budgetOf(r.Evaluator()).charge(len(items)); err != nil {
		return err
	}
	sub := r.Inherit()
	sub.Environment.Context.Set(itemsName, items)
	return f.loop.Execute(sub, tag)
}

// items returns what the loop goes over, after its condition.
func (f *forBlock) items(r *exec.Renderer, over *exec.Value) ([]any, error) {
	if !over.IsIterable() {
		return nil, errors.New("a loop needs a list, a text or a mapping")
	}
	var items []any
	var wrong error
	visit := func(item any) bool {
		if f.condition != nil {
			sub := r.Inherit()
			if wrong = f.bind(sub.Environment.Context, exec.AsValue(item)); wrong != nil {
				return false
			}
			holds := sub.Eval(f.condition)
			if holds.IsError() {
				wrong = holds
				return false
			}
			if !holds.IsTrue() {
				return true
			}
		} else if wrong = f.bind(nil, exec.AsValue(item)); wrong != nil {
			return false
		}
		items = append(items, item)
		return true
	}
	if over.IsString() {
		for _, letter := range over.String() {
			if !visit(string(letter)) {
				break
			}
		}
		return items, wrong
	}
	over.Iterate(func(_, _ int, key, value *exec.Value) bool {
		if value != nil && f.Value != "" { // key, value over a mapping
			return visit([]any{key.Interface(), value.Interface()})
		}
		return visit(key.Interface())
	}, func() {})
	return items, wrong
}

// bind sets the loop's names as the loop itself will; with a nil context it
// only looks whether that can be done.
func (f *forBlock) bind(ctx *exec.Context, item *exec.Value) error {
	if f.Value == "" {
		if ctx != nil {
			ctx.Set(f.Key, item)
		}
		return nil
	}
	if !item.IsList() || item.Len() != 2 {
		return fmt.Errorf("a loop with two names needs pairs, not %s", brief(item.String()))
	}
	if ctx != nil {
		ctx.Set(f.Key, item.Index(0))
		ctx.Set(f.Value, item.Index(1))
	}
	return nil
}

// A setBlock gives a value, or what its body renders, a name.
type setBlock struct {
	at    *tokens.Token
	name  string
	value nodes.Expression
	body  *nodes.Wrapper
}

// Position implements nodes.Node.
func (s *setBlock) Position() *tokens.Token { return s.at }

// String implements nodes.Node.
func (s *setBlock) String() string { return "set " + s.name }

func parseSet(p, args *parser.Parser) (nodes.ControlStructure, error) {
	name := args.Match(tokens.Name)
	if name == nil {
		return nil, args.Error("set needs a name", args.Current())
	}
	s := &setBlock{at: name, name: name.Val}
	var err error
	if args.Match(tokens.Assign) != nil {
		if s.value, err = args.ParseExpression(); err != nil {
			return nil, err
		}
		if !args.End() {
			return nil, args.Error("set takes one name and one value", args.Current())
		}
		return s, nil
	}
	if !args.End() {
		return nil, args.Error("set takes one name and one value", args.Current())
	}
	s.body, _, err = p.WrapUntil("endset")
	return s, err
}

// Execute implements exec.ControlStructure.
func (s *setBlock) Execute(r *exec.Renderer, _ *nodes.ControlStructureBlock) error {
	if s.body == nil {
		v := r.Eval(s.value)
		if v.IsError() {
			return v
		}
		r.Environment.Context.Set(s.name, v.Interface())
		return nil
	}
	var out limited
	sub := r.Inherit()
	sub.Output = &out
	if err := sub.ExecuteWrapper(s.body); err != nil {
		return err
	}
	r.Environment.Context.Set(s.name, out.String())
	return budgetOf(r.Evaluator()).charge(out.Len() / bytesPerStep)
}
