package host_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// runtimes is where the Python runtime is installed, as rubric-host runtime add
// python does.
var runtimes = os.Getenv("RUBRIC_HOST_RUNTIMES")

// Programs that a model wrote, several per problem: rows of HumanEval as they
// come, run in the sandbox.
func ExampleEvaluator_Evaluate_samples() { //nolint:testableexamples // it needs CPython: TestEvaluate_SamplesInPython runs it
	ctx := context.Background()
	doc, err := host.Load("../examples/humaneval/rubric.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	ev, err := host.New(ctx, host.Options{RuntimeDir: runtimes})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ev.Close(ctx)

	done, err := ev.Evaluate(ctx, doc, host.EvaluateOptions{Dataset: dataset.Options{
		Preset: "humaneval", Paths: []string{"../examples/humaneval/samples.jsonl"}, Problems: "../examples/humaneval/problems.jsonl",
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, at := range done.Run.Summary.PassAtK.At {
		fmt.Printf("pass@%d %.3f [%.3f, %.3f]\n", at.K, *at.PassAt, at.PassAtInterval.Low, at.PassAtInterval.High)
	}
}

// TestEvaluate_SamplesInPython compares the example's output.
func TestEvaluate_SamplesInPython(t *testing.T) {
	wheel := wasmtest.Python(t)
	defer func(dir string) { runtimes = dir }(runtimes)
	runtimes = filepath.Join(t.TempDir(), "runtimes")
	if _, err := interpreter.In(runtimes).Add(script.Python, wheel); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(out *os.File) { os.Stdout = out }(os.Stdout)
	os.Stdout = w
	ExampleEvaluator_Evaluate_samples()
	w.Close()
	printed, err := io.ReadAll(r)
	if err != nil || string(printed) != "pass@1 0.500 [0.000, 1.000]\npass@2 0.667 [0.208, 0.939]\n" {
		t.Errorf("%v, printed:\n%s", err, printed)
	}
}
