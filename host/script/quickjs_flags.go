package script

import (
	"regexp"
	"strings"
	"sync"
)

// flagged matches the end of a regular expression with the flag v. It also matches some divisions,
// comments and strings.
var flagged = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/[dgimsuy]*v[dgimsuvy]*\b`) })

// flagText matches a string that may be the flags of a regular expression made at run time. Flags
// that come with a case are not found.
var flagText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[\"'`][dgimsuy]*v[dgimsuvy]*[\"'`]") })

// refuseFlag refuses a script that has a regular expression with the flag v, which QuickJS accepts
// and ignores. QuickJS decides whether a match is such an expression: only there, a second v is a
// syntax error. compile compiles a text as a module or a script.
func (s *jsStarter) refuseFlag(name, text string, compile func(text string) uint64) {
	for _, at := range flagged().FindAllStringIndex(text, -1) {
		if s.err != nil || compile(text[:at[1]]+"v"+text[at[1]:])>>32 != jsTagException {
			continue
		}
		s.ask("JS_GetException", s.js)
		if s.err == nil {
			s.err = s.g.StartError("%s:%d: the flag v of regular expressions is not supported correctly; use the flag u", name, 1+strings.Count(text[:at[0]], "\n"))
		}
	}
}
