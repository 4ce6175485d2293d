package wasm

import "github.com/rubric-host/rubric-host/host/wasm/image"

// WASI lists the functions that are there, each with the letters of its type.
func WASI() map[string]string {
	shapes := map[string]string{}
	for _, f := range wasiFunctions {
		shapes[f.name] = f.shape
	}
	return shapes
}

// Denying returns options under which memories are put back without some ways.
func Denying(o Options, ways ...image.Way) Options {
	o.denied = ways
	return o
}
