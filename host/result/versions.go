package result

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"

	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// CurrentVersions returns the versions of this program and of its parts. program is its own
// version; empty: that of the module as it was built.
func CurrentVersions(program string) Versions {
	v := Versions{Go: runtime.Version(), FuelTable: strconv.Itoa(meter.TableVersion)}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		v.RubricHost = cmp.Or(program, "unknown")
		return v
	}
	v.RubricHost = cmp.Or(program, version(info))
	if i := slices.IndexFunc(info.Deps, func(d *debug.Module) bool { return d.Path == "github.com/tetratelabs/wazero" }); i >= 0 {
		v.Wazero = info.Deps[i].Version
	}
	return v
}

// version returns the version of this module as it was built: a release, or
// "(devel)" with the revision.
func version(info *debug.BuildInfo) string {
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
