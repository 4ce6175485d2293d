package judge

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// maxPlain is the longest text in which words are looked for, in bytes.
const maxPlain = 16 << 10

// readPlain reads an answer without JSON: a level by the one level id that
// stands in it as a whole word, and in no quotation; met by text that is nothing but the word, or
// whose last line gives it behind a label. The number of a scale must be JSON.
func (q *question) readPlain(text string, to *message) (reading, error) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxPlain || strings.ContainsAny(text, "{[") {
		return reading{}, errUndecided
	}
	switch q.kind {
	case rubric.KindLevel:
		if id, ok := onlyWord(text, q.levels); ok && !levelQuoted(text, id, to) {
			return reading{native: rubric.LevelIs(id)}, nil
		}
	case rubric.KindMet:
		if met, ok := metText(text, to); ok {
			return reading{native: rubric.MetIs(met)}, nil
		}
	}
	return reading{}, errUndecided
}

// quotation matches text in quotation marks, and quoted lines.
var quotation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)\"[^\"\\n]*\"|“[^”\\n]*”|«[^»\\n]*»|`[^`\\n]*`|(?:^|[\\s(:,])'[^'\\n]*'(?:$|[\\s).,;:!?])|^\\s*>.*$")
})

// mostQuoted is how many lines with a level are compared with the case.
const mostQuoted = 64

// levelQuoted reports whether a level that stands in an answer may be a
// quotation: it stands in quotation marks or a quoted line with other words, or
// in one of several lines of the answer that the case has too.
func levelQuoted(text, id string, to *message) bool {
	alone := lettersOf(id)
	more := func(part string) bool {
		_, has := onlyWord(part, []string{id})
		return has && lettersOf(part) != alone
	}
	if slices.ContainsFunc(quotation().FindAllString(text, -1), more) {
		return true
	}
	lines, seen := strings.Split(text, "\n"), 0
	for _, line := range lines {
		if len(lines) == 1 || !more(line) {
			continue
		}
		if seen++; seen > mostQuoted || to.quotes(line) {
			return true
		}
	}
	return false
}

// metLine matches a line that gives a verdict behind its label: "Verdict: MET",
// "The final answer is UNMET."
var metLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[\s*_#]*(?:the |my )?(?:final )?(?:verdict|answer|status|decision|result)[\s*_]*(?::|=|is)[\s*_` + "`" + `"']*(met|unmet|not[ _]met)[\s*_` + "`" + `"'.!]*$`)
})

// metWords are verdicts anywhere in a text, as judges write them.
var metWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:UNMET|NOT[ _]MET|MET)\b`) })

// metText reads text that is nothing but the word, or whose last line gives it
// behind a label. A line that occurs in the case may be a quotation, and a text
// that names both verdicts decides nothing.
func metText(text string, to *message) (met, ok bool) {
	if met, ok = metWord(strings.Trim(text, " \t\r\n*_`\"'.#>")); ok {
		return met, ok
	}
	last := text[strings.LastIndexByte(text, '\n')+1:]
	found := metLine().FindStringSubmatch(last)
	if found == nil || last != text && to.quotes(last) {
		return false, false
	}
	met, ok = metWord(found[1])
	for _, word := range metWords().FindAllString(text, -1) {
		if other, _ := metWord(word); other != met {
			return false, false
		}
	}
	return met, ok
}

// onlyWord returns the one of words that stands in text as a whole word, in any
// case, and as often as it likes. None, two different ones, or one behind a
// negation is not an answer. Where words overlap, the longer one stands.
func onlyWord(text string, words []string) (string, bool) {
	order := make([]int, len(words))
	lower := make([]string, len(words))
	for i, w := range words {
		order[i], lower[i] = i, strings.ToLower(w)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(lower[b]), len(lower[a])) })
	text = strings.ToLower(text)
	found := -1
	for i := 0; i < len(text); {
		at := matchAt(text, i, lower, order)
		if at < 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		if found >= 0 && found != at || negated(text[:i]) {
			return "", false
		}
		found = at
		i += len(lower[at])
	}
	if found < 0 {
		return "", false
	}
	return words[found], true
}

// matchAt returns the longest word that stands whole at text[i:], or -1.
func matchAt(text string, i int, lower []string, order []int) int {
	if before, _ := utf8.DecodeLastRuneInString(text[:i]); i > 0 && isWordRune(before) {
		return -1
	}
	for _, n := range order {
		w := lower[n]
		if w == "" || !strings.HasPrefix(text[i:], w) {
			continue
		}
		if after, size := utf8.DecodeRuneInString(text[i+len(w):]); size == 0 || !isWordRune(after) {
			return n
		}
	}
	return -1
}

func isWordRune(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// negated reports whether text ends with a word that turns the next one into
// its opposite.
func negated(before string) bool {
	const most = 64 // no word is that long
	before = before[max(0, len(before)-most):]
	words := strings.FieldsFunc(before, func(r rune) bool { return !isWordRune(r) && r != '\'' && r != '’' })
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	switch last {
	case "not", "no", "never", "neither", "nor", "hardly", "than":
		return true
	}
	return strings.HasSuffix(last, "n't") || strings.HasSuffix(last, "n’t")
}
