// Typecheck checks the types of this module's packages and tests for other systems, from
// source: go vet compiles the standard library and every dependency for each of them
// first, which takes minutes.
//
//	go run ./.ci/typecheck darwin/arm64 windows/amd64
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A source is a package or a variant of it for a test, as go list describes it.
type source struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	DepOnly         bool // no package of this module
	Module          *struct{ GoVersion string }
	Error           *struct{ Err string }
}

func main() {
	failed := make([]error, len(os.Args)-1)
	var all sync.WaitGroup
	for i, target := range os.Args[1:] {
		all.Go(func() { failed[i] = check(target) })
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil || len(failed) == 0 {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check checks everything for a target, GOOS/GOARCH.
func check(target string) error {
	system, processor, _ := strings.Cut(target, "/")
	list := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,DepOnly,Module,Error", "./...")
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.StdoutPipe()
	if err != nil {
		return err
	}
	if err := list.Start(); err != nil {
		return err
	}
	checked, own, found := map[string]*types.Package{"unsafe": types.Unsafe}, 0, []error(nil)
	sizes := types.SizesFor("gc", processor)
	for d := json.NewDecoder(out); ; { // dependencies come first
		var s source
		if err := d.Decode(&s); err != nil {
			if !errors.Is(err, io.EOF) {
				found = append(found, err)
			}
			break
		}
		if s.ImportPath == "unsafe" || strings.HasSuffix(s.ImportPath, ".test") { // made by go test
			continue
		}
		if s.Error != nil {
			found = append(found, errors.New(s.Error.Err))
			continue
		}
		if !s.DepOnly {
			own++
		}
		p, errs := s.check(checked, sizes)
		checked[s.ImportPath] = p
		found = append(found, errs...)
	}
	if err := list.Wait(); err != nil {
		found = append(found, fmt.Errorf("go list: %w", err))
	}
	for i, err := range found {
		found[i] = fmt.Errorf("%s: %w", target, err)
	}
	fmt.Printf("%s: %d packages and tests of this module, %d in all\n", target, own, len(checked))
	if own == 0 {
		found = append(found, fmt.Errorf("%s: there are no packages", target))
	}
	return errors.Join(found[:min(len(found), 20)]...)
}

// check checks one package. Of a dependency it reads the declarations alone.
func (s *source) check(checked map[string]*types.Package, sizes types.Sizes) (*types.Package, []error) {
	var found []error
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range s.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(s.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, []error{err}
		}
		files = append(files, f)
	}
	imports := maps.Clone(s.ImportMap)
	config := types.Config{
		IgnoreFuncBodies: s.DepOnly,
		Sizes:            sizes,
		Error:            func(err error) { found = append(found, err) },
		Importer: importer(func(path string) (*types.Package, error) {
			if to, ok := imports[path]; ok {
				path = to
			}
			if p := checked[path]; p != nil {
				return p, nil
			}
			return nil, fmt.Errorf("no package %q", path)
		}),
	}
	if s.Module != nil && s.Module.GoVersion != "" {
		config.GoVersion = "go" + s.Module.GoVersion
	}
	path, _, _ := strings.Cut(s.ImportPath, " ")
	p, _ := config.Check(path, fset, files, nil) // found collects the errors
	return p, found
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }
