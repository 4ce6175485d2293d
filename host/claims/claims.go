// Package claims checks that a text about the results of a row, such as feedback that a
// model has written, claims nothing beyond them.
//
// The check is mechanical, for English, and strict: a text that is true may be
// refused, and then the deterministic one stands in for it. Every sentence must name
// a criterion or the evaluation as a whole. Scores, levels, verdicts and quotations
// belong to the last name before them in their sentence, else to the first one behind
// them, and must agree with its results; the next level may be named as an aim.
// Refused are counts and superlatives, levels that are denied, names and words in
// other alphabets that are not in the results, markup and addresses.
//
// The check cannot see an opinion in other words, such as "dull", inside a sentence
// on a criterion of the results.
//
// Stability: experimental.
package claims

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Bounds on a text.
const (
	maxText      = 2000 // bytes
	maxSentences = 8
)

// Check returns the first claim of a text that the results of a row, graded by r, do not
// hold; nil if there is none. The error has class fault.Invalid.
func Check(r *rubric.Rubric, row *result.Row, text string) error {
	text = strings.TrimSpace(strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`).Replace(text))
	switch {
	case text == "":
		return fault.New(fault.Invalid, "it is blank")
	case len(text) > maxText:
		return fault.New(fault.Invalid, "it has more than %d bytes", maxText)
	}
	for _, c := range text {
		if c != '\n' && !unicode.IsPrint(c) || c >= markFact && c <= markLast {
			return fault.New(fault.Invalid, "it has the character %U", c)
		}
	}
	if m := markup().FindString(text); m != "" {
		return fault.New(fault.Invalid, "it has markup or an address, %q", m)
	}
	sentences := xslices.Filter(xslices.Map(sentenceEnd().Split(text, -1), strings.TrimSpace), func(s string) bool { return s != "" })
	if len(sentences) > maxSentences {
		return fault.New(fault.Invalid, "it has more than %d sentences", maxSentences)
	}
	f := factsOf(r, row)
	for _, s := range sentences {
		if why := f.sentence(s); why != "" {
			return fault.New(fault.Invalid, "%s, in %q", why, fault.Clip(s, 120))
		}
	}
	return nil
}

// sentence returns the claims of a sentence that are not in the results; empty: none.
func (f *facts) sentence(s string) string {
	text, quotes := f.marked(s)
	tokens := token().FindAllString(text, -1)
	first := slices.IndexFunc(tokens, isName)
	if first < 0 {
		return "no criterion is named, and not the evaluation"
	}
	if m := quantified().FindString(text); m != "" {
		return fmt.Sprintf("it counts, %q", m)
	}
	about, end := f.subjects(tokens, first)
	for i, t := range tokens {
		if isName(t) && i >= end {
			about, end = f.subjects(tokens, i)
		}
		said := ""
		if t == string(markQuote) {
			said, quotes = quotes[0], quotes[1:]
		}
		for _, a := range about {
			why := ""
			switch {
			case isName(t):
			case t == string(markQuote):
				if !strings.Contains(a.evidence+a.words, wordsOf(said)) {
					why = fmt.Sprintf("the results of %s do not hold %q", a.label, fault.Clip(said, 60))
				}
			default:
				why = f.claim(tokens, i, a)
			}
			if why != "" {
				return why
			}
		}
	}
	return ""
}

// subjects returns the facts that the names from tokens[i] on are joined to, as in "Tone
// and Facts are", and where they end.
func (f *facts) subjects(tokens []string, i int) (about []*fact, end int) {
	about = []*fact{f.of(tokens[i])}
	end = i + 1
	joined := false
	for j := i + 1; j < len(tokens); j++ {
		t := strings.ToLower(tokens[j])
		switch {
		case isName(t):
			next, last := f.of(t), about[len(about)-1]
			if (next.whole || last.whole) && !joined && next != last {
				return about, end
			}
			about, end, joined = append(about, next), j+1, false
		case joins[t]:
			joined = true
		case t != "the" && t != "a" && t != "an":
			return about, end
		}
	}
	return about, end
}

// claim returns why a word of a sentence on about claims something that is not in the
// results.
func (f *facts) claim(tokens []string, i int, about *fact) string {
	t := tokens[i]
	word := strings.ToLower(t)
	level, isLevel := f.levelOf(t)
	switch {
	case unicode.IsNumber([]rune(t)[0]):
		return about.number(tokens, i)
	case isLevel:
		return about.level(tokens, i, level)
	case outcomes[word] != "" && !threshold(tokens, i):
		return about.outcome(tokens, i, outcomes[word], word)
	case sides[word] != "" && measures(tokens, i):
		if about.whole && about.side == sides[word] && !negated(tokens, i) {
			return ""
		}
		return fmt.Sprintf("the results do not say %q of %s", t, about.label)
	case counts[word] || superlative(word):
		if strings.Contains(about.words, " "+word+" ") { // the rubric's own word
			return ""
		}
		return fmt.Sprintf("the results do not say %q of %s", t, about.label)
	case word == "than" && i > 0:
		return fmt.Sprintf("it compares, %q", tokens[i-1]+" than")
	case i+1 < len(tokens) && kinds[strings.ToLower(tokens[i+1])] && !determiners[word]:
		return fmt.Sprintf("the results have no %s %q", strings.ToLower(tokens[i+1]), t)
	}
	return f.vocabulary(t, word, i == 0)
}

// vocabulary refuses names that the results do not have.
func (f *facts) vocabulary(t, word string, begins bool) string {
	capital := unicode.IsUpper([]rune(t)[0]) && t != "I"
	foreign := strings.ContainsFunc(t, func(r rune) bool { return r > unicode.MaxASCII })
	switch known := strings.Contains(f.known, wordsOf(word)); {
	case known:
		return ""
	case begins && capital && !starters[word]:
		return fmt.Sprintf("the results do not have %q", t)
	case !begins && capital, foreign:
		return fmt.Sprintf("the results do not have %q", t)
	}
	return ""
}

// number checks a number: a score where it stands behind a word for scores, else one that
// the rubric has too.
func (f *fact) number(tokens []string, i int) string {
	t := tokens[i]
	x, percent, ok := numberOf(t)
	behind := strings.ToLower(strings.Join(tokens[i+1:min(len(tokens), i+2)], ""))
	percent = percent || behind == "percent"
	of := f.plain
	if percent {
		of = f.percent
	}
	switch {
	case !ok || negatedNumber(tokens, i):
	case slices.Contains(of, x):
		return ""
	case !percent && behind != "points" && behind != "out" && !scored(tokens, i) && slices.Contains(f.numbers, x):
		return ""
	}
	return fmt.Sprintf("the results do not say %s of %s", t, f.label)
}

// level checks a level that is named.
func (f *fact) level(tokens []string, i int, level string) string {
	if f.whole && outcomes[level] != "" && !slices.Contains(f.levels, level) {
		return f.outcome(tokens, i, outcomes[level], level)
	}
	denied := negated(tokens, i)
	switch {
	case denied && level == "met" && slices.Contains(f.levels, "unmet"):
		return ""
	case denied:
		return fmt.Sprintf("it denies %q of %s", level, f.label)
	case slices.Contains(f.levels, level), slices.Contains(f.aims, level) && aimed(tokens, i):
		return ""
	}
	return fmt.Sprintf("the results do not say %q of %s", level, f.label)
}

// outcome checks a word for passing or failing.
func (f *fact) outcome(tokens []string, i int, as, word string) string {
	if negated(tokens, i) {
		as = map[string]string{passed: failed, failed: passed}[as]
	}
	if as == f.result || !f.whole && slices.ContainsFunc(f.levels, func(l string) bool { return strings.HasPrefix(l, as[:4]) }) {
		return ""
	}
	return fmt.Sprintf("the results do not say %q of %s", word, f.label)
}

// negated reports whether one of the words before a claim denies it.
func negated(tokens []string, i int) bool {
	return slices.ContainsFunc(tokens[max(0, i-4):i], denies)
}

func denies(t string) bool {
	t = strings.ToLower(t)
	return negations[t] || strings.HasSuffix(t, "n't")
}

// negatedNumber is negated but for words that say on which side a number lies: those are
// checked where they stand.
func negatedNumber(tokens []string, i int) bool {
	return slices.ContainsFunc(tokens[max(0, i-4):i], func(t string) bool { return denies(t) && sides[strings.ToLower(t)] == "" })
}

// threshold reports whether a word such as passing is part of the name of a threshold.
func threshold(tokens []string, i int) bool {
	word := strings.ToLower(tokens[i])
	return (word == "pass" || word == "passing") && i+1 < len(tokens) && thresholds[strings.ToLower(tokens[i+1])]
}

// aimed reports whether a level is one to aim for, rather than the one that was given: "aim
// for Solid", and not "is reaching Solid" or "is at the next level, Solid".
func aimed(tokens []string, i int) bool {
	window := tokens[max(0, i-5):i]
	isDone := func(t string) bool { return done[strings.ToLower(t)] }
	for j, w := range slices.Backward(window) {
		switch t := strings.ToLower(w); {
		case done[t]:
			return false
		case aims[t]:
			return j == 0 || !isDone(window[j-1])
		case aimNouns[t]:
			return !slices.ContainsFunc(window, isDone)
		}
	}
	return false
}

// scored reports whether a number is said to be a score.
func scored(tokens []string, i int) bool {
	return slices.ContainsFunc(tokens[max(0, i-6):i], func(t string) bool { return scores[strings.ToLower(t)] })
}

// measures reports whether a word such as below is about a number or a threshold.
func measures(tokens []string, i int) bool {
	return slices.ContainsFunc(tokens[i+1:min(len(tokens), i+6)], func(t string) bool {
		return unicode.IsNumber([]rune(t)[0]) || thresholds[strings.ToLower(t)]
	})
}

func superlative(word string) bool {
	return len(word) > 5 && strings.HasSuffix(word, "est") && !positives[word]
}

func numberOf(token string) (x float64, percent, ok bool) {
	digits, percent := strings.CutSuffix(token, "%")
	x, err := strconv.ParseFloat(digits, 64)
	return x, percent, err == nil
}
