package metric

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// ParseAnswer reads a plugin's answer strictly. A fault of class Protocol says
// what breaks the contract, one of class PluginError is the plugin's own; then
// the answer is nil. Whether a score lies in the manifest's range, and a level
// is one of the criterion's, is not looked at. The answer shares no memory with
// b.
func ParseAnswer(b []byte) (*Answer, error) {
	k := calls.Get().(*call)
	defer k.done()
	a := new(Answer)
	if err := k.reader.parse(b, a); err != nil {
		return nil, err
	}
	return a, nil
}

// parse reads an answer into a.
func (r *reader) parse(b []byte, a *Answer) error {
	*a = Answer{}
	r.reset(b)
	switch {
	case r.next() == 0 && r.at == len(b):
		return fault.New(fault.Protocol, "the answer is empty")
	case !r.begins('{', "it", "an object") || !r.object(func(name []byte) bool { return r.member(a, name) }) || !r.end():
		return fault.New(fault.Protocol, "the answer is not of the contract: %s (at byte %d of %d)", r.why, r.at, len(b))
	}
	return a.check()
}

// member reads one member of an answer.
func (r *reader) member(a *Answer, name []byte) bool {
	switch string(name) {
	case "score":
		x, ok := r.float("score")
		a.number, a.Score = x, &a.number
		return ok
	case "level":
		return r.optional("level", &a.Level)
	case "unscored":
		return r.optional("unscored", &a.Unscored)
	case "error":
		return r.optional("error", &a.Error)
	case "reason":
		var ok bool
		a.Reason, ok = r.string("reason")
		return ok
	case "evidence":
		return r.begins('[', "evidence", "a list") && r.list(func() bool { return r.room(a) && r.evidence(a) })
	case "hits":
		return r.texts(a, "hits", &a.Hits)
	case "misses":
		return r.texts(a, "misses", &a.Misses)
	case "details":
		if !r.begins('{', "details", "an object") {
			return false
		}
		from := r.at
		ok := r.object(nil)
		a.Details = bytes.Clone(r.b[from:r.at])
		return ok
	case "stats":
		return r.begins('[', "stats", "a list") && r.list(func() bool { return r.stat(a) })
	}
	return r.fail("the contract has no member %q", clip(string(name), 60))
}

func (r *reader) optional(what string, into **string) bool {
	s, ok := r.string(what)
	*into = &s
	return ok
}

// room reports whether there may be one more piece of evidence, hit or miss.
func (r *reader) room(a *Answer) bool {
	if len(a.Evidence)+len(a.Hits)+len(a.Misses) == maxEvidence {
		return r.fail("evidence, hits and misses have more than %d entries", maxEvidence)
	}
	return true
}

func (r *reader) texts(a *Answer, what string, into *[]string) bool {
	return r.begins('[', what, "a list") && r.list(func() bool {
		if !r.room(a) {
			return false
		}
		s, ok := r.string("an entry of " + what)
		*into = append(*into, s)
		return ok
	})
}

func (r *reader) stat(a *Answer) bool {
	if len(a.Stats) == maxStats {
		return r.fail("stats has more than %d numbers", maxStats)
	}
	x, ok := r.float("a number of stats")
	a.Stats = append(a.Stats, x)
	return ok
}

func (r *reader) evidence(a *Answer) bool {
	var e rubric.Evidence
	ok := r.begins('{', "an entry of evidence", "an object") && r.object(func(name []byte) (ok bool) {
		switch string(name) {
		case "field":
			e.Field, ok = r.string("field")
		case "text":
			e.Text, ok = r.string("text")
		case "start":
			e.Start, ok = r.whole("start")
		case "end":
			e.End, ok = r.whole("end")
		default:
			return r.fail("evidence has no member %q", clip(string(name), 60))
		}
		return ok
	})
	if ok && e.End < e.Start {
		return r.fail("evidence starts at %d and ends at %d", e.Start, e.End)
	}
	a.Evidence = append(a.Evidence, e)
	return ok
}

// check holds an answer to what the form of its members does not say.
func (a *Answer) check() error {
	switch given := a.outcomes(); {
	case len(given) == 0:
		return fault.WithHint(fault.New(fault.Protocol, "the answer has none of score, level, unscored and error"),
			"answer with a score, or with unscored and why where there is none; sdk/ABI.md has the contract")
	case len(given) > 1:
		return fault.New(fault.Protocol, "the answer has %s at once", strings.Join(given, " and "))
	case a.Error != nil && strings.TrimSpace(*a.Error) == "":
		return fault.New(fault.PluginError, "the plugin answers with an error that says nothing")
	case a.Error != nil:
		return fault.New(fault.PluginError, "%s", clip(*a.Error, maxError))
	case a.Unscored != nil && strings.TrimSpace(*a.Unscored) == "":
		return fault.New(fault.Protocol, "unscored says no reason")
	case a.Unscored != nil && len(*a.Unscored) > maxReason:
		return fault.New(fault.Protocol, "unscored has %d bytes, at most %d", len(*a.Unscored), maxReason)
	case len(a.Reason) > maxReason:
		return fault.New(fault.Protocol, "the reason has %d bytes, at most %d", len(a.Reason), maxReason)
	}
	return nil
}

// outcomes names those of the four that the answer has.
func (a *Answer) outcomes() []string {
	var room [4]string
	given := room[:0]
	for _, o := range [...]struct {
		name string
		set  bool
	}{{"score", a.Score != nil}, {"level", a.Level != nil}, {"unscored", a.Unscored != nil}, {"error", a.Error != nil}} {
		if o.set {
			given = append(given, o.name)
		}
	}
	return given
}

// clip cuts a text to about n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(s[:n], ""), len(s))
}
