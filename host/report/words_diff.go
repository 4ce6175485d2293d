package report

import (
	"strings"
	"unicode"
)

// A part is a piece of a text that is in the other text, too, or is not.
type part struct {
	Text    string
	Changed bool
}

// maxDiffWords bounds the differing words of a text, from the first to the last
// difference. Texts with more are taken to differ there as a whole.
const maxDiffWords = 1500

// diffWords splits two texts into the words they have in common and those that only one of
// them has, by words and the space between them: a longest common subsequence.
func diffWords(a, b string) (left, right []part) {
	x, y := splitWords(a), splitWords(b)
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	left, right = joinPart(left, x[:head], false), joinPart(right, y[:head], false)
	u, v := x[head:len(x)-tail], y[head:len(y)-tail]
	if len(u) > maxDiffWords || len(v) > maxDiffWords {
		left, right = joinPart(left, u, true), joinPart(right, v, true)
	} else {
		left, right = diffMiddle(left, right, u, v)
	}
	return joinPart(left, x[len(x)-tail:], false), joinPart(right, y[len(y)-tail:], false)
}

func diffMiddle(left, right []part, u, v []string) (l, r []part) {
	// longest[i][j] is the length of the longest common subsequence of u[i:] and v[j:].
	width := len(v) + 1
	longest := make([]int16, (len(u)+1)*width)
	for i := len(u) - 1; i >= 0; i-- {
		for j := len(v) - 1; j >= 0; j-- {
			if u[i] == v[j] {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(u) || j < len(v) {
		switch {
		case i < len(u) && j < len(v) && u[i] == v[j]:
			left, right = joinPart(left, u[i:i+1], false), joinPart(right, v[j:j+1], false)
			i, j = i+1, j+1
		case j == len(v) || i < len(u) && longest[(i+1)*width+j] >= longest[i*width+j+1]:
			left = joinPart(left, u[i:i+1], true)
			i++
		default:
			right = joinPart(right, v[j:j+1], true)
			j++
		}
	}
	return left, right
}

// joinPart appends words, to the last part if that is of the same kind.
func joinPart(parts []part, words []string, changed bool) []part {
	n := len(parts)
	switch {
	case len(words) == 0:
	case n > 0 && parts[n-1].Changed == changed:
		parts[n-1].Text += strings.Join(words, "")
	default:
		parts = append(parts, part{strings.Join(words, ""), changed})
	}
	return parts
}

// splitWords splits a text into runs of letters and digits, and single other
// characters.
func splitWords(s string) []string {
	var out []string
	start, inWord := 0, false
	for i, r := range s {
		word := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if i > start && (!word || !inWord) {
			out = append(out, s[start:i])
			start = i
		}
		inWord = word
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}
