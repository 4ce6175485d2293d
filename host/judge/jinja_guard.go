package judge

import (
	"fmt"

	"github.com/nikolalohinski/gonja/v2/builtins/control_structures"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/nodes"
	"github.com/nikolalohinski/gonja/v2/tokens"
)

// The names under which a template's context holds what no template can name.
const (
	budgetName = "\x00budget"
	checkName  = "\x00check"
	listName   = "\x00list"
	catName    = "\x00~"
)

// operators are those that become calls: what can make a big value of small
// ones, and what the engine does otherwise than Python where it matters.
var operators = map[tokens.Type]string{
	tokens.Tilde: catName, tokens.Addition: "\x00+", tokens.Subtraction: "\x00-", tokens.Multiply: "\x00*",
	tokens.Division: "\x00/", tokens.FloorDivision: "\x00//", tokens.Modulo: "\x00%", tokens.Power: "\x00**",
}

// A budget is the work that a rendering may still do.
type budget struct {
	left  int
	spent error // why it is used up; nil: it is not
}

func budgetOf(e *exec.Evaluator) *budget {
	b, _ := e.Environment.Context.Get(budgetName)
	return b.(*budget)
}

// charge takes steps from the budget. Once it is used up every charge fails.
func (b *budget) charge(steps int) error {
	if b.left -= steps; b.left < 0 && b.spent == nil {
		b.spent = fmt.Errorf("it takes more than %d steps", maxWork)
	}
	return b.spent
}

// refuse ends the rendering.
func (b *budget) refuse(format string, args ...any) error {
	if b.spent == nil {
		b.spent = fmt.Errorf(format, args...)
	}
	return b.spent
}

// A guard goes through a parsed template, refuses what a prompt needs not, and
// puts a check around everything whose cost depends on data: engine and
// template see no difference until a bound is reached.
type guard struct{ depth int }

func (g *guard) nodes(list []nodes.Node) error {
	for _, n := range list {
		if err := g.node(n); err != nil {
			return err
		}
	}
	return nil
}

func (g *guard) node(n nodes.Node) (err error) {
	switch n := n.(type) {
	case nil, *nodes.Data, *nodes.Comment:
	case *nodes.Output:
		if n.Expression, err = g.checked(n.Expression); err != nil {
			return err
		}
		if n.Condition, err = g.checked(n.Condition); err != nil {
			return err
		}
		n.Alternative, err = g.checked(n.Alternative)
	case *nodes.ControlStructureBlock:
		return g.block(n)
	default:
		return fmt.Errorf("%T is not part of a prompt", n)
	}
	return err
}

func (g *guard) wrapper(w *nodes.Wrapper) error {
	if w == nil {
		return nil
	}
	return g.nodes(w.Nodes)
}

func (g *guard) block(b *nodes.ControlStructureBlock) (err error) {
	switch c := b.ControlStructure.(type) {
	case *controlStructures.RawControlStructure:
		return nil
	case *controlStructures.IfControlStructure:
		for i := range c.Conditions {
			if c.Conditions[i], err = g.checked(c.Conditions[i]); err != nil {
				return err
			}
		}
		for _, w := range c.Wrappers {
			if err := g.wrapper(w); err != nil {
				return err
			}
		}
		return nil
	case *forBlock:
		if c.over, err = g.checked(c.over); err != nil {
			return err
		}
		if c.condition, err = g.checked(c.condition); err != nil {
			return err
		}
		if err := g.wrapper(c.loop.BodyWrapper); err != nil {
			return err
		}
		return g.wrapper(c.loop.EmptyWrapper)
	case *setBlock:
		if c.value, err = g.checked(c.value); err != nil {
			return err
		}
		return g.wrapper(c.body)
	}
	return fmt.Errorf("line %d: %q is not part of a prompt", b.Location.Line, b.Name)
}

// checked guards an expression and charges for it: for the parts it is made of,
// and for the size of its value.
func (g *guard) checked(e nodes.Expression) (nodes.Expression, error) {
	if e == nil {
		return nil, nil
	}
	parts := 0
	e, err := g.expression(e, &parts)
	if err != nil {
		return nil, err
	}
	return call(checkName, e, &nodes.Integer{Location: e.Position(), Val: parts}), nil
}

// call is a call of one of our functions in place of a part of the template.
func call(name string, args ...nodes.Expression) *nodes.Call {
	at := args[0].Position()
	return &nodes.Call{Location: at, Func: &nodes.Name{Name: &tokens.Token{Type: tokens.Name, Val: name, Line: at.Line, Col: at.Col}}, Args: args}
}

