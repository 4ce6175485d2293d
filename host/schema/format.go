package schema

import (
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A format is what a text can be held to by its name.
type format struct {
	name string
	is   func(text string) bool
}

// formatOf returns the format of a name, nil if it is none: it then says nothing.
func formatOf(name string) *format {
	for k := range formats {
		if formats[k].name == name {
			return &formats[k]
		}
	}
	return nil
}

// formats are those that are known: of the specification all but those of names in
// other scripts than Latin, and some that are older than it.
var formats = []format{
	{"date-time", isDateTime}, {"date", isDate}, {"time", isTime}, {"duration", isDuration}, {"period", isPeriod},
	{"hostname", isHostname}, {"email", isEmail}, {"ipv4", isIPv4}, {"ip-address", isIPv4}, {"ipv6", isIPv6},
	{"uri", isURI}, {"iri", isURI}, {"uri-reference", isReference}, {"uriref", isReference}, {"iri-reference", isReference},
	{"uri-template", isTemplate}, {"json-pointer", isPointer}, {"relative-json-pointer", isRelativePointer}, {"uuid", isUUID},
	{"regex", isRegex},
}

// isDate reports whether s is a full-date of RFC 3339, section 5.6.
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// isDateTime reports whether s is a date-time of RFC 3339, section 5.6.
func isDateTime(s string) bool {
	return len(s) > 11 && (s[10] == 'T' || s[10] == 't') && isDate(s[:10]) && isTime(s[11:])
}

// isTime reports whether s is a full-time of RFC 3339, section 5.6. A leap second
// can only be the last of a day in UTC.
func isTime(s string) bool {
	if len(s) < 9 || s[2] != ':' || s[5] != ':' {
		return false
	}
	hour, minute, second := twoDigits(s[:2], 23), twoDigits(s[3:5], 59), twoDigits(s[6:8], 60)
	zone := s[8:]
	if fraction, ok := strings.CutPrefix(zone, "."); ok {
		zone = strings.TrimLeft(fraction, "0123456789")
		if len(zone) == len(fraction) {
			return false
		}
	}
	offset, ok := minutesOf(zone)
	if hour < 0 || minute < 0 || second < 0 || !ok {
		return false
	}
	const day = 24 * 60
	return second < 60 || (hour*60+minute-offset+2*day)%day == day-1
}

// minutesOf returns what a time-offset of RFC 3339 adds to UTC.
func minutesOf(zone string) (int, bool) {
	if zone == "Z" || zone == "z" {
		return 0, true
	}
	if len(zone) != 6 || zone[3] != ':' || zone[0] != '+' && zone[0] != '-' {
		return 0, false
	}
	hours, minutes := twoDigits(zone[1:3], 23), twoDigits(zone[4:], 59)
	offset := hours*60 + minutes
	if zone[0] == '-' {
		offset = -offset
	}
	return offset, hours >= 0 && minutes >= 0
}

// twoDigits returns a number of two digits, or -1 if it is none or too great.
func twoDigits(s string, most int) int {
	if s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9' {
		return -1
	}
	if n := int(s[0]-'0')*10 + int(s[1]-'0'); n <= most {
		return n
	}
	return -1
}

// isDuration reports whether s is a duration of RFC 3339, appendix A.
func isDuration(s string) bool {
	rest, ok := strings.CutPrefix(s, "P")
	if !ok {
		return false
	}
	dates, times, timed := strings.Cut(rest, "T")
	day, dayOK := unitsOf(dates)
	clock, clockOK := unitsOf(times)
	if !dayOK || !clockOK || day+clock == "" || timed && clock == "" {
		return false
	}
	return day == "W" && !timed || strings.Contains("YMD", day) && strings.Contains("HMS", clock)
}

// unitsOf returns the letters of numbers with units.
func unitsOf(s string) (units string, ok bool) {
	for s != "" {
		unit := strings.TrimLeft(s, "0123456789")
		if unit == s || unit == "" {
			return "", false
		}
		units, s = units+unit[:1], unit[1:]
	}
	return units, true
}

// isPeriod reports whether s is a period of RFC 3339, appendix A.
func isPeriod(s string) bool {
	from, to, ok := strings.Cut(s, "/")
	switch {
	case !ok:
		return false
	case isDateTime(from):
		return isDateTime(to) || isDuration(to)
	}
	return isDuration(from) && isDateTime(to)
}

// isHostname reports whether s is a name of RFC 1123, section 2.1: labels of
// letters, digits and hyphens, which begin and end with no hyphen.
func isHostname(s string) bool {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if len(label) < 1 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' || strings.Trim(label, alphanumeric+"-") != "" {
			return false
		}
	}
	return true
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// isEmail reports whether s is an address of RFC 5322, section 3.4.1, of the
// length that RFC 5321 allows.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 0 || at > 64 || len(s) > 254 {
		return false
	}
	host := s[at+1:]
	if literal, ok := strings.CutPrefix(host, "["); ok && strings.HasSuffix(literal, "]") {
		literal = strings.TrimSuffix(literal, "]")
		if six, ok := strings.CutPrefix(literal, "IPv6:"); ok {
			return isIPv6(six)
		}
		return isIPv4(literal)
	}
	_, err := mail.ParseAddress(s)
	return err == nil && isHostname(host)
}

func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

// addressOf returns an address of RFC 3986. IPv6 is bracketed in it.
func addressOf(s string) (*url.URL, bool) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, false
	}
	if host := u.Hostname(); strings.Contains(host, ":") {
		return u, strings.Contains(u.Host, "[") && isIPv6(host)
	}
	return u, true
}

func isURI(s string) bool {
	u, ok := addressOf(s)
	return ok && u.IsAbs()
}

func isReference(s string) bool {
	_, ok := addressOf(s)
	return ok && !strings.Contains(s, `\`)
}

// isTemplate reports whether s may be a template of RFC 6570: its braces are
// closed where they should be.
func isTemplate(s string) bool {
	if _, ok := addressOf(s); !ok {
		return false
	}
	open := false
	for _, c := range s {
		switch {
		case c == '{' && !open, c == '}' && open:
			open = !open
		case c == '{', c == '}', c == '/' && open:
			return false
		}
	}
	return !open
}

// isPointer reports whether s is a JSON pointer of RFC 6901.
func isPointer(s string) bool {
	return s == "" || s[0] == '/' && !strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(s), "~")
}

// isRelativePointer reports whether s is a relative JSON pointer: a number without
// leading zeros, and a pointer or '#'.
func isRelativePointer(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	digits := s[:len(s)-len(rest)]
	return digits != "" && (digits == "0" || digits[0] != '0') && (rest == "#" || isPointer(rest))
}

// isUUID reports whether s is a UUID of RFC 4122.
func isUUID(s string) bool {
	groups := strings.Split(s, "-")
	for k, n := range []int{8, 4, 4, 4, 12} {
		if len(groups) != 5 || len(groups[k]) != n {
			return false
		}
		if _, err := strconv.ParseUint(groups[k], 16, 64); err != nil {
			return false
		}
	}
	return true
}
