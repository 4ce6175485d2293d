package schema

import (
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"pgregory.net/rapid"
)

// formatSamples are texts that have a format, or nearly.
var formatSamples = []string{
	"2024-02-29", "2023-02-29", "2024-2-29", "23:59:60Z", "12:59:60Z", "08:29:60+08:30", "15:59:60-08:00", "12:00:00.25z", "12:00:00.", "12:00:00", "24:00:00Z",
	"2024-02-29T12:00:00Z", "2024-02-29t12:00:00+01:00", "2024-02-29 12:00:00Z", "2024-02-29T12:00:00+24:00", "2024-02-29T12:00:00−01:00",
	"P1Y2M3DT4H5M6S", "PT1H", "P1W", "P1Y2W", "P", "PT", "P1", "P1DT", "P1D1Y", "PT1S1M", "P2Y1D", "1D", "PT1H30",
	"2024-02-29T12:00:00Z/P1D", "P1D/2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z/2024-03-01T12:00:00Z", "P1D/P1D", "P1D",
	"example.com", "example.com.", "a-b.c", "-a.b", "a-.b", "a..b", "", "a_b", "xn--4gbwdl.xn--wgbh1c", strings.Repeat("a", 64), strings.Repeat("a.", 126) + "a", "é.com",
	"joe@example.com", "joe.bloggs@[127.0.0.1]", "joe@[IPv6:::1]", "@example.com", "joe@", ".joe@example.com", `"joe bloggs"@example.com`, "joe@exa_mple.com", strings.Repeat("j", 65) + "@a.b", "a@b@c.d",
	"127.0.0.1", "127.0.0.01", "256.0.0.1", "1.2.3", "1.2.3.4.5", "::1", "::ffff:1.2.3.4", "12345::", "1::2::3", "fe80::1%eth0", ":::", "1:2:3:4:5:6:7:8",
	"http://example.com/a?b#c", "http://[::1]/", "http://::1/", "http://[::g]/", "//example.com/a", "a/b", `a\b`, "urn:a:b", "http:// shouldfail.com", ":// should fail", "%", "#frag", "bar,baz:foo", "http://a/{b}", "http://a/{b", "http://a/%7Bb/c}", "{a}{b}", "{{a}}", "a}{",
	"/a~0b/~1", "/a~", "/a~2", "a/b", "0", "0#", "1/a", "01/a", "-1", "0a", "10/~0",
	"2EB8AA08-AA98-11EA-B4AA-73B441D16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4ga-73b441d16380", "+eb8aa08-aa98-11ea-b4aa-73b441d16380",
}

// libraryTakes are texts that the library takes for what they are not. Of a name, it
// looks at the first label alone for whether it begins with a hyphen, which RFC 1123
// does not allow; in times and addresses it takes signs for digits, which RFC 3339 and
// 2673 do not, and in addresses 00 for 0.
var libraryTakes = map[string]*regexp.Regexp{
	"hostname": regexp.MustCompile(`\.-`), "email": regexp.MustCompile(`\.-|` + octet),
	"ipv4": regexp.MustCompile(octet), "ip-address": regexp.MustCompile(octet),
	"time": signed, "date-time": signed, "period": signed,
}

var signed = regexp.MustCompile(`(^|[Tt:/+-])[+-][0-9]`)

const octet = `(^|[.[])([+-][0-9]|00+([.\]]|$))`

// TestFormatsAreThoseOfTheLibrary changes texts that have a format, and asks both
// whether they still do. Templates are left out: the library looks at few.
func TestFormatsAreThoseOfTheLibrary(t *testing.T) {
	if len(formats) != len(jsonschema.Formats) {
		t.Errorf("we have %d formats, they %d", len(formats), len(jsonschema.Formats))
	}
	for _, f := range formats {
		theirs := jsonschema.Formats[f.name]
		if theirs == nil {
			t.Fatalf("they have no format %s", f.name)
		}
		if f.name == "uri-template" {
			continue
		}
		good := 0
		for _, s := range formatSamples {
			if f.is(s) != theirs(s) {
				t.Errorf("%s: %q: we say %v", f.name, s, f.is(s))
			}
			if f.is(s) {
				good++
			}
		}
		if good == 0 || good == len(formatSamples) {
			t.Errorf("%s: %d of %d samples", f.name, good, len(formatSamples))
		}
		rapid.Check(t, func(t *rapid.T) {
			s := []rune(rapid.SampledFrom(formatSamples).Draw(t, "text"))
			letters := rapid.SampledFrom([]rune("0123456789abcfgPTYMDWHSZz:.-+/~#@[]% _{}é"))
			for range rapid.IntRange(1, 3).Draw(t, "changes") {
				at := rapid.IntRange(0, len(s)).Draw(t, "at")
				drop := rapid.IntRange(0, min(1, len(s)-at)).Draw(t, "drop")
				s = append(append(append([]rune{}, s[:at]...), rapid.SliceOfN(letters, 0, 2).Draw(t, "letters")...), s[at+drop:]...)
			}
			text := string(s)
			if wrong := libraryTakes[f.name]; wrong != nil && wrong.MatchString(text) {
				return
			}
			if f.is(text) != theirs(text) {
				t.Fatalf("%s: %q: we say %v", f.name, text, f.is(text))
			}
		})
	}
}

func TestASignIsNoDigitOfATime(t *testing.T) {
	for text, want := range map[string]bool{"12:00:00Z": true, "+1:00:00Z": false, "12:+1:00Z": false, "12:00:-0Z": false, "12:00:00++1:00": false, "12:00:00-01:-0": false} {
		if isTime(text) != want || isDateTime("2024-02-29T"+text) != want {
			t.Errorf("%q: %v, with a date %v", text, isTime(text), isDateTime("2024-02-29T"+text))
		}
	}
}

func TestLabelsBeginWithNoHyphen(t *testing.T) {
	for text, want := range map[string]bool{"a.b": true, "a-b.c-d": true, "-a.b": false, "a.-b": false, "a.b-": false, "a.-": false} {
		if isHostname(text) != want || isEmail("joe@"+text) != want {
			t.Errorf("%q: %v, in an address %v", text, isHostname(text), isEmail("joe@"+text))
		}
	}
}

func TestTemplatesCloseTheirBraces(t *testing.T) {
	for text, want := range map[string]bool{
		"http://a/{b}": true, "{a}{b}/c": true, "a": true, "": true,
		"{a": false, "a}": false, "{{a}}": false, "{a/b}": false, "}{": false, "%": false,
	} {
		if isTemplate(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
