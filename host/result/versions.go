package result

import (
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// CurrentVersions returns the versions of this program and of its parts. program is its own
// version; empty: that of the module as it was built.
func CurrentVersions(program string) Versions {
	if program == "" {
		program = version()
	}
	return Versions{
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
