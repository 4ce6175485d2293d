// Package scorers holds token F1 and BLEU-4 in Python and JavaScript, which bench/scripts.py
// compares with native interpreters, and requests to score.
//
// Stability: of no promise, it is for tests.
package scorers

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/go-json-experiment/json"
)

//go:embed *.py *.js
var files embed.FS

// Source returns the text of f1.py, f1.js, bleu.py or bleu.js.
func Source(name string) (string, error) {
	b, err := files.ReadFile(name)
	return string(b), err
}

// Requests returns n requests of one case each, the same ones each time: an output
// and a reference of so many words, out of a vocabulary of so many.
func Requests(n, words, vocabulary int) (requests [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		list := make([]string, words)
		for i := range list {
			list[i] = fmt.Sprintf("word%d", r.IntN(vocabulary))
		}
		return strings.Join(list, " ")
	}
	for range n {
		b, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "config": map[string]any{}, "case": map[string]any{"output": text(), "references": []string{text()}}}, json.Deterministic(true))
		if err != nil {
			panic(err) // they are texts
		}
		requests = append(requests, b)
	}
	return requests
}
