package diag

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Suggest returns the known word that is nearest to word, or the empty string
// if none is near. Near means at most a third of the letters changed, and
// always one; a swap of neighbours counts as one change, case as none. Where none is near,
// a word that starts only one of the known words and its longer forms, such as "ref", suggests that one.
func Suggest(word string, known []string) string {
	best, bestDistance := "", max(1, len(word)/3)
	lower := strings.ToLower(word)
	if len(lower) > 64 { // no key is that long; keeps hostile input cheap
		return ""
	}
	bestDistance++
	for _, k := range known {
		if d := distance(lower, strings.ToLower(k), bestDistance); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	if best != "" || len(lower) < 3 {
		return best
	}
	for _, k := range slices.Sorted(slices.Values(known)) {
		switch {
		case !strings.HasPrefix(strings.ToLower(k), lower):
		case best == "":
			best = k
		case !strings.HasPrefix(k, best):
			return ""
		}
	}
	return best
}

// DidYouMean returns a hint that names the nearest known word, else one that
// lists the known words (at most a dozen), else the empty string.
func DidYouMean(word string, known []string) string {
	if s := Suggest(word, known); s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	if len(known) == 0 {
		return ""
	}
	return "known: " + fault.First(12, known, ", ")
}

// distance is the optimal string alignment distance of a and b by bytes, or
// limit if it is at least that much.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return min(prev[len(b)], limit)
}
