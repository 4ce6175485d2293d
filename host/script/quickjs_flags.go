package script

import (
	"regexp"
	"strings"
	"sync"
)

// flagged is how a regular expression ends that has the flag v, and what looks
// like it: a division, a comment, a text.
var flagged = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/[dgimsuy]*v[dgimsuvy]*\b`) })

// flagText is a text that may be the flags of a regular expression that a script
// makes while it runs. Flags that come with a case are not seen.
var flagText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[\"'`][dgimsuy]*v[dgimsuvy]*[\"'`]") })

// refuseFlag refuses a script that has a regular expression with the flag v, which
// QuickJS takes and does not follow. compile compiles a text as what the script is.
// Whether a place in it is such an expression is QuickJS's own word: a second v
// is an error there, and nowhere else.
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
