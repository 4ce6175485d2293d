package plugin

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A pythonUse is the possible imports of a Python file, as dotted names.
type pythonUse struct {
	modules  []string // by import statements
	named    []string // by calls with a literal, such as import_module("a")
	computed bool     // it imports modules whose names it computes, too
}

// pythonImports returns the possible imports of a Python file. file is its path below
// the script's directory, for relative imports. A name after "from x import"
// counts as a module of x: the existing files decide whether it is one.
//
// import is a reserved word, so every import statement has the token, and no other
// token of a valid file is that word. Only the bounds of texts have to be right. The
// tests compare the result with CPython's own ast.
func pythonImports(file, text string) (u pythonUse) {
	t := tokensOf(strings.TrimPrefix(text, "\ufeff"))
	for i := 0; i < len(t); {
		switch {
		case t[i] == "import" && t.beginsStatement(i):
			i = u.importStatement(t, i)
		case t[i] == "from":
			i = u.fromStatement(t, i, file)
		case slices.Contains(pythonLoaders, t[i]):
			u.loaderCall(t, i)
			i++
		default:
			i++
		}
	}
	return u
}

// pythonTokens are the tokens of a Python file.
type pythonTokens []string

// at returns token i, or the end of a line beyond the last one.
func (t pythonTokens) at(i int) string {
	if i < len(t) {
		return t[i]
	}
	return "\n"
}

// past returns the place of the first token from i on that does not end a line.
func (t pythonTokens) past(i int) int {
	for i < len(t) && t[i] == "\n" {
		i++
	}
	return i
}

func (t pythonTokens) beginsStatement(i int) bool {
	return i == 0 || t[i-1] == "\n" || t[i-1] == ";" || t[i-1] == ":"
}

// importStatement reads "import a.b as c, d" at token i, and returns the place of the token after it.
func (u *pythonUse) importStatement(t pythonTokens, i int) int {
	for {
		var name string
		name, i = t.dotted(i + 1)
		if name != "" {
			u.modules = append(u.modules, name)
		}
		if t.at(i) == "as" {
			i += 2
		}
		if t.at(i) != "," {
			return i
		}
	}
}

// fromStatement reads "from .a import b as c, d" at token i, and returns the place of the token after
// it. Another use of "from", as in "yield from", is one token.
func (u *pythonUse) fromStatement(t pythonTokens, i int, file string) int {
	dots, k := 0, i+1
	for ; t.at(k) == "."; k++ {
		dots++
	}
	from, k := t.dotted(k)
	if t.at(k) != "import" || from == "" && dots == 0 {
		return i + 1
	}
	from, known := absolute(file, dots, from)
	if from != "" && known {
		u.modules = append(u.modules, from)
	}
	lines := t.at(k+1) == "(" // it may go on in the next one
	last := ""
	for k++; k < len(t) && (t[k] != "\n" || lines) && t[k] != ";" && t[k] != ")"; k++ {
		switch {
		case t[k] == "as":
			u.computed = u.computed || slices.Contains(pythonLoaders, last)
			k = t.past(k + 1)
		case known && isPythonName(t[k]):
			last = t[k]
			u.modules = append(u.modules, strings.TrimPrefix(from+"."+last, "."))
		}
	}
	return k
}

func (u *pythonUse) loaderCall(t pythonTokens, i int) {
	k := t.past(i + 2)
	name, ok := strings.CutPrefix(t.at(k), `"`)
	after := t.at(t.past(k + 1))
	if ok && t.at(i+1) == "(" && name != "" && name[0] != '.' && (after == ")" || after == ",") {
		u.named = append(u.named, name)
	} else {
		u.computed = true
	}
}

// pythonLoaders import the module that their argument names.
var pythonLoaders = []string{"__import__", "import_module", "find_spec", "run_module", "run_path", "iter_modules", "walk_packages", "spec_from_file_location", "SourceFileLoader"}

// dotted returns the dotted name that begins at token i, and the place of the token after it.
func (t pythonTokens) dotted(i int) (string, int) {
	var name strings.Builder
	for ; i < len(t) && isPythonName(t[i]) && t[i] != "import" && t[i] != "as"; i += 2 {
		name.WriteString(t[i])
		if i+1 >= len(t) || t[i+1] != "." {
			return name.String(), i + 1
		}
		name.WriteByte('.')
	}
	return strings.Trim(name.String(), "."), i
}

// absolute returns the module that a relative import means. known is false where
// it leaves the directory, which CPython refuses.
func absolute(file string, dots int, from string) (module string, known bool) {
	if dots == 0 {
		return from, true
	}
	parts := strings.Split(file, "/")
	if dots >= len(parts) {
		return "", false
	}
	return strings.Trim(strings.Join(append(parts[:len(parts)-dots:len(parts)-dots], from), "."), "."), true
}

func isPythonName(token string) bool {
	return token != "" && inPythonName(token[0])
}

// tokensOf takes a Python file apart: names, operators, "\n" where a line ends, also in
// brackets, and literals as `"` and their value if it is their text. The expressions in an
// f-string are part of its text; where one has quotes of the f-string's own kind in it, they are tokens.
func tokensOf(text string) (t pythonTokens) {
	for text != "" {
		n, token := 1, ""
		switch c := text[0]; {
		case c == '#':
			n = span(text, func(c byte) bool { return c != '\n' && c != '\r' })
		case strings.HasPrefix(text, "\\\r\n"):
			n = 3
		case c == '\\':
			n = min(2, len(text))
		case c == '\n' || c == '\r':
			token = "\n"
		case c == ' ' || c == '\t' || c == '\f':
		case c == '"' || c == '\'':
			n, token = pythonLiteral(text, "")
		case '0' <= c && c <= '9':
			n = span(text, func(c byte) bool { return c == '.' || inPythonName(c) })
		case inPythonName(c):
			n = span(text, inPythonName)
			token = norm.NFKC.String(text[:n])
			if prefix := strings.ToLower(text[:n]); n <= 2 && strings.Trim(prefix, "rbuft") == "" && n < len(text) && (text[n] == '"' || text[n] == '\'') {
				n, token = pythonLiteral(text[n:], prefix)
				n += len(prefix)
			}
		default:
			token = text[:1]
		}
		if token != "" {
			t = append(t, token)
		}
		text = text[n:]
	}
	return t
}

func inPythonName(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}

// span returns how many of the first bytes are of a kind.
func span(text string, is func(byte) bool) int {
	for i := range len(text) {
		if !is(text[i]) {
			return i
		}
	}
	return len(text)
}

// pythonLiteral returns the length and the token of the literal at the beginning of a text. One
// without an end, which CPython refuses, is its first quotes.
func pythonLiteral(text, prefix string) (int, string) {
	quote := text[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text, triple) {
		quote = triple
	}
	for i := len(quote); i < len(text) && (len(quote) == 3 || text[i] != '\n' && text[i] != '\r'); i++ {
		if text[i] == '\\' {
			i++
		} else if content := text[len(quote):i]; strings.HasPrefix(text[i:], quote) {
			if strings.Trim(prefix, "ru") != "" || strings.ContainsAny(content, "\\\n") {
				content = ""
			}
			return i + len(quote), `"` + content
		}
	}
	return len(quote), `"`
}
