package plugin

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/script"
)

// lazily compiles a pattern when it is first used.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// scorerForms say by its text that a script has a function that scores.
var scorerForms = map[string]func() *regexp.Regexp{
	script.JavaScript: lazily(`(?m)^\s*(?:(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(?:score|get_assert|getAssert|grade|evaluate|scorer)\b|(?:export\s+)?(?:const|let|var)\s+(?:score|get_assert|getAssert|grade|evaluate|scorer)\b|export\s+default\b|export\s*\{[^}]*\bscore\b|(?:module\.)?exports\b)`),
	script.Python:     lazily(`(?m)^(?:async\s+)?(?:def\s+(?:score|get_assert|grade|evaluate|compute_score|reward|reward_func|scorer|\w+_reward(?:_func)?|eval_)\s*\(|score\s*[:=])`),
}

// programForms say by its text that a script reads standard input, and
// functionForms that it has a function that scores all the same. evaluate does
// not count: programs call the function that does their work so.
var (
	programForms = map[string]func() *regexp.Regexp{
		script.JavaScript: lazily(`\bprocess\.stdin\b|/dev/stdin|\b(?:Bun|Deno)\.stdin\b|\breadFileSync\(\s*0\b`),
		script.Python:     lazily(`\bsys\.stdin\b|\bfrom\s+sys\s+import\b.*\bstdin\b|\bfileinput\b|\bopen\(\s*0\b|/dev/stdin|\binput\(\s*\)`),
	}
	functionForms = map[string]func() *regexp.Regexp{
		script.JavaScript: lazily(`(?m)^(?:export\b|(?:async\s+)?function\s*\*?\s*(?:score|get_assert|getAssert|grade)\b|(?:const|let|var)\s+(?:score|get_assert|getAssert|grade)\s*=\s*(?:async\b\s*)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)|(?:module\.)?exports\b)`),
		script.Python:     lazily(`(?m)^(?:(?:async\s+)?def\s+(?:score|get_assert|grade|compute_score|reward|reward_func|\w+_reward(?:_func)?|eval_)\s*\(|score\s*(?::[^=\n]*)?=\s*lambda\b)`),
	}
	commentLine = lazily(`(?m)^\s*(?:#|//).*$`)
)

// isProgram reports whether a script is one that is run as a whole, as AgentV
// runs its code judges.
func isProgram(l script.Language, text string) bool {
	text = commentLine().ReplaceAllString(text, "")
	return programForms[l.Source]().MatchString(text) && !functionForms[l.Source]().MatchString(text)
}

// readLoose reads a script that lies in a directory of plugins without a manifest.
// One whose functions do not have the name of a scorer may be a module of others:
// it is a plugin only for who names a function of it.
func (l *listing) readLoose(f folder, name string, language script.Language) {
	base, place := path.Base(name), f.place(name)
	if strings.HasPrefix(base, "_") || strings.HasPrefix(base, "test_") {
		return
	}
	text, err := f.read(name, script.MaxBytes)
	switch {
	case err != nil:
		l.add(place, nil, err)
	case scorerForms[language.Source]().Match(text):
		p, err := f.readBareScript(name, "", language)
		l.add(place, p, err)
	default:
		l.loose[nameOf(base)] = loose{place, func() (*Plugin, error) { return ReadFile(place) }}
	}
}

// module notes a script below a directory as the module that Python's imports, and
// dataknobs' references to functions, call it: myapp/scoring.py is myapp.scoring.
func (l *listing) module(file, place string) {
	name := strings.ReplaceAll(strings.TrimSuffix(file, path.Ext(file)), "/", ".")
	if _, taken := l.loose[name]; !taken {
		l.loose[name] = loose{place, func() (*Plugin, error) { return ReadFile(place) }}
	}
}
