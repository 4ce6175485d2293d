//go:build !race

package wasm_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// TestGrant_ProgramUsesFilesClockAndRandom runs a program in Go that reads, lists, looks
// at the clock and draws random numbers, with and without being allowed to.
func TestGrant_ProgramUsesFilesClockAndRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"tree/words.txt": "one two", "tree/sub/more.txt": "three", "secret.txt": "secret"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// More than goes through a worker's pipe at once.
	big := make([]byte, 700_001)
	for k := range big {
		big[k] = byte(k * k >> 7)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "tree/big"), big, 0o600), os.Mkdir(filepath.Join(dir, "tree/many"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for n := range manyFiles { // links are made sooner than files
		if err := os.Link(filepath.Join(dir, "tree/words.txt"), filepath.Join(dir, "tree/many", fmt.Sprintf("%0200d", n))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.txt", filepath.Join(dir, "tree/out")); err != nil {
		t.Fatal(err)
	}
	eachWay(t, func(t *testing.T, load loading) {
		testProgram(t, dir, fmt.Sprintf("%x", sha256.Sum256(big)), load)
	})
}

const manyFiles = 1_500

func testProgram(t *testing.T, dir, big string, load loading) {
	ask := func(grants ...grant.Grant) []map[string]any {
		m := load("granted", program(t), wasm.Limits{}, grants...)
		var list []map[string]any
		for range 2 {
			answer, usage, err := m.Call(context.Background(), wasm.CommandExport, probing("granted"), nil)
			if err != nil {
				t.Fatalf("%v %s", err, usage.Log)
			}
			var got struct{ Details map[string]any }
			if err := json.Unmarshal(answer, &got); err != nil {
				t.Fatal(err)
			}
			list = append(list, got.Details)
		}
		return list
	}
	without := map[string]any{
		"year": 2022.0, "random_error": false, "words": "error", "relative": "error", "deep": "error", "out": "error", "up": "error",
		"absolute": "error", "none": "error", "names": nil,
		"write": true, "create": true, "remove": true, "rename": true, "mkdir": true, "link": true,
	}
	first := ask()
	if d := cmp.Diff(first[0], first[1]); d != "" {
		t.Errorf("nothing is granted, and calls differ: %s", d)
	}
	random := first[0]["random"]
	delete(first[0], "random")
	if d := cmp.Diff(without, first[0]); d != "" {
		t.Errorf("nothing is granted (-want +got):\n%s", d)
	}
	all := ask(grant.Grant{Kind: grant.Files, Target: filepath.Join(dir, "tree")}, grant.Grant{Kind: grant.Clock}, grant.Grant{Kind: grant.Random})
	with := map[string]any{
		"year": float64(time.Now().UTC().Year()), "random_error": false, "words": "one two", "relative": "one two", "deep": "three", "out": "error", "up": "error",
		"absolute": "error", "none": "error", "names": []any{".", "big", "many", "sub", "sub/more.txt", "words.txt"}, "big": big, "many": float64(manyFiles), "last": fmt.Sprintf("%0200d", manyFiles-1), "size": 7.0, "tail": "two", "at": "ne ",
		"write": true, "create": true, "remove": true, "rename": true, "mkdir": true, "link": true,
	}
	for _, got := range all {
		if got["random"] == random {
			t.Error("random numbers are those of the sandbox")
		}
	}
	if all[0]["random"] == all[1]["random"] {
		t.Error("random numbers come twice")
	}
	delete(all[0], "random")
	if d := cmp.Diff(with, all[0]); d != "" {
		t.Errorf("all is granted (-want +got):\n%s", d)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "tree/words.txt")); err != nil || string(text) != "one two" {
		t.Errorf("the file was changed: %s %v", text, err)
	}
}
