package plugins_test

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

// memoryLimit is the host's default, in pages of 64 KiB.
const memoryLimit = 1024

// codeMemoryLimit is the memory limit in the manifests of the code plugins.
const codeMemoryLimit = 4096

// A guest is one instance of a built module on bare wazero. After each call its
// memory is put back, as the contract promises.
type guest struct {
	mod    api.Module
	alloc  api.Function
	image  []byte // memory after instantiation, trailing zeros cut
	pages  uint32 // of memory, at the start
	stack  [2]uint64
	scorer map[string]api.Function
}

// machineCode is compiled once per module, for all guests and the next run.
var machineCode = sync.OnceValues(func() (wazero.CompilationCache, error) {
	dir, err := wasmtest.SharedCache()
	if err != nil {
		return nil, err
	}
	return wazero.NewCompilationCacheWithDir(filepath.Join(dir, "unmetered"))
})

// A program is a module that a runtime has compiled.
type program struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

// programs are those of all tests, by the name of the plugin. To decode a module takes longer than to start it.
var programs = struct {
	sync.Mutex
	of map[string]program
}{of: map[string]program{}}

func newGuest(tb testing.TB, name string) *guest {
	tb.Helper()
	programs.Lock()
	defer programs.Unlock()
	p, ok := programs.of[name]
	if !ok {
		cache, err := machineCode()
		if err != nil {
			tb.Fatal(err)
		}
		p = compile(tb, name, cache)
		programs.of[name] = p
	}
	return p.start(tb)
}

func compile(tb testing.TB, name string, cache wazero.CompilationCache) program {
	tb.Helper()
	ctx := context.Background()
	_, module := plugins.Jinja()
	if name != "jinja" {
		all := unpacked()
		module = all[slices.IndexFunc(all, func(b plugins.Built) bool { return b.Name == name })].Module
	}
	limit := uint32(memoryLimit)
	if strings.HasPrefix(name, "code-") {
		limit = codeMemoryLimit
	}
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithMemoryLimitPages(limit).WithCompilationCache(cache))
	compiled, err := r.CompileModule(ctx, module)
	if err != nil {
		tb.Fatal(err)
	}
	if n := len(compiled.ImportedFunctions()); n != 0 {
		tb.Errorf("%s imports %d functions; a built-in needs none", name, n)
	}
	return program{r, compiled}
}

func (p program) start(tb testing.TB) *guest {
	tb.Helper()
	ctx := context.Background()
	mod, err := p.runtime.InstantiateModule(ctx, p.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { mod.Close(ctx) })
	size := mod.Memory().Size()
	memory, _ := mod.Memory().Read(0, size)
	end := len(memory)
	for end > 0 && memory[end-1] == 0 {
		end--
	}
	return &guest{
		mod: mod, alloc: mod.ExportedFunction("alloc"), scorer: map[string]api.Function{},
		image: append([]byte(nil), memory[:end]...), pages: size / 65536,
	}
}

// call answers a request; the answer is the test's own copy.
func (g *guest) call(tb testing.TB, export string, request []byte) []byte {
	tb.Helper()
	answer, err := g.try(export, request)
	if err != nil {
		tb.Fatalf("%s: %v", export, err)
	}
	answer = append([]byte(nil), answer...)
	g.restore()
	return answer
}

// try answers a request; the answer lies in the guest's memory.
func (g *guest) try(export string, request []byte) ([]byte, error) {
	score := g.scorer[export]
	if score == nil {
		score = g.mod.ExportedFunction(export)
		g.scorer[export] = score
	}
	ctx := context.Background()
	g.stack[0] = uint64(len(request))
	if err := g.alloc.CallWithStack(ctx, g.stack[:]); err != nil {
		return nil, err
	}
	ptr := uint32(g.stack[0])
	g.mod.Memory().Write(ptr, request)
	g.stack[0], g.stack[1] = uint64(ptr), uint64(len(request))
	if err := score.CallWithStack(ctx, g.stack[:]); err != nil {
		return nil, err
	}
	answer, ok := g.mod.Memory().Read(uint32(g.stack[0]>>32), uint32(g.stack[0]))
	if !ok {
		return nil, os.ErrInvalid
	}
	return answer, nil
}

func (g *guest) restore() {
	memory, _ := g.mod.Memory().Read(0, g.mod.Memory().Size())
	clear(memory[copy(memory, g.image):])
}

// digest is for tests that compare whole memories.
func (g *guest) digest() [sha256.Size]byte {
	memory, _ := g.mod.Memory().Read(0, g.mod.Memory().Size())
	return sha256.Sum256(memory)
}
