//go:build wasip1

// NAME is the share of different words of an output. build.sh makes NAME.wasm of it.
package main

import (
	"encoding/json"
	"strings"
	"unsafe"
)

// What the host writes and reads. No state carries over between calls.
var request, answer []byte

//go:wasmexport alloc
func alloc(size uint32) uint32 {
	request = make([]byte, max(1, size))
	return uint32(uintptr(unsafe.Pointer(&request[0])))
}

//go:wasmexport score
func score(_, size uint32) uint64 {
	answer, _ = json.Marshal(grade(request[:size]))
	return uint64(uintptr(unsafe.Pointer(&answer[0])))<<32 | uint64(len(answer))
}

func grade(request []byte) map[string]any {
	var r struct {
		Case struct {
			Output *string `json:"output"`
		} `json:"case"`
	}
	if err := json.Unmarshal(request, &r); err != nil {
		return map[string]any{"error": err.Error()}
	}
	if r.Case.Output == nil {
		return map[string]any{"unscored": "the case has no output"}
	}
	words, different := strings.Fields(*r.Case.Output), map[string]bool{}
	for _, w := range words {
		different[w] = true
	}
	if len(words) == 0 {
		return map[string]any{"unscored": "the output has no words"}
	}
	return map[string]any{"score": float64(len(different)) / float64(len(words))}
}

func main() {}
