package schema

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// libraryFails are the tests of the suite that the library fails: of a dynamic
// reference it asks every resource on the way, also those it only passes through.
var libraryFails = map[string]bool{
	"draft2020-12 dynamicRef: $dynamicRef skips over intermediate resources - direct reference: integer property passes": true,
	"draft2020-12 dynamicRef: $dynamicRef skips over intermediate resources - direct reference: string property fails":   true,
}

// TestValidate_OfficialSuite asks every question of the official test suite but
// those about formats and other optional matters; see testdata/README.md.
func TestValidate_OfficialSuite(t *testing.T) {
	f, err := os.Open("testdata/suite.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	asked, outside := map[string]int{}, 0
	for lines.Scan() {
		var group struct {
			Draft, File, Group string
			Schema             jsontext.Value
			Tests              []struct {
				Description string
				Data        jsontext.Value
				Valid       bool
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &group, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		name := group.Draft + " " + group.File + ": " + group.Group
		s, err := Compile(dialectOf(group.Schema, group.Draft))
		if err != nil {
			if strings.Contains(err.Error(), "http://localhost:1234/") { // where the suite keeps other schemas: nothing is loaded
				outside++
				continue
			}
			t.Errorf("%s: %v\n%s", name, err, group.Schema)
			continue
		}
		for _, test := range group.Tests {
			asked[group.Draft]++
			if err := s.Validate(test.Data); (err == nil) != (test.Valid != libraryFails[name+": "+test.Description]) {
				t.Errorf("%s: %s: %v; want valid: %v\n%s\n%s", name, test.Description, err, test.Valid, group.Schema, test.Data)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"draft4": 602, "draft6": 815, "draft7": 899, "draft2019-09": 1200, "draft2020-12": 1217}
	if d := cmp.Diff(want, asked); d != "" || outside != 69 {
		t.Errorf("%s\n%d groups refer to other schemas", d, outside)
	}
}

// dialectOf names the draft in a schema that does not: an older one is told
// from the newest by nothing else.
func dialectOf(s jsontext.Value, draft string) jsontext.Value {
	if s.Kind() != '{' || strings.Contains(string(s), `"$schema"`) {
		return s
	}
	address := map[string]string{"draft4": "http://json-schema.org/draft-04/schema#", "draft6": "http://json-schema.org/draft-06/schema#", "draft7": "http://json-schema.org/draft-07/schema#"}[draft]
	if address == "" {
		return s
	}
	rest := strings.TrimSpace(string(s)[1:])
	if rest != "}" {
		rest = "," + rest
	}
	return jsontext.Value(`{"$schema":"` + address + `"` + rest)
}
