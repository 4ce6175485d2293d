package fault

import (
	"fmt"
	"strings"
)

// Clip cuts a text that a message quotes to at most n bytes of valid UTF-8, and an
// ellipsis.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// First joins the first n texts of a list, and counts the others: "a, b, and 3 more".
func First(n int, list []string, between string) string {
	if more := len(list) - n; more > 0 {
		list = append(list[:n:n], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, between)
}
