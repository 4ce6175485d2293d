package script

import (
	"embed"
	"strings"
	"sync"
)

// driverFiles are the sources that interpreters run before a script.
//
//go:embed *.js *.py
var driverFiles embed.FS

// conventions are the ways in which other evaluators write scorers, in the order in which a
// script is searched for them. A convention is a file per language, <name>.js and <name>.py:
// how its functions are recognised, and their arguments. It may lack one.
var conventions = []string{"promptfoo", "openai_grader", "verl", "autoevals", "trl", "deepeval", "inspect_ai"}

// The drivers are joined when a script is loaded: most commands load none.
var (
	quickjsDriver = sync.OnceValue(func() string {
		return "(function () {\n\"use strict\";\n" +
			driver(".js", []string{"driver", "answer", "case", "by_name", "native"}, conventions, []string{"program", "peer", "serve"}) + "})()"
	})
	quickjsSplit = sync.OnceValue(func() string { return driver(".js", []string{"split"}) }) // before the driver

	cpythonDriver = sync.OnceValue(func() string {
		return driver(".py", []string{"driver", "answer", "case", "by_name", "native"}, conventions, []string{"program", "peer", "counter", "park"})
	})
)

// driver joins files of a language. A convention that has none is passed over.
func driver(extension string, lists ...[]string) string {
	var b strings.Builder
	for _, list := range lists {
		for _, name := range list {
			text, err := driverFiles.ReadFile(name + extension)
			if err != nil {
				continue // TestDrivers_HaveEveryFile
			}
			b.Write(text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}
