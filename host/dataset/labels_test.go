package dataset_test

import (
	"slices"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
)

func TestCase_Labels(t *testing.T) {
	row := `{"id":"a","output":"o","lang":"fr","year":2024,"sure":true,"kinds":["x","y"],"nothing":null,"metadata":{"topic":"geo","deep":{"er":1},"lang":"de"},"tags":{"team":"red","urgent":""}}`
	cases, bad, _ := read(t, row+"\n", dataset.Options{Format: dataset.JSONL})
	if len(cases) != 1 {
		t.Fatal(bad)
	}
	for field, want := range map[string][]string{
		"lang": {"fr"}, "metadata.lang": {"de"}, "topic": {"geo"}, "metadata.topic": {"geo"}, "deep.er": {"1"}, "year": {"2024"}, "sure": {"true"},
		"kinds": {"x", "y"}, "tags": {"team=red", "urgent"}, "tags.team": {"red"}, "team": {"red"}, "nothing": nil, "metadata": nil, "no": nil,
	} {
		if got := cases[0].Labels(field); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
}

// TestSelection_TagsMatchAnyField takes columns and metadata for tags, and a tag of the
// name before them.
func TestSelection_TagsMatchAnyField(t *testing.T) {
	rows := []string{`{"id":"a","output":"o","lang":"fr"}`, `{"id":"b","output":"o","metadata":{"lang":"fr"}}`, `{"id":"c","output":"o","tags":["lang=fr"]}`, `{"id":"d","output":"o","lang":["de","fr"]}`, `{"id":"e","output":"o","lang":"de"}`, `{"id":"f","output":"o"}`}
	for _, tt := range []struct {
		tags []string
		want []string
	}{{[]string{"lang=fr"}, []string{"a", "b", "c", "d"}}, {[]string{"lang"}, []string{"a", "b", "c", "d", "e"}}, {[]string{"lang=fr", "lang=de"}, []string{"d"}}, {[]string{"lang="}, nil}} {
		got, _ := pick(t, rows, dataset.Selection{Tags: tt.tags})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.tags, got, tt.want)
		}
	}
}
