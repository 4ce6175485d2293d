// Recall is a scorer as a plain program: the request on standard input, the
// answer on standard output. Its score is the share of the reference's words
// that the output has.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type request struct {
	Contract int `json:"contract"`
	Case     struct {
		Output     string   `json:"output"`
		References []string `json:"references"`
	} `json:"case"`
	Config struct {
		Probe string `json:"probe"` // another answer, for tests
	} `json:"config"`
}

func main() {
	var r request
	var asked json.RawMessage
	err := json.NewDecoder(os.Stdin).Decode(&asked)
	if err == nil {
		err = json.Unmarshal(asked, &r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cannot read the request:", err)
		os.Exit(3)
	}
	if r.Contract != 1 {
		answer(map[string]any{"error": fmt.Sprintf("contract %d is not known, only 1", r.Contract)})
	}
	if r.Config.Probe != "" {
		probe(r.Config.Probe, asked)
	}
	if len(r.Case.References) == 0 {
		answer(map[string]any{"unscored": "the case has no references"})
	}
	has := map[string]bool{}
	for _, w := range strings.Fields(r.Case.Output) {
		has[strings.ToLower(w)] = true
	}
	found, words := 0, strings.Fields(r.Case.References[0])
	for _, w := range words {
		if has[strings.ToLower(w)] {
			found++
		}
	}
	if len(words) == 0 {
		answer(map[string]any{"unscored": "the reference has no words"})
	}
	answer(map[string]any{"score": float64(found) / float64(len(words)), "details": map[string]any{"found": found, "words": len(words)}})
}

func answer(members map[string]any) {
	if err := json.NewEncoder(os.Stdout).Encode(members); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
