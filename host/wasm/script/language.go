package script

import (
	"path"
	"slices"
	"strings"
)

// A Language is one that scripts may be written in.
type Language struct {
	Name        string   // as manifests say it
	Title       string   // for people
	Extensions  []string // of its files, the usual one first
	Interpreter string   // "sha256:<hex>" of the module that runs it
}

// Names of languages.
const (
	JavaScript = "js"
	Python     = "python"
)

var languages = []Language{
	// QuickJS-NG 0.15.1, the build for hosts of its authors.
	{JavaScript, "JavaScript (QuickJS-NG 0.15.1)", []string{".js", ".mjs", ".cjs"}, "sha256:718f30dac3b2b42f2ab18d622f8ca11139e193e40f941519165710e4a9b168a3"},
	// CPython 3.12.0, VMware's WebAssembly language runtimes, 3.12.0+20231211.
	{Python, "Python (CPython 3.12.0)", []string{".py"}, "sha256:e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"},
}

// Languages returns the languages there are.
func Languages() []Language { return slices.Clone(languages) }

// Find returns the language of a name.
func Find(name string) (Language, bool) {
	for _, l := range languages {
		if l.Name == name {
			return l, true
		}
	}
	return Language{}, false
}

// Of returns the language that a file's name says it is written in.
func Of(file string) (Language, bool) {
	extension := strings.ToLower(path.Ext(file))
	for _, l := range languages {
		if slices.Contains(l.Extensions, extension) {
			return l, true
		}
	}
	return Language{}, false
}
