package fault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
)

func TestOf_LooksThroughWrapping(t *testing.T) {
	base := fault.New(fault.Fuel, "plugin bleu: used 5 of 5 fuel")
	tests := []struct {
		name string
		err  error
		want fault.Class
	}{
		{"nil", nil, fault.None},
		{"plain", io.EOF, fault.Internal},
		{"direct", base, fault.Fuel},
		{"wrapped", fmt.Errorf("case 7: %w", base), fault.Fuel},
		{"hinted keeps the class", fault.WithHint(fmt.Errorf("x: %w", base), "do this"), fault.Fuel},
		{"reclassed", fault.As(fault.Invalid, base), fault.Invalid},
		{"joined", errors.Join(io.EOF, base), fault.Fuel},
		{"cancelled", fmt.Errorf("x: %w", context.Canceled), fault.Interrupted},
		{"late", context.DeadlineExceeded, fault.Timeout},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fault.Of(tt.err); got != tt.want {
				t.Errorf("Of = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHint_IsTheFirstInTheChain(t *testing.T) {
	err := fault.New(fault.NotFound, "no such run")
	if got := fault.Hint(err); got != fault.NotFound.Advice() {
		t.Errorf("Hint without one = %q, want the class's advice", got)
	}
	hinted := fmt.Errorf("outer: %w", fault.WithHint(err, "run %q", "runs list"))
	if got, want := fault.Hint(hinted), `run "runs list"`; got != want {
		t.Errorf("Hint = %q, want %q", got, want)
	}
	if got, want := hinted.Error(), "outer: no such run"; got != want {
		t.Errorf("a hint changed the text: %q, want %q", got, want)
	}
	if !errors.Is(fault.WithHint(io.EOF, "x"), io.EOF) {
		t.Error("a hint hides the wrapped error")
	}
}

func TestSurfaces_HasEveryClassOnce(t *testing.T) {
	seen := map[fault.Class]bool{}
	for _, s := range fault.Surfaces() {
		if seen[s.Class] {
			t.Errorf("class %q is listed twice", s.Class)
		}
		seen[s.Class] = true
		if s.Class != fault.None && (s.Advice == "" || s.Exit == 0) {
			t.Errorf("class %q lacks advice, exit code or status: %+v", s.Class, s)
		}
	}
	for name, value := range constants(t, "class.go") {
		if !seen[fault.Class(value)] {
			t.Errorf("surfaces has no row of %s: it would exit with 70", name)
		}
	}
	if got := fault.Class("made-up").ExitCode(); got != 70 {
		t.Errorf("an undeclared class exits %d, want 70", got)
	}
	for class, want := range map[fault.Class]bool{fault.JudgeLimit: true, fault.JudgeRefusal: true, fault.ReplayMiss: false, fault.Budget: false, "judge-made-up": false} {
		if class.OfJudge() != want {
			t.Errorf("%s: of a judge %v", class, !want)
		}
	}
}

func ExampleWithHint() {
	err := fault.WithHint(fault.New(fault.NotFound, "no plugin %q", "rougue"), `did you mean "rouge"?`)
	fmt.Println(err)
	fmt.Println(fault.Hint(err), fault.ExitCode(err))
	// Output:
	// no plugin "rougue"
	// did you mean "rouge"? 2
}
