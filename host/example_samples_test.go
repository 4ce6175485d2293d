package host_test

import (
	"context"
	"fmt"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// Programs that a model wrote, several per problem: rows of HumanEval as they
// come, run in the sandbox.
func ExampleEvaluator_Evaluate_samples() {
	ctx := context.Background()
	doc, err := host.Load("../examples/humaneval/rubric.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	cache, err := wasmtest.SharedCache() // or a directory of your own: CPython is compiled once
	if err != nil {
		fmt.Println(err)
		return
	}
	ev, err := host.New(ctx, host.Options{CacheDir: cache})
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

	// Output:
	// pass@1 0.500 [0.000, 1.000]
	// pass@2 0.667 [0.208, 0.939]
}
