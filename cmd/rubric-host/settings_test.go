package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// someProgram knows the keys of a configuration. There is one for all tests: cobra keeps a
// program for ever, for the completion of its flags.
var someProgram = sync.OnceValue(func() *program { return newProgram(nil, nil, nil) })

// configured reads a configuration.
func configured(src string) (*settings, error) {
	s := &settings{program: someProgram()}
	file, err := s.parse("c", []byte(src))
	s.values, s.judges = file.values, file.judges
	return s, err
}

func TestConfig_EmptyIsValid(t *testing.T) {
	for _, src := range []string{"", "\n", "# nothing\n", "\xEF\xBB\xBF", "---\n", "{}\n", "\xEF\xBB\xBFlimit: 3\n", "limit: 3\r\n", "unscored: null\n"} {
		if _, err := configured(src); err != nil {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func TestConfig_MeansWhatYAMLMeans(t *testing.T) {
	s, err := configured("%YAML 1.2\n---\nlimit: &a 3\nrepeat: *a\nunscored: null\nplugins: [&b x?, *b]\njudges: {mini: {model: What?, temperature: 1e0}, 7: {model: TRUE}}\n")
	must(t, err)
	for key, want := range map[string]entry{"limit": {line: 3, values: []string{"3"}}, "repeat": {line: 4, values: []string{"3"}}, "unscored": {line: 5, values: []string{"null"}}, "plugins": {line: 6, values: []string{"x?", "x?"}}} {
		if got := s.values[key]; got.line != want.line || !slices.Equal(got.values, want.values) {
			t.Errorf("%s: %v", key, got)
		}
	}
	if j := s.judges["mini"]; j == nil || j.line != 7 || j.endpoint.Model != "What?" || *j.temperature != 1 || s.judges["7"] == nil {
		t.Errorf("%+v", s.judges)
	}
}

// TestConfig_RefusesMistakes leaves YAML to package document.
func TestConfig_RefusesMistakes(t *testing.T) {
	bomb := "plugins:\n- &a0 [x]\n"
	for i := range 40 {
		bomb += fmt.Sprintf("- &a%d [%s]\n", i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", "))
	}
	tests := []struct{ name, src, want string }{
		{"a list", "- limit\n", "c:1:1: error: the configuration must be an object: keys and values, not a list [wrong-type]"},
		{"a text", "limit\n", "the configuration must be an object: keys and values, not the text \"limit\""},
		{"a key without a value", "limit:\nrepeat: 2\n", "limit has no value [value-missing]\n\thint: write a value, or remove the key"},
		{"an object for a value", "limit: {a: 1}\n", "limit must be a value or a list of values, not an object [wrong-type]"},
		{"a list within a list", "plugins: [[a]]\n", "plugins must be a value or a list of values"},
		{"an alias bomb", bomb, "the configuration has more than 50000 elements [too-large]"},
		{"a merge key", "judges:\n  a: &a {model: m}\n  b: {<<: *a}\n", "c:3:7: error: merge keys are not supported [key-type]"},
		{"several things at once", "limit: !x 3\nlimt: 4\n", "c:2:1: error: unknown key \"limt\" in the configuration"},
		{"judges that are a list", "judges: [mini]\n", "judges must be an object: NAME: {model: ..., base_url: ...}, not a list [wrong-type]"},
		{"a judge that is a text", "judges: {mini: gpt}\n", `judges.mini must be an object: judge {model: ..., base_url: ...}, not the text "gpt"`},
		{"a key of a judge without a value", "judges:\n  mini:\n    model:\n", `c:3:5: error: "model" has no value [value-missing]`},
		{"a key of a judge that is a list", "judges: {mini: {model: [a]}}\n", `judges.mini.model must be one value, not a list`},
		{"a key of a judge of another kind", "judges: {mini: {max_tokens: many}}\n", `judges.mini.max_tokens: "many" is not a whole number from 1`},
		{"a limit of 0", "judges: {mini: {attempts: 0}}\n", `judges.mini.attempts: "0" is not a whole number from 1`},
		{"infinity for a price", "judges: {mini: {price_in: .inf}}\n", `judges.mini.price_in: ".inf" is not a number`},
		{"no number for a temperature", "judges: {mini: {temperature: nan}}\n", `"nan" is not a number`},
		{"a key that is a secret", "judges: {mini: {api_key: sk-canary}}\n", "do not put API keys in files [secret]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := configured(tt.src)
			if fault.Of(err) != fault.Invalid || diag.In(err) == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "canary") {
				t.Errorf("%s: %v; want %q", fault.Of(err), err, tt.want)
			}
		})
	}
}

// TestConfig_SuggestsTheKeyThatWasMeant misspells every key in turn.
func TestConfig_SuggestsTheKeyThatWasMeant(t *testing.T) {
	s, _ := configured("")
	for _, key := range append(s.flagNames(), "judges") {
		_, err := configured(key + "q: x\n")
		if want := fmt.Sprintf("unknown key %q in the configuration [unknown-key]\n\thint: did you mean %q?", key+"q", key); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", key, err)
		}
	}
	for key := range judgeKeys {
		_, err := configured("judges: {mini: {" + key + "q: x}}\n")
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("did you mean %q?", key)) {
			t.Errorf("%s: %v", key, err)
		}
	}
}

func FuzzConfiguration(f *testing.F) {
	f.Add("plugins: [a]\njudge: mini\njudges: {mini: {model: m, price_in: 0.5}}\n")
	f.Add("a: &a [*a]\n---\n")
	s, _ := configured("")
	f.Fuzz(func(t *testing.T, src string) {
		if _, err := s.parse("c", []byte(src)); err != nil && (fault.Of(err) != fault.Invalid || diag.In(err) == nil) {
			t.Fatal(err)
		}
	})
}
