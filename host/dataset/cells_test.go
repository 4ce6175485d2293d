package dataset_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
)

// TestCells_ReferencesAreListsOfTexts reads a cell as several references only if it is a list of
// texts: the reference [1,2] is one answer.
func TestCells_ReferencesAreListsOfTexts(t *testing.T) {
	for cell, want := range map[string][]string{
		`"[""a"", ""b""]"`: {"a", "b"},
		`"[1,2]"`:          {"[1,2]"},
		`"[""a"",1]"`:      {`["a",1]`},
		`"{""a"":1}"`:      {`{"a":1}`},
		`"[]"`:             {},
		`"[1,2"`:           {"[1,2"},
		`4.50`:             {"4.50"},
	} {
		cases, bad, _ := drain(t, dataset.Options{Format: dataset.CSV, Paths: []string{"-"}, Stdin: strings.NewReader("id,output,references\na,x," + cell + "\n")})
		if len(bad) > 0 || len(cases) != 1 || !slices.Equal(cases[0].References, want) {
			t.Errorf("%s: %q, want %q (%v)", cell, cases[0].References, want, bad)
		}
	}
}

// TestCells_RefusesADelimiterLine: a first line such as sep=; is a header whose rows are no cases.
func TestCells_RefusesADelimiterLine(t *testing.T) {
	for _, text := range []string{"sep=;\r\nid;output\r\na;x\r\n", "sep=|\nid|output\na|x", "sep=,\nid,output\na,x\n", "sep=\t\nid\toutput\na\tx"} {
		cases, bad, _ := drain(t, dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Format: dataset.CSV})
		if len(bad) == 0 || len(cases) != 0 {
			t.Errorf("%q: %+v, %v", text, cases, bad)
		}
	}
}

// TestCells_EmptyOutputs tells cells that are empty, which are not output, from "".
func TestCells_EmptyOutputs(t *testing.T) {
	long := strings.Repeat("x", 4090) // the end of a line is read apart from its begin
	for _, end := range []string{"\n", "\r\n", ""} {
		for row, want := range map[string]bool{
			"id,output,references\na,,r":              false,
			`id,output,references` + "\n" + `a,"",r`:  true,
			"id,output\na,":                           false,
			"id,output\na,\"\"":                       true,
			"id;output\n\n\na;\"\"":                   true,
			"id,n,output\na,\"b\nc\",":                false,
			"id,n,output\na,\"b\nc\",\"\"":            true,
			"id,n,output\na,\"b\",":                   false,
			"output,id\n,a":                           false,
			"output,id\n\"\",a":                       true,
			"id,response\na,":                         false,
			"id,n,output\na," + long + ",":            false,
			"id,n,output\na," + long + ",\"\"":        true,
			"id,n,output\na," + long[:4073] + ",\"\"": true,
			"id,n,output\na," + long[:4077] + ",\"\"": true,
			"id,n,output\na," + long[:4078] + ",\"\"": true,
			"id,n,output\na," + long[:4079] + ",\"\"": true,
			"id,n,output\na,\"" + long + "\"\"\",":    false,
		} {
			for _, more := range []string{"", "\nb" + strings.Repeat(",y", strings.Count(strings.SplitN(row, "\n", 2)[0], ",")) + "\n"} {
				if strings.Contains(row, ";") && more != "" {
					more = "\nb;y"
				}
				cases, bad, _ := drain(t, dataset.Options{Format: dataset.CSV, Paths: []string{"-"}, Stdin: strings.NewReader(row + end + more)})
				empty := len(cases) > 0 && cases[0].HasOutput && cases[0].Output == ""
				if want != empty || !want && (len(bad) != 1 || bad[0].Code != "output-missing" || !strings.Contains(bad[0].Hint, `write ""`)) {
					t.Errorf("%.60q%q%q: %+v, %v", row, end, more, cases, bad)
				}
			}
		}
	}
}

func TestOutputs_OutputsThatAreAbsent(t *testing.T) {
	for name, text := range map[string]string{"o.csv": "id,output\na,\nb,\"\"\n", "o.jsonl": `{"id":"a","response":null}` + "\n" + `{"id":"b","output":""}`} {
		outputs, err := dataset.ReadOutputs(name, strings.NewReader(text), "")
		must(t, err)
		cases, bad, _ := drain(t, dataset.Options{Format: dataset.JSONL, Paths: []string{"-"}, Outputs: outputs,
			Stdin: strings.NewReader(`{"id":"a","response":"older"}` + "\n" + `{"id":"b","output":"older"}`)})
		if len(cases) != 1 || cases[0].Output != "" || len(bad) != 1 || !strings.Contains(bad[0].Message, `case "a" has no output in o.`) || !strings.Contains(bad[0].Hint, "null, or an empty cell") {
			t.Errorf("%s: %+v, %v", name, cases, bad)
		}
	}
}
