package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"time"
)

var calls int // that this process has answered

// probe reports the program's view of its environment, or misbehaves.
func probe(what string, asked []byte) {
	calls++
	switch what {
	case "world":
		_, file := os.ReadFile("/etc/passwd")
		_, dir := os.ReadDir(".")
		rest, end := io.ReadAll(os.Stdin)
		began := time.Now()
		time.Sleep(20 * time.Hour)
		answer(map[string]any{"unscored": "probed", "details": map[string]any{
			"args": len(os.Args), "env": len(os.Environ()), "file": file != nil, "dir": dir != nil,
			"rest": len(rest), "end": end == nil, "year": time.Now().Year(), "slept": time.Since(began) >= 20*time.Hour,
			"random": rand.Uint64(), "calls": calls,
		}})
	case "granted":
		granted()
	case "details":
		details := map[string]int{}
		for i := range 1001 {
			details[strconv.Itoa(i)] = i
		}
		answer(map[string]any{"score": 1, "details": details})
	case "code judge":
		var c struct {
			Question string `json:"question"`
			Outcome  string `json:"expected_outcome"`
			Answer   string `json:"candidate_answer"`
		}
		if err := json.Unmarshal(asked, &c); err != nil {
			panic(err)
		}
		answer(map[string]any{
			"score": 0.25, "hits": os.Args[1:], "misses": []string{c.Question, c.Outcome, c.Answer}, "reasoning": "judged by " + os.Args[0],
		})
	case "exit":
		fmt.Fprintln(os.Stderr, "cannot find the model of the language")
		os.Exit(4)
	case "panic":
		var none []int
		calls = none[calls]
	case "spin":
		for {
			calls++
		}
	case "exit in a loop":
		for range 1_000 {
			defer os.Exit(5)
		}
	case "flood":
		for {
			fmt.Println("0123456789012345678901234567890123456789012345678901234567890123456789")
		}
	case "memory":
		var all [][]byte
		for {
			all = append(all, make([]byte, 1<<20))
			calls += len(all)
		}
	}
}
