package host

import (
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// versions are those of the programs behind a number.
func versions(program string) result.Versions {
	if program == "" {
		program = version()
	}
	return result.Versions{
		RubricHost: program, Go: runtime.Version(), Wazero: dependency("github.com/tetratelabs/wazero"),
		FuelTable: strconv.Itoa(meter.TableVersion),
	}
}

// version returns the version of this module as it was built: a release, or
// "(devel)" with the revision.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "(devel) " + s.Value[:12]
		}
	}
	return "(devel)"
}

// dependency returns the version of a module that the program was built with.
func dependency(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, d := range info.Deps {
		if d.Path == path {
			return d.Version
		}
	}
	return ""
}
