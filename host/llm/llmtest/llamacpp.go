package llmtest

import (
	"bufio"
	_ "embed" // serve.py is part of the kit
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/llm"
)

//go:embed llamacpp/serve.py
var serve []byte

// LlamaCpp starts llama.cpp's own HTTP server with a tiny model, until the test
// ends: an endpoint that others wrote, with schemas that bind, usage that adds
// up, and errors as they come. The model writes English of a sort; words like
// correct, clear, right, complete make it say MET, words like not, no, missing,
// fails UNMET, whichever there are more of; in the prompts of package judge it
// takes a few dozen to decide.
//
// The server is installed by llamacpp/setup.sh into the directory that the
// variable RUBRIC_HOST_LLAMACPP names. Without the variable the test is skipped,
// unless CI_REQUIRE_LLAMACPP is 1. flags are those of serve.py.
func LlamaCpp(tb testing.TB, flags ...string) llm.Endpoint {
	tb.Helper()
	if !strings.Contains(tb.Name(), "LlamaCpp") {
		tb.Fatal("make tooled runs tests with LlamaCpp in their names")
	}
	dir := os.Getenv("RUBRIC_HOST_LLAMACPP")
	if dir == "" {
		if os.Getenv("CI_REQUIRE_LLAMACPP") == "1" {
			tb.Fatal("CI_REQUIRE_LLAMACPP is set, but RUBRIC_HOST_LLAMACPP names no directory")
		}
		tb.Skip("needs RUBRIC_HOST_LLAMACPP=DIR, into which host/llm/llmtest/llamacpp/setup.sh installs the server; make tooled sets it")
	}
	script := filepath.Join(tb.TempDir(), "serve.py")
	if err := os.WriteFile(script, serve, 0o600); err != nil {
		tb.Fatal(err)
	}
	const key = "sk-llama-key"
	args := append([]string{script, filepath.Join(dir, "tiny.gguf"), "--key", key}, flags...)
	cmd := exec.Command(filepath.Join(dir, "venv", "bin", "python"), args...)
	cmd.Stderr = io.Discard
	stay, err := cmd.StdinPipe() // the server lives as long as this is open: it ends with the test, however that ends
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatalf("%v; run host/llm/llmtest/llamacpp/setup.sh", err)
	}
	tb.Cleanup(func() {
		_ = stay.Close()
		_ = cmd.Wait() // it was told to go; how it went does not matter
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		tb.Fatalf("the server did not start: %v; run host/llm/llmtest/llamacpp/setup.sh", err)
	}
	return llm.Endpoint{Name: "llamacpp", BaseURL: strings.TrimSpace(line) + "/v1", Model: "tiny-judge", Key: llm.Secret(key)}
}