// expression guards what is in an expression, and adds to parts.
func (g *guard) expression(e nodes.Expression, parts *int) (out nodes.Expression, err error) {
	if g.depth++; g.depth > maxNesting {
		return nil, fmt.Errorf("line %d: an expression of more than %d parts in one another", e.Position().Line, maxNesting)
	}
	defer func() { g.depth-- }()
	*parts++
	switch n := e.(type) {
	case *nodes.None, *nodes.String, *nodes.Integer, *nodes.Float, *nodes.Bool:
		return e, nil
	case *nodes.Name:
		if n.Name.Val == "self" {
			return nil, fmt.Errorf("line %d: self is not part of a prompt", n.Name.Line)
		}
		return e, nil
	case *nodes.List:
		return g.list(n, n.Val)
	case *nodes.Tuple:
		return g.list(n, n.Val)
	case *nodes.Dict:
		for _, p := range n.Pairs {
			if p.Key, err = g.checked(p.Key); err != nil {
				return nil, err
			}
			if p.Value, err = g.checked(p.Value); err != nil {
				return nil, err
			}
		}
		return e, nil
	case *nodes.Negation:
		n.Term, err = g.expression(n.Term, parts)
		return e, err
	case *nodes.UnaryExpression:
		n.Term, err = g.expression(n.Term, parts)
		return e, err
	case *nodes.BinaryExpression:
		return g.binary(n)
	case *nodes.FilteredExpression:
		return g.filtered(n, parts)
	case *nodes.TestExpression:
		if _, ok := jinjaTests().Get(n.Test.Name); !ok {
			return nil, fmt.Errorf("line %d: unknown test %q", n.Test.Token.Line, n.Test.Name)
		}
		if n.Expression, err = g.expression(n.Expression, parts); err != nil {
			return nil, err
		}
		return e, g.arguments(n.Test.Args, n.Test.Kwargs)
	case *nodes.GetAttribute:
		n.Node, err = g.expression(n.Node, parts)
		return e, err
	case *nodes.GetItem:
		return e, g.each(parts, &n.Node, &n.Arg)
	case *nodes.GetSlice:
		if n.Node, err = g.checked(n.Node); err != nil {
			return nil, err
		}
		return e, g.each(parts, &n.Start, &n.End, &n.Step)
	case *nodes.Call:
		return g.call(n)
	}
	return nil, fmt.Errorf("%T is not part of a prompt", e)
}

// each guards operands in their places.
func (g *guard) each(parts *int, places ...*nodes.Node) error {
	for _, p := range places {
		if *p == nil {
			continue
		}
		e, err := g.expression(*p, parts)
		if err != nil {
			return err
		}
		*p = e
	}
	return nil
}

// list makes a literal into a call: the engine keeps what went wrong in an
// element as if it were a value.
func (g *guard) list(at nodes.Expression, elements []nodes.Expression) (nodes.Expression, error) {
	for i := range elements {
		e, err := g.checked(elements[i])
		if err != nil {
			return nil, err
		}
		elements[i] = e
	}
	c := call(listName, at)
	c.Args = elements
	return c, nil
}

// binary guards an operator.
func (g *guard) binary(n *nodes.BinaryExpression) (out nodes.Expression, err error) {
	if n.Left == nil || n.Right == nil {
		return nil, fmt.Errorf("line %d: %s lacks an operand", n.Operator.Token.Line, n.Operator.Token.Val)
	}
	if n.Left, err = g.checked(n.Left); err != nil {
		return nil, err
	}
	if n.Right, err = g.checked(n.Right); err != nil {
		return nil, err
	}
	if name, ok := operators[n.Operator.Token.Type]; ok {
		return call(name, n.Left, n.Right), nil
	}
	return n, nil
}

func (g *guard) filtered(n *nodes.FilteredExpression, parts *int) (out nodes.Expression, err error) {
	if n.Expression, err = g.expression(n.Expression, parts); err != nil {
		return nil, err
	}
	for _, f := range n.Filters {
		*parts++
		if _, ok := jinjaFilters().Get(f.Name); !ok {
			return nil, fmt.Errorf("line %d: unknown filter %q", f.Token.Line, f.Name)
		}
		if err := g.arguments(f.Args, f.Kwargs); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// call guards range(…), and methods: what is before the dot is looked at too.
func (g *guard) call(n *nodes.Call) (out nodes.Expression, err error) {
	if err := g.arguments(n.Args, n.Kwargs); err != nil {
		return nil, err
	}
	switch f := n.Func.(type) {
	case *nodes.Name:
		if f.Name.Val == "range" {
			return n, nil
		}
		return nil, fmt.Errorf("line %d: unknown function %q", f.Name.Line, f.Name.Val)
	case *nodes.GetAttribute:
		if f.Node, err = g.checked(f.Node); err != nil {
			return nil, err
		}
		n.Parent = f.Node
		return n, nil
	}
	return nil, fmt.Errorf("line %d: only range and methods can be called", n.Location.Line)
}

func (g *guard) arguments(args []nodes.Expression, named map[string]nodes.Expression) error {
	for i := range args {
		e, err := g.checked(args[i])
		if err != nil {
			return err
		}
		args[i] = e
	}
	for name := range named {
		e, err := g.checked(named[name])
		if err != nil {
			return err
		}
		named[name] = e
	}
	return nil
}
