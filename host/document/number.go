package document

import "strings"

// JSONNumber returns a literal in the form of JSON. YAML also writes +1, .5 and
// 1.; what it reads differently from version to version (010, 0x10, 1_000,
// 1:30) and what is no number at all are not taken. The number may be greater
// than a float64 holds.
func JSONNumber(s string) (string, bool) {
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = strings.TrimPrefix(s[:1], "+"), s[1:]
	}
	whole, s := digits(s)
	fraction := ""
	point := strings.HasPrefix(s, ".")
	if point {
		fraction, s = digits(s[1:])
	}
	if whole == "" && fraction == "" || len(whole) > 1 && whole[0] == '0' {
		return "", false
	}
	exponent := ""
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		mark := s[:1]
		s = s[1:]
		if s != "" && (s[0] == '-' || s[0] == '+') {
			mark, s = mark+s[:1], s[1:]
		}
		var power string
		if power, s = digits(s); power == "" {
			return "", false
		}
		exponent = mark + power
	}
	if s != "" {
		return "", false
	}
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction + exponent, true
}

func digits(s string) (head, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}
