package wasm_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

func ExampleModule_Call() {
	ctx := context.Background()
	rt, err := wasm.New(ctx, wasm.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rt.Close(ctx)
	module, err := os.ReadFile("testdata/bleu/bleu.wasm")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := rt.Load(ctx, wasm.Source{Name: "lean", Module: module}, wasm.Limits{Fuel: 100_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Exports())
	answer, usage, err := m.Call(ctx, "bleu", []byte(`{"candidate":"the cat sat","reference":"the cat sat down"}`), nil)
	fmt.Println(string(answer), usage.Fuel, err)
	_, _, err = m.Call(ctx, "bleu", make([]byte, 5_000), nil)
	fmt.Println(fault.Of(err))
	// Output:
	// [bleu echo f1]
	// {"score":0.716531} 8119 <nil>
	// memory
}
