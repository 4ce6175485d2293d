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
// token of a valid file is that word. Only the bounds of tokens have to be right. The
// tests compare the result with CPython's own ast.
func pythonImports(file, text string) (u pythonUse) {
	s := pythonScanner{text: strings.TrimPrefix(text, "\ufeff")}
	s.tokens(0)
	t := pythonTokens(s.found)
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
	for k++; t.at(k) != "\n" && t.at(k) != ";" && t.at(k) != ")"; k++ {
		switch name := t.at(k); {
		case name == "as":
			u.computed = u.computed || slices.Contains(pythonLoaders, t.at(k-1))
			k++
		case known && name != "," && name != "(" && name != "*":
			u.modules = append(u.modules, strings.TrimPrefix(from+"."+name, "."))
		}
	}
	return k
}

func (u *pythonUse) loaderCall(t pythonTokens, i int) {
	name, ok := strings.CutPrefix(t.at(i+2), `"`)
	if ok && t.at(i+1) == "(" && name != "" && name[0] != '.' && (t.at(i+3) == ")" || t.at(i+3) == ",") {
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
	return token != "" && (token[0] == '_' || token[0] >= utf8.RuneSelf || 'a' <= token[0]|0x20 && token[0]|0x20 <= 'z')
}

// A pythonScanner takes a Python file apart: names, operators, "\n" where a logical
// line ends, and texts without a prefix as `"` and their content.
type pythonScanner struct {
	text  string
	at    int
	depth int // of brackets
	found []string
}

// tokens scans to the end, or, in the braces of an f-string, to the brace, colon
// or exclamation mark that ends the expression, which it leaves.
func (s *pythonScanner) tokens(inside int) {
	base := s.depth
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case inside > 0 && s.depth == base && (c == '}' || c == ':' || c == '!' && !strings.HasPrefix(s.text[s.at:], "!=")):
			return
		case c == '#':
			s.skip(func(c byte) bool { return c != '\n' && c != '\r' })
		case c == '\\':
			s.at++
			if strings.HasPrefix(s.text[s.at:], "\r\n") {
				s.at++
			}
			s.at++
		case c == '\n' || c == '\r':
			s.at++
			if s.depth == 0 {
				s.found = append(s.found, "\n")
			}
		case c == '"' || c == '\'':
			s.literal("", inside)
		case c >= '0' && c <= '9':
			s.skip(func(c byte) bool { return c == '.' || isPythonName(string(c)) || c >= '0' && c <= '9' })
		case c >= utf8.RuneSelf || isPythonName(string(c)):
			s.name(inside)
		default:
			s.operator(c)
		}
	}
}

func (s *pythonScanner) skip(while func(byte) bool) {
	for s.at < len(s.text) && while(s.text[s.at]) {
		s.at++
	}
}

func (s *pythonScanner) operator(c byte) {
	s.at++
	switch c {
	case '(', '[', '{':
		s.depth++
	case ')', ']', '}':
		s.depth = max(0, s.depth-1)
	case ' ', '\t', '\f':
		return
	}
	s.found = append(s.found, string(c))
}

// name scans a name, or the prefix of a literal and that.
func (s *pythonScanner) name(inside int) {
	from := s.at
	s.skip(func(c byte) bool { return c >= utf8.RuneSelf || isPythonName(string(c)) || c >= '0' && c <= '9' })
	name := s.text[from:s.at]
	if s.at < len(s.text) && (s.text[s.at] == '"' || s.text[s.at] == '\'') && len(name) <= 2 && strings.Trim(strings.ToLower(name), "rbuft") == "" {
		s.literal(strings.ToLower(name), inside)
		return
	}
	s.found = append(s.found, norm.NFKC.String(name))
}

// mostNested is how deep f-strings nest; CPython refuses 150.
const mostNested = 200

// literal scans a text, and the expressions in an f-string.
func (s *pythonScanner) literal(prefix string, inside int) {
	quote := s.text[s.at : s.at+1]
	if strings.HasPrefix(s.text[s.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	s.at += len(quote)
	from := s.at
	formatted := strings.ContainsAny(prefix, "ft") && inside < mostNested
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case strings.HasPrefix(s.text[s.at:], quote):
			s.found = append(s.found, `"`+plainLiteral(prefix, s.text[from:s.at]))
			s.at += len(quote)
			return
		case len(quote) == 1 && (c == '\n' || c == '\r'):
			return // CPython refuses the file
		case c == '\\' && formatted && !strings.Contains(prefix, "r") && strings.HasPrefix(s.text[s.at:], `\N{`):
			s.skip(func(c byte) bool { return c != '}' && c != '\n' })
		case c == '\\':
			s.at++
			if rest := s.text[s.at:]; rest != "" && !(formatted && (rest[0] == '{' || rest[0] == '}')) {
				s.at++
			}
		case formatted && (strings.HasPrefix(s.text[s.at:], "{{") || strings.HasPrefix(s.text[s.at:], "}}")):
			s.at += 2
		case formatted && c == '{':
			s.replacement(quote, inside+1)
		default:
			s.at++
		}
	}
}

// plainLiteral returns the value of a literal without escapes, else nothing.
func plainLiteral(prefix, text string) string {
	if prefix != "" && prefix != "r" && prefix != "u" || strings.ContainsAny(text, "\\\n") {
		return ""
	}
	return text
}

// replacement scans {expression!r:format}, whose format may have more of them.
func (s *pythonScanner) replacement(quote string, inside int) {
	s.at++
	s.depth++
	s.tokens(inside)
	for s.at < len(s.text) && s.text[s.at] == '!' {
		s.at++
		s.tokens(inside)
	}
	if s.at < len(s.text) && s.text[s.at] == ':' {
		for s.at++; s.at < len(s.text); {
			c := s.text[s.at]
			if c == '}' || strings.HasPrefix(s.text[s.at:], quote) || len(quote) == 1 && c == '\n' {
				break
			}
			if c == '{' && inside < mostNested {
				s.replacement(quote, inside+1)
				continue
			}
			s.at++
		}
	}
	s.depth--
	if s.at < len(s.text) && s.text[s.at] == '}' {
		s.at++
	}
}
