package tools

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

func migrate(t *testing.T, src, toVersion string) *Migration {
	t.Helper()
	m, err := Migrate("old.yaml", []byte(src), toVersion)
	must(t, err)
	return m
}

func TestMigrate_UpdatesAnOldDocument(t *testing.T) {
	src := `# An old rubric
name: old   # its name
domain: coding
scale: {min: 0, max: 10}
criteria:
  # the first one
  - name: right
    description: Is it right?
    weight: 3
    examples:
      good:
        - {input: q, output: a, score: 8}
        - {input: q, output: b, score: 7, explanation: Because}
  - name: fast
    weight: 1 # less
    description: Is it fast?
`
	want := `# An old rubric
name: old # its name
version: 1.0.0
domain: code
scale: {min: 0, max: 10}
criteria:
  # the first one
  - name: right
    description: Is it right?
    weight: 0.75
    examples:
      good:
        - {input: q, output: a, score: 8, explanation: No explanation was given.}
        - {input: q, output: b, score: 7, explanation: Because}
  - name: fast
    weight: 0.25 # less
    description: Is it fast?
`
	m := migrate(t, src, "")
	if string(m.Output) != want {
		t.Errorf("got\n%s", m.Output)
	}
	if len(m.Remaining) > 0 {
		t.Errorf("remaining: %v", m.Remaining)
	}
	var got []string
	for _, c := range m.Changes {
		got = append(got, c.Pos.String()+" "+c.Path+": "+c.Before+" -> "+c.After)
		if c.Why == "" {
			t.Errorf("%s does not say why", c.Path)
		}
	}
	wantChanges := []string{
		"old.yaml:2:1 version:  -> 1.0.0",
		"old.yaml:3:9 domain: coding -> code",
		"old.yaml:9:13 criteria[0].weight: 3 -> 0.75",
		"old.yaml:15:13 criteria[1].weight: 1 -> 0.25",
		"old.yaml:12:11 criteria[0].examples.good[0].explanation:  -> " + missingExplanation,
	}
	if d := cmp.Diff(wantChanges, got); d != "" {
		t.Errorf("changes (-want +got)\n%s", d)
	}
	if again := migrate(t, string(m.Output), ""); len(again.Changes) > 0 || string(again.Output) != want {
		t.Errorf("migrating again changes %v", again.Changes)
	}
}

func TestMigrate_SetsTheVersion(t *testing.T) {
	tests := []struct{ name, have, to, want string }{
		{"as asked", `"1.2.3"`, "2.0.0", "2.0.0"},
		{"two numbers get a third", `"1.2"`, "", "1.2.0"},
		{"one number gets two", "2", "", "2.0.0"},
		{"a leading v goes", "v1.4.7", "", "1.4.7"},
		{"a tail goes", `"1.0.0-beta"`, "", "1.0.0"},
		{"a number is text", "1.5", "", "1.5.0"},
		{"no number at all", "first", "", "1.0.0"},
		{"a fine one stays", "3.2.1", "", "3.2.1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := migrate(t, "name: a\nversion: "+tt.have+"\nscale: {min: 0, max: 1}\ncriteria: [{name: b, description: c, weight: 1}]\n", tt.to)
			doc, err := dialect.Decode("", m.Output, dialect.Options{})
			if err != nil || doc.Rubric.Version != tt.want {
				t.Errorf("%v\n%s", err, m.Output)
			}
		})
	}
	if _, err := Migrate("", []byte("name: a\ncriteria: []"), "2"); fault.Of(err) != fault.Usage {
		t.Errorf("a version of one number: %v", err)
	}
}

func TestMigrate_MapsDomains(t *testing.T) {
	for have, want := range map[string]string{
		"Code": "code", "chat": "dialogue", "Creative Writing": "creative_writing", "maths": "general", "math": "reasoning", "customer-support": "dialogue", "legal": "general", "general": "general",
	} {
		m := migrate(t, "name: a\nversion: 1.0.0\ndomain: "+have+"\nscale: {min: 0, max: 1}\ncriteria: [{name: b, description: c, weight: 1}]\n", "")
		doc, err := dialect.Decode("", m.Output, dialect.Options{})
		if err != nil || doc.Rubric.Domain != want {
			t.Errorf("%s: %v\n%s", have, err, m.Output)
		}
	}
}

