package worker

import (
	"fmt"
	"path/filepath"
	"runtime/debug"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// Workers have a store of their own. Each of its entries belongs to one module, or to one
// interpreter of scripts, and is a store itself, sealed with a key of its own. A worker
// that compiles, and runs nothing of the module, may write to the entry; the module's
// workers may read it. So code that a worker compiled never runs outside of one.
//
// The image of a script is an entry, too. The first worker of the script makes it and
// sends it before it has loaded the script, so it holds nothing of a grant or a request.
// The parent stores the bytes without reading them. Later workers of the same module with
// the same limits may read the entry, and treat it as untrusted: a script that breaks out
// of the sandbox can forge its own image, and no other's.
const (
	storeDir  = "isolated" // of Options.CacheDir
	mostImage = 256 << 20  // bytes; that of a script with many libraries has 80 MB

	// worthKeeping is the size of a module from which on compiling takes longer than
	// starting a worker for it.
	worthKeeping = 16 << 10
)

// openStore opens the store of workers, nil if nothing can be kept, and returns the key
// from which those of entries are derived.
func openStore(o *Options) (*store.Store, private.Key, error) {
	if o.CacheDir == "" || o.Interpreter || !canKeep() {
		return nil, nil, nil
	}
	dir, err := filepath.Abs(o.CacheDir)
	if err == nil {
		err = private.Dir(dir)
	}
	var s *store.Store
	if err == nil {
		s, err = store.Open(filepath.Join(dir, storeDir), nil)
	}
	if err != nil {
		return nil, nil, fault.WithHint(fault.As(fault.Invalid, fmt.Errorf("compile cache: %w", err)), "give the cache a directory of its own with "+fault.OptionCacheDir+", or run without one")
	}
	key := o.Key
	if key == nil {
		if key, err = private.UserKey(); err != nil {
			return nil, nil, nil //nolint:nilerr // nothing is kept
		}
	}
	return s, key.Derive(storeDir), nil
}

// entryKey is the key of an entry: a digest of everything that it depends on, the program included.
func entryKey(parts ...string) string { return store.Key(append(parts, program()...)...) }

// program returns which program this is, and which artifacts it can read: not every
// program knows from which sources it was built. Two that differ in a part would remove
// each other's entries.
func program() []string {
	list := []string{wasm.CacheVersion(), wasm.Compiler()}
	if info, ok := debug.ReadBuildInfo(); ok {
		list = append(list, info.Main.Version, info.GoVersion)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
				list = append(list, s.Value)
			}
		}
	}
	return list
}
