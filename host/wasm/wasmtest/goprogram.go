package wasmtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// GoProgram returns the path of the module that plain go build makes of the files in dir, for
// WASI. The packages that need it, and the next run, share it: to link a program takes a second
// of a processor.
func GoProgram(dir string, files ...string) (string, error) {
	cache, err := SharedCache()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %q\n", name, text)
	}
	programs := filepath.Join(cache, "programs")
	path := filepath.Join(programs, hex.EncodeToString(h.Sum(nil))[:16]+".wasm")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(programs, 0o700); err != nil {
		return "", err
	}
	made, err := os.MkdirTemp(programs, "made")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(made) //nolint:errcheck // best effort
	out := filepath.Join(made, "program.wasm")
	cmd := exec.Command("go", append([]string{"build", "-o", out}, files...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, text)
	}
	return path, os.Rename(out, path)
}
