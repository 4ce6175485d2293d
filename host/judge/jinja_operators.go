package judge

import (
	"math"
	"strings"

	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/tokens"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// operator returns the function of an operator: Python's, with an eye on sizes.
func operator(op tokens.Type) func(*exec.Evaluator, *exec.VarArgs) *exec.Value {
	return func(e *exec.Evaluator, a *exec.VarArgs) *exec.Value {
		x, y := a.Args[0], a.Args[1]
		switch {
		case op == tokens.Tilde:
			return joined(e, x.String(), y.String())
		case x.IsInteger() && y.IsInteger():
			return integers(op, x.Integer(), y.Integer())
		case x.IsNumber() && y.IsNumber():
			return floats(op, x.Float(), y.Float())
		case op == tokens.Addition && x.IsString() && y.IsString():
			return joined(e, x.String(), y.String())
		case op == tokens.Addition && x.IsList() && y.IsList():
			out := append(elements(x), elements(y)...)
			if len(out) > maxRange {
				return fail(budgetOf(e).refuse("it makes a list of %d elements", len(out)))
			}
			return exec.AsValue(out)
		case op == tokens.Multiply && x.IsString() && y.IsInteger():
			return repeated(e, x.String(), y.Integer())
		case op == tokens.Multiply && x.IsInteger() && y.IsString():
			return repeated(e, y.String(), x.Integer())
		}
		return failf("arithmetic needs numbers; + also joins two texts or two lists, ~ anything as text")
	}
}

func repeated(e *exec.Evaluator, s string, n int) *exec.Value {
	if n = max(0, n); s != "" && n > maxRendered/len(s) {
		return fail(budgetOf(e).refuse("it makes a text of more than %d bytes", maxRendered))
	}
	return exec.AsValue(strings.Repeat(s, n))
}

// integers computes as Python does: a quotient is a float, its floor and the
// remainder round down. Beyond 64 bits it wraps; no prompt counts that far.
func integers(op tokens.Type, x, y int) *exec.Value {
	switch op {
	case tokens.Addition:
		return exec.AsValue(x + y)
	case tokens.Subtraction:
		return exec.AsValue(x - y)
	case tokens.Multiply:
		return exec.AsValue(x * y)
	case tokens.FloorDivision, tokens.Modulo:
		if y == 0 {
			return failf("division by zero")
		}
		quotient, rest := x/y, x%y
		if rest != 0 && (rest < 0) != (y < 0) {
			quotient, rest = quotient-1, rest+y
		}
		if op == tokens.Modulo {
			return exec.AsValue(rest)
		}
		return exec.AsValue(quotient)
	case tokens.Power:
		if p := math.Pow(float64(x), float64(y)); y >= 0 && math.Abs(p) < 1<<53 {
			return exec.AsValue(int(p))
		}
	}
	return floats(op, float64(x), float64(y))
}

func floats(op tokens.Type, x, y float64) *exec.Value {
	var n float64
	switch op {
	case tokens.Addition:
		n = x + y
	case tokens.Subtraction:
		n = x - y
	case tokens.Multiply:
		n = x * y
	case tokens.Power:
		n = math.Pow(x, y)
	case tokens.Division, tokens.FloorDivision, tokens.Modulo:
		if y == 0 {
			return failf("division by zero")
		}
		switch n = x / y; op {
		case tokens.FloorDivision:
			n = math.Floor(n)
		case tokens.Modulo:
			n = x - y*math.Floor(n)
		}
	}
	if !rubric.Finite(n) {
		return failf("a number beyond all bounds")
	}
	return exec.AsValue(n)
}
