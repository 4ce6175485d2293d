package dataset_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
)

func numbered(n int) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":"set/%d","output":"x","tags":{"parity":"%d","all":""}}`, i, i%2)
	}
	return rows
}

func pick(t testing.TB, rows []string, s dataset.Selection) ([]string, dataset.Totals) {
	t.Helper()
	cases, bad, totals := read(t, strings.Join(rows, "\n"), dataset.Options{Select: s, Format: dataset.JSONL})
	if bad != nil {
		t.Fatal(bad)
	}
	return ids(cases), totals
}

func TestSelection_ChoosesRows(t *testing.T) {
	rows := numbered(12)
	tests := []struct {
		name string
		s    dataset.Selection
		want string
	}{
		{"everything", dataset.Selection{}, "0 1 2 3 4 5 6 7 8 9 10 11"},
		{"the first three", dataset.Selection{To: 3}, "0 1 2"},
		{"a slice", dataset.Selection{From: 4, To: 6}, "4 5"},
		{"a slice beyond the end", dataset.Selection{From: 11, To: 99}, "11"},
		{"a glob", dataset.Selection{Match: "*1"}, "1 11"},
		{"a glob with a slash in it", dataset.Selection{Match: "set/?"}, "0 1 2 3 4 5 6 7 8 9"},
		{"a tag", dataset.Selection{Tags: []string{"parity=1"}}, "1 3 5 7 9 11"},
		{"a tag of any value", dataset.Selection{Tags: []string{"all"}, To: 2}, "0 1"},
		{"two tags", dataset.Selection{Tags: []string{"all", "parity=0"}, From: 1, To: 3}, "2 4"},
		{"a tag that is not there", dataset.Selection{Tags: []string{"none"}}, ""},
		{"ids", dataset.Selection{IDs: map[string]bool{"set/3": true, "set/9": true, "set/1": false, "gone": true}}, "3 9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := pick(t, rows, tt.s)
			var want []string
			for _, n := range strings.Fields(tt.want) {
				want = append(want, "set/"+n)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestSelection_NamesMissingIDs(t *testing.T) {
	_, totals := pick(t, numbered(3), dataset.Selection{IDs: map[string]bool{"gone": true, "set/1": true}})
	if len(totals.Warnings) != 1 || totals.Warnings[0].Code != "ids-unknown" || !strings.Contains(totals.Warnings[0].Message, `"gone"`) {
		t.Errorf("warnings %v", totals.Warnings)
	}
}

func TestSelection_LimitStopsReading(t *testing.T) {
	rows := append(numbered(3), "this is not a row")
	_, totals := pick(t, rows, dataset.Selection{To: 3})
	if totals.Complete || totals.Rows != 3 || totals.Sources[0].Digest != "" {
		t.Errorf("totals %+v", totals)
	}
}

func TestSelection_SampleKeepsOrder(t *testing.T) {
	rows := numbered(500)
	a, totals := pick(t, rows, dataset.Selection{Sample: 20, Seed: 7})
	if len(a) != 20 || totals.Cases != 20 || !totals.Complete {
		t.Fatalf("%d cases, totals %+v", len(a), totals)
	}
	if !slices.IsSortedFunc(a, func(x, y string) int { return number(x) - number(y) }) {
		t.Errorf("the sample is out of order: %v", a)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	b, _ := pick(t, rows, dataset.Selection{Sample: 20, Seed: 7})
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		t.Error("the order of rows changes the sample")
	}
	c, _ := pick(t, rows, dataset.Selection{Sample: 20, Seed: 8})
	slices.Sort(c)
	if slices.Equal(a, c) {
		t.Error("the seed does not change the sample")
	}
	for _, limit := range []int{30, 500, 600} {
		of := numbered(500)
		some, totals := pick(t, of, dataset.Selection{From: 10, To: limit, Sample: 7, Seed: 7})
		want, _ := pick(t, of[10:min(limit, 500)], dataset.Selection{Sample: 7, Seed: 7})
		if !slices.Equal(some, want) || totals.Cases != 7 {
			t.Errorf("of rows 10 to %d: %v, want %v", limit, some, want)
		}
	}
	if all, _ := pick(t, numbered(5), dataset.Selection{Sample: 20}); len(all) != 5 {
		t.Errorf("a sample larger than the dataset: %v", all)
	}
}

func number(id string) (n int) {
	_, _ = fmt.Sscanf(id, "set/%d", &n)
	return n
}

// TestSelection_SampleIsFair draws one of ten, many times: no case comes up far more or
// less often than one time in ten (chi-squared with 9 degrees of freedom stays
// below its 99.99th percentile, 33.7).
func TestSelection_SampleIsFair(t *testing.T) {
	const draws = 2000
	rows, hits := numbered(10), map[string]int{}
	for seed := range uint64(draws) {
		got, _ := pick(t, rows, dataset.Selection{Sample: 1, Seed: seed})
		hits[got[0]]++
	}
	chi := 0.0
	for i := range rows {
		d := float64(hits[fmt.Sprintf("set/%d", i)] - draws/10)
		chi += d * d / (draws / 10)
	}
	if chi > 33.7 {
		t.Errorf("chi-squared %.1f: %v", chi, hits)
	}
}

// TestSelection_LeavesOutUnusableRowsByID: one whose id is not selected is left out, one without a readable id is not.
func TestSelection_LeavesOutUnusableRowsByID(t *testing.T) {
	text := `{"id": "a", "output": "x"}
{"id": "b", "input": "no output"}
not JSON
{"id": "a", "output": "again"}
{"id": "s/1", "sample_of": "p", "input": "no output"}`
	for _, tt := range []struct {
		s          dataset.Selection
		cases, bad int
	}{
		{dataset.Selection{}, 1, 4},
		{dataset.Selection{Match: "a"}, 1, 2},
		{dataset.Selection{Match: "b"}, 0, 2},
		{dataset.Selection{Match: "[ab]"}, 1, 3},
		{dataset.Selection{Match: "p"}, 0, 1},
		{dataset.Selection{Match: "s/*"}, 0, 2},
		{dataset.Selection{IDs: map[string]bool{"b": true, "in:3:1": true}}, 0, 2},
		{dataset.Selection{Tags: []string{"none"}}, 0, 4},
	} {
		cases, bad, _ := read(t, text, dataset.Options{Format: dataset.JSONL, Select: tt.s})
		if len(cases) != tt.cases || len(bad) != tt.bad {
			t.Errorf("%+v: %d cases, %d unusable rows: %v", tt.s, len(cases), len(bad), bad)
		}
	}
}

// TestSelection_ShardsPartition holds shards to the whole: each case and each unusable row
// is in one of them.
func TestSelection_ShardsPartition(t *testing.T) {
	take := func(rows []string, s dataset.Selection) []string {
		cases, bad, _ := read(t, strings.Join(rows, "\n"), dataset.Options{Select: s, Format: dataset.JSONL})
		out := ids(cases)
		for i := range bad {
			out = append(out, bad[i].Pos.String())
		}
		return out
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := dataset.Selection{
			From:   rapid.IntRange(0, 5).Draw(rt, "from"),
			Sample: rapid.IntRange(0, 30).Draw(rt, "sample"),
			Tags:   rapid.SampledFrom([][]string{nil, {"parity=1"}}).Draw(rt, "tags"),
		}
		rows := numbered(60)
		for _, i := range rapid.SliceOf(rapid.IntRange(0, 59)).Draw(rt, "bad") {
			rows[i] = "no row"
		}
		whole := take(rows, s)
		s.Shards = rapid.IntRange(1, 5).Draw(rt, "shards")
		var union []string
		for s.Shard = 1; s.Shard <= s.Shards; s.Shard++ {
			union = append(union, take(rows, s)...)
		}
		slices.Sort(union)
		slices.Sort(whole)
		if !slices.Equal(union, whole) {
			rt.Fatalf("shards make up %v, the whole is %v", union, whole)
		}
	})
}

func TestParseLimit_AndParseShard(t *testing.T) {
	for s, want := range map[string][2]int{"10": {0, 10}, "3:7": {3, 7}, ":7": {0, 7}, "3:": {3, 0}, ":": {0, 0}} {
		if from, to, err := dataset.ParseLimit(s); err != nil || from != want[0] || to != want[1] {
			t.Errorf("ParseLimit(%q) = %d, %d, %v", s, from, to, err)
		}
	}
	for _, s := range []string{"", "0", "-1", "x", "7:3", "3:3", "1:2:3", "99999999999999999999", "1.5"} {
		if _, _, err := dataset.ParseLimit(s); !fault.Is(err, fault.Usage) {
			t.Errorf("ParseLimit(%q): %v", s, err)
		}
	}
	if i, n, err := dataset.ParseShard("2/4"); i != 2 || n != 4 || err != nil {
		t.Errorf("ParseShard = %d, %d, %v", i, n, err)
	}
	for _, s := range []string{"", "0/4", "5/4", "4", "a/b", "1/0", "1/"} {
		if _, _, err := dataset.ParseShard(s); !fault.Is(err, fault.Usage) {
			t.Errorf("ParseShard(%q): %v", s, err)
		}
	}
}
