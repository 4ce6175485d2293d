// Compile writes the machine code of the built-in plugins to a directory, for the machine that it runs
// on. make build embeds it: the first score of such a program compiles nothing. The plugins for code
// are left out: they have 11 MB of it, all others 4.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/plugins"
)

func main() {
	if err := compile(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compile(ctx context.Context, to string) (err error) {
	cache, err := os.MkdirTemp("", "compile-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(cache)) }()
	rt, err := wasm.New(ctx, wasm.Options{CacheDir: cache, Key: private.Key("of this process")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rt.Close(ctx)) }()
	catalog, err := plugins.Catalog()
	if err != nil {
		return err
	}
	for _, p := range catalog.Plugins() {
		if p.Manifest.Language() != "" || strings.HasPrefix(p.Manifest.Name, "code-") {
			continue
		}
		key, artifact, err := rt.Pack(ctx, wasm.Source{Name: p.Manifest.Name, Digest: p.Code, Module: p.Module()}, p.Manifest.Limits.Apply(wasm.Limits{}))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, key), artifact, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