func TestMigrate_RescalesWeightsExactly(t *testing.T) {
	tests := []struct {
		name    string
		weights []string
		want    []string
	}{
		{"shares that end", []string{"3", "1", "1"}, []string{"0.6", "0.2", "0.2"}},
		{"per cent", []string{"50", "30", "20"}, []string{"0.5", "0.3", "0.2"}},
		{"thirds sum to 1 to the last place", []string{"1", "1", "1"}, []string{"0.333333333334", "0.333333333333", "0.333333333333"}},
		{"decimals are taken as written, not as floats", []string{"0.1", "0.2"}, []string{"0.333333333333", "0.666666666667"}},
		{"numbers in quotes", []string{`"0.5"`, "0.5"}, []string{"0.5", "0.5"}},
		{"a sum of 1 stays as it is written", []string{"0.50", "0.5"}, []string{"0.50", "0.5"}},
		{"so does one within the tolerance", []string{"0.333333", "0.333333", "0.333334"}, []string{"0.333333", "0.333333", "0.333334"}},
		{"zeros stay zeros", []string{"0", "4"}, []string{"0", "1"}},
		{"no weights at all are equal ones", []string{"", ""}, []string{"0.5", "0.5"}},
		{"some without a weight are left to their author", []string{"2", ""}, nil},
		{"negative ones too", []string{"2", "-1"}, nil},
		{"and words", []string{"high", "1"}, nil},
		{"and nothing but zeros", []string{"0", "0"}, nil},
		{"and what is not a plain number", []string{"1e999", "1"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := "name: a\nversion: 1.0.0\nscale: {min: 0, max: 1}\ncriteria:\n"
			for i, w := range tt.weights {
				src += "  - {name: c" + string(rune('0'+i)) + ", description: d"
				if w != "" {
					src += ", weight: " + w
				}
				src += "}\n"
			}
			m := migrate(t, src, "")
			if tt.want == nil {
				if len(m.Remaining) == 0 || len(m.Changes) > 0 {
					t.Errorf("%v, remaining %v", m.Changes, m.Remaining)
				}
				return
			}
			var got []string
			for _, c := range treeOf(t, m.Output).Get("criteria").Items {
				got = append(got, c.Get("weight").Value)
			}
			if d := cmp.Diff(tt.want, got); d != "" || len(m.Remaining) > 0 {
				t.Errorf("(-want +got)\n%s%v", d, m.Remaining)
			}
		})
	}
}

func TestMigrate_KeepsJSON(t *testing.T) {
	m, err := Migrate("old.json", []byte(`{"criteria": [{"weight": 2, "name": "b", "description": "c"}], "name": "a", "scale": {"min": 0, "max": 1}}`), "")
	must(t, err)
	want := "{\n  \"criteria\": [\n    {\n      \"weight\": 1,\n      \"name\": \"b\",\n      \"description\": \"c\"\n    }\n  ],\n  \"name\": \"a\",\n  \"version\": \"1.0.0\",\n  \"scale\": {\n    \"min\": 0,\n    \"max\": 1\n  }\n}\n"
	if string(m.Output) != want {
		t.Errorf("got\n%s", m.Output)
	}
}

func TestMigrate_ReportsWhatOnlyTheAuthorCanDecide(t *testing.T) {
	m := migrate(t, "name: a\ncriteria: [{name: b, description: c, weight: 1, colour: red}]\n", "")
	codes := map[string]bool{}
	for _, d := range m.Remaining {
		codes[d.Code] = true
	}
	if !codes["key-missing"] || !codes["unknown-key"] || len(m.Output) == 0 {
		t.Errorf("%v", m.Remaining)
	}
}

func TestMigrate_RefusesOtherDocuments(t *testing.T) {
	for _, src := range []string{"- {weight: 1, requirement: a}", "apiVersion: v1", "[", "", "name: a\nname: b\ncriteria: []"} {
		if _, err := Migrate("", []byte(src), ""); len(diag.In(err)) == 0 {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func TestMigrate_LeavesCurrentDocuments(t *testing.T) {
	files, err := filepath.Glob("../testdata/openrubricrl/*.*")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		must(t, err)
		m, err := Migrate(file, src, "")
		if err != nil || len(m.Changes) > 0 || len(m.Remaining) > 0 {
			t.Errorf("%s: %v %v %v", file, err, m.Changes, m.Remaining)
		}
	}
}

// treeOf reads a tree, or fails the test.
func treeOf(t *testing.T, src []byte) *document.Node {
	t.Helper()
	read, err := dialect.Read("", src, "")
	must(t, err)
	return read.Root
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
