package fault

import "strings"

// Clip cuts a text that a message quotes to at most n bytes of valid UTF-8, and an
// ellipsis.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
