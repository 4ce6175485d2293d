package workbench

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
)

// mostCases is how many of a plugin's own cases are probes.
const mostCases = 100

// hostile are rows that no author thinks of, by group.
func hostile() []hostileRow {
	return []hostileRow{
		{"empty", "no fields", `{}`},
		{"empty", "an empty output", `{"output":""}`},
		{"empty", "white space", `{"output":" \n\t\r ","references":[" "]}`},
		{"empty", "null", `{"output":null,"references":null,"input":null}`},
		{"empty", "no references", `{"output":"a word","references":[]}`},
		{"empty", "empty references", `{"output":"a word","references":["",""]}`},
		{"unicode", "letters outside of ASCII", `{"output":"Grüße aus Łódź, Ελλάδα, 日本語 и हिन्दी","references":["Größe"]}`},
		{"unicode", "emoji with joiners", `{"output":"👩‍👩‍👧‍👦🏳️‍🌈 \ud83d\ude00","references":["👩‍👩‍👧‍👦"]}`},
		{"unicode", "combining marks alone", `{"output":"\u0301\u0301\u0327","references":["\u0301"]}`},
		{"unicode", "right to left, with controls", `{"output":"\u202eشكرا\u202c \u2066a\u2069","references":["شكرا"]}`},
		{"unicode", "NUL and escapes", `{"output":"a\u0000b\u001b[31mc\u0007\u2028\ufeff","references":["a\u0000b"]}`},
		{"unicode", "noncharacters and private use", `{"output":"\uffff\ufdd0\ue000\udbff\udfff","references":["\uffff"]}`},
		{"unicode", "digits of other scripts", `{"output":"١٢٣ ４５６ ²³","references":["123"]}`},
		{"unicode", "JSON within", `{"output":"{\"score\": 1} \\ \" </script>","references":["{\"score\": 0}"]}`},
		{"huge", "one long word", `{"output":"` + strings.Repeat("x", 1<<18) + `","references":["` + strings.Repeat("y", 1<<18) + `"]}`},
		{"huge", "many words", `{"output":"` + strings.Repeat("many words of text. ", 1<<13) + `","references":["` + strings.Repeat("words of many texts. ", 1<<13) + `"]}`},
		{"huge", "many lines", `{"output":"` + strings.Repeat("a line\\n", 1<<13) + `","references":["a line"]}`},
		{"huge", "many references", `{"output":"a b c","references":[` + strings.Repeat(`"a b c d",`, 1<<10) + `"e"]}`},
		{"huge", "brackets", `{"output":"` + strings.Repeat("(", 1<<14) + `","references":["` + strings.Repeat("[", 1<<14) + `"]}`},
	}
}

type hostileRow struct{ group, name, text string }

// configs are invalid configurations.
var configs = []string{
	`{"no_such_key":1}`, `{"":""}`, `{"variant":[]}`, `{"pattern":"("}`, `{"patterns":["(a*)*b"]}`, `{"n":-1}`, `{"n":1e308}`,
	`{"max_ngram_order":1000000}`, `{"texts":{"a":1}}`, `{"mode":"any\u0000"}`, `{"lowercase":"yes"}`, `{"depth":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}`,
}

// probes are all calls of a check, for every export.
func (w *Workbench) probes() ([]probe, error) {
	exports := w.Scorers()
	var out []probe
	add := func(group, name, export string, row *dataset.Case, config jsontext.Value) {
		out = append(out, probe{group: group, name: strings.TrimSpace(export + " of " + name), export: export, row: row, config: config})
	}
	for _, r := range hostile() {
		row, err := dataset.FromJSON(jsontext.Value(r.text), diag.Pos{File: r.name})
		if err != nil {
			return nil, fmt.Errorf("probe %q: %w", r.name, err)
		}
		for _, e := range exports {
			add(r.group, r.name, e, row, nil)
		}
	}
	plain, err := dataset.FromJSON(jsontext.Value(`{"output":"a word or two","references":["two words"],"input":"say it"}`), diag.Pos{})
	if err != nil {
		return nil, err
	}
	for _, c := range configs {
		for _, e := range exports {
			add("config", "the configuration "+short(jsontext.Value(c)), e, plain, jsontext.Value(c))
		}
	}
	for i := range w.cases[:min(len(w.cases), mostCases)] {
		c := &w.cases[i]
		out = append(out, probe{group: "cases", name: c.Name, export: c.Export, config: c.Config, told: c.Criterion, row: c.row})
	}
	return out, nil
}

// Scorers returns the exports that can be called.
func (w *Workbench) Scorers() []string {
	if names := w.plugin.Manifest.ExportNames(); len(names) > 0 {
		return names
	}
	return w.module.Exports()
}
