package plugin

import "strings"

// importedPaths returns what a JavaScript file imports by a path. Comments and
// texts count, too: a file that nothing imports is never run.
func importedPaths(text string) []string {
	var paths []string
	for at, free := 0, 0; ; { // free: behind the path that was found last
		k := strings.Index(text[at:], "./")
		if k < 0 {
			return paths
		}
		start := at + k
		at = start + len("./")
		if strings.HasSuffix(text[:start], ".") {
			start--
		}
		if start <= free || text[start-1] != '"' && text[start-1] != '\'' {
			continue
		}
		end := strings.IndexAny(text[at:], text[start-1:start]+"\n")
		if end > 0 && text[at+end] != '\n' && imports(text[:start-1]) {
			paths = append(paths, text[start:at+end])
			at += end + len(`"`)
			free = at
		}
	}
}

// imports reports whether a text ends so that a path behind it is imported.
func imports(text string) bool {
	const space, word = " \t\n\f\r", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	text, called := strings.CutSuffix(strings.TrimRight(text, space), "(")
	text = strings.TrimRight(text, space)
	switch text[len(strings.TrimRight(text, word)):] {
	case "from":
		return !called
	case "require":
		return called
	case "import":
		return true
	}
	return false
}
