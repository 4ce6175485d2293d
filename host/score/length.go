package score

import (
	"math"
	"strings"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// Penalty returns the deduction of l from the score of an output of n words, never
// negative.
func Penalty(l *rubric.LengthPenalty, n int) float64 {
	switch {
	case n <= l.Free:
		return 0
	case n >= l.Cap:
		return math.Abs(l.AtCap)
	}
	part := float64(n-l.Free) / float64(l.Cap-l.Free)
	return math.Abs(product(l.AtCap, power(part, l.Exponent)))
}

// Words returns the length of an output for l: the number of words, separated
// by white space, of its thinking part, its output part or both.
func Words(l *rubric.LengthPenalty, output string) int {
	thinking, answer := SplitThinking(output)
	return WordsOf(l, thinking, answer)
}

// WordsOf is Words for an output whose parts are known.
func WordsOf(l *rubric.LengthPenalty, thinking, answer string) int {
	switch l.Section {
	case "output":
		return len(strings.Fields(answer))
	case "thinking":
		return len(strings.Fields(thinking))
	}
	return len(strings.Fields(thinking)) + len(strings.Fields(answer))
}

// SplitThinking separates "<thinking>…</thinking><output>…</output>", the form
// in which the rubric library takes an output with its reasoning. Tags match in
// any case, the first of each counts; without output tags everything after the
// thinking is the answer, without any tag everything is.
func SplitThinking(text string) (thinking, answer string) {
	thinking, rest, found := between(text, "thinking")
	if !found {
		rest = text
	}
	if answer, _, ok := between(text, "output"); ok {
		return strings.TrimSpace(thinking), strings.TrimSpace(answer)
	}
	return strings.TrimSpace(thinking), strings.TrimSpace(rest)
}

// between returns the text inside the first <tag>…</tag>, and everything
// outside it.
func between(text, tag string) (inside, outside string, found bool) {
	lower := asciiLower(text)
	opened, closed := "<"+tag+">", "</"+tag+">"
	start := strings.Index(lower, opened)
	if start < 0 {
		return "", text, false
	}
	length := strings.Index(lower[start+len(opened):], closed)
	if length < 0 {
		return "", text, false
	}
	from := start + len(opened)
	return text[from : from+length], text[:start] + text[from+length+len(closed):], true
}

// asciiLower lowers A-Z only, so that byte offsets stay those of text.
func asciiLower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
