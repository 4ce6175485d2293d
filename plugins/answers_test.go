package plugins_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"
)

// TestAnswers_AreThoseOfThePackages runs the scores that Inspect, TRL, verl, math_verify,
// AgentEvals, AgentV and others gave to random cases. A case may be undecided, at most one in
// fifty: never scored otherwise.
func TestAnswers_AreThoseOfThePackages(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../testdata/vectors/answers.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	guests := map[string]*guest{}
	run, undecided := 0, 0
	for s := bufio.NewScanner(z); s.Scan(); run++ {
		var l struct {
			ID, Plugin, Metric string
			Config, Case       json.RawMessage
			Score, Details     any
		}
		d := json.NewDecoder(bytes.NewReader(s.Bytes()))
		d.UseNumber()
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		if guests[l.Plugin] == nil {
			guests[l.Plugin] = newGuest(t, l.Plugin)
		}
		request, err := json.Marshal(map[string]any{"contract": 1, "case": l.Case, "config": l.Config})
		if err != nil {
			t.Fatal(err)
		}
		answer := decode(t, guests[l.Plugin].call(t, l.Metric, request))
		if answer["unscored"] != nil {
			undecided++
			continue
		}
		want := map[string]any{"score": l.Score}
		if l.Details != nil {
			want = map[string]any{"details": l.Details}
		}
		if s := differ(want, answer, 1e-9); s != "" {
			t.Errorf("%s: %s\n%s", l.ID, s, request)
		}
	}
	if run != 1989 || undecided > run/50 {
		t.Errorf("%d lines, %d undecided", run, undecided)
	}
}
