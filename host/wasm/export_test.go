package wasm

// WASI lists the functions that are there, each with the letters of its type.
func WASI() map[string]string {
	shapes := map[string]string{}
	for _, f := range wasiFunctions {
		shapes[f.name] = f.shape
	}
	return shapes
}
