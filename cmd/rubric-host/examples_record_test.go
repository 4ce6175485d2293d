package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"go.yaml.in/yaml/v4"

	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

// Files of an example whose judge is recorded.
const (
	opinionsFile  = "opinions.yaml"
	recordingFile = "calls.jsonl"
)

// An opinion is the recorded judge's verdict on one output.
type opinion struct {
	Output   string    `yaml:"output"`   // a part of the text that is graded
	Criteria judgments `yaml:"criteria"` // by a part of the criterion's text
	Overall  *verdict  `yaml:"overall"`  // of the whole rubric

	// The answer to a question that is not judging: one with the text Asked.
	Asked string `yaml:"asked"`
	Says  string `yaml:"says"`
	said  bool
}

// A verdict is written [verdict, reason].
type verdict struct {
	Verdict any
	Reason  string
	used    bool
}

// judgments are verdicts in the order written.
type judgments []judgment

type judgment struct {
	criterion string
	verdict
}

func (v *verdict) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
		return fmt.Errorf("line %d: write [verdict, reason]", n.Line)
	}
	return errors.Join(n.Content[0].Decode(&v.Verdict), n.Content[1].Decode(&v.Reason))
}

func (j *judgments) UnmarshalYAML(n *yaml.Node) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		one := judgment{criterion: n.Content[i].Value}
		if err := n.Content[i+1].Decode(&one.verdict); err != nil {
			return err
		}
		*j = append(*j, one)
	}
	return nil
}

// testRecording holds the recording of an example to its opinions. With -update
// it makes the recording first: the commands of the README ask a real endpoint,
// which answers by the opinions.
func testRecording(t *testing.T, readme string) {
	dir := filepath.Dir(readme)
	text, err := os.ReadFile(filepath.Join(dir, opinionsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	must(t, err)
	var opinions []opinion
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&opinions); err != nil {
		t.Fatalf("%s: %v", opinionsFile, err)
	}
	if updating() {
		record(t, readme, opinions)
	}
	for _, c := range recorded(t, filepath.Join(dir, recordingFile)) {
		want, _, err := answer(opinions, c.Request.User)
		if err != nil {
			t.Errorf("%s: %v", recordingFile, err)
		} else if want != c.Answer.Text {
			t.Errorf("%s says %s\n%s says %s\nrun go test ./cmd/rubric-host -run TestExamples -update", recordingFile, c.Answer.Text, opinionsFile, want)
		}
	}
	for i := range opinions {
		if opinions[i].Asked != "" && !opinions[i].said {
			t.Errorf("%s: nobody asks %q", opinionsFile, opinions[i].Asked)
		}
		for _, v := range opinions[i].verdicts() {
			if !v.used {
				t.Errorf("%s: nobody asks for %v, %q", opinionsFile, v.Verdict, v.Reason)
			}
		}
	}
}

func (o *opinion) verdicts() (list []*verdict) {
	for i := range o.Criteria {
		list = append(list, &o.Criteria[i].verdict)
	}
	if o.Overall != nil {
		list = append(list, o.Overall)
	}
	return list
}

// call has the members of a line of a recording that matter here.
type call struct {
	Digest   string   `json:"digest"`
	Case     string   `json:"case"`
	Content  string   `json:"case_digest"`
	Rubric   string   `json:"rubric"`
	Repeat   int      `json:"repeat"`
	Criteria []string `json:"criteria"`
	Attempt  int      `json:"attempt"`
	Request  struct {
		User string `json:"user"`
	} `json:"request"`
	Answer struct {
		Text string `json:"text"`
	} `json:"answer"`
	line []byte
}

// identity is the key by which a replay finds the call.
func (c *call) identity() string {
	return fmt.Sprintf("%s %d %q %s %q %d %s", c.Digest, c.Repeat, c.Case, c.Content, c.Criteria, c.Attempt, c.Rubric)
}

// timeless matches the members of a line that are different every time.
var timeless = regexp.MustCompile(`,"started":"[^"]*"|,"latency_ms":\d+|,"round":\d+`)

func recorded(t *testing.T, file string) (list []call) {
	b, err := os.ReadFile(file)
	must(t, err)
	for line := range bytes.Lines(b) {
		c := call{line: line}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		list = append(list, c)
	}
	return list
}

// record runs the commands of a README against an endpoint that answers by the
// opinions, and records every question once, in the order of the opinions.
func record(t *testing.T, readme string, opinions []opinion) {
	dir, file := workplace(t, readme), filepath.Join(t.TempDir(), recordingFile)
	askAnew(t, filepath.Join(dir, "rubric-host.yaml"))
	server := llmtest.New(t, func(c llmtest.Call) llmtest.Answer {
		text, _, err := answer(opinions, c.User())
		if err != nil {
			t.Errorf("%v in:\n%s", err, c.User())
			return llmtest.Answer{Status: 400}
		}
		return llmtest.Answer{Text: text, Model: "example-judge"}
	})
	text, err := os.ReadFile(readme)
	must(t, err)
	for _, b := range block.FindAllSubmatch(text, -1) {
		for _, step := range steps(string(b[1])) {
			run(t, dir, step.command, "OPENAI_BASE_URL="+server.URL+"/v1", "OPENAI_API_KEY=sk-of-the-examples",
				"RUBRIC_HOST_JUDGE=openai:example-judge", "RUBRIC_HOST_RECORD="+file, "RUBRIC_HOST_CONCURRENCY=1")
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	calls := recorded(t, file)
	place := func(c call) int {
		_, n, err := answer(opinions, c.Request.User)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	slices.SortStableFunc(calls, func(a, b call) int {
		if n := place(a) - place(b); n != 0 {
			return n
		}
		return strings.Compare(a.identity(), b.identity())
	})
	calls = slices.CompactFunc(calls, func(a, b call) bool { return a.identity() == b.identity() })
	var out []byte
	for _, c := range calls {
		out = append(out, timeless.ReplaceAll(c.line, nil)...)
	}
	must(t, os.WriteFile(filepath.Join(filepath.Dir(readme), recordingFile), out, 0o644))
}

// askAnew takes the recording out of a configuration file.
func askAnew(t *testing.T, file string) {
	b, err := os.ReadFile(file)
	must(t, err)
	changed := regexp.MustCompile(`(?m)^replay:.*\n`).ReplaceAll(b, nil)
	must(t, os.WriteFile(file, changed, 0o644))
}

// asked matches the criteria of a question: one, or several with their keys.
var asked = regexp.MustCompile(`(?s)<criterion(?: id="([^"]*)"[^>]*)?>\n(.*?)</criterion>`)

// answer answers a question of the judge by the opinions, and says how far down
// in the file the first of them stands.
func answer(opinions []opinion, question string) (text string, place int, err error) {
	if !strings.Contains(question, "<criterion") {
		i, err := only(len(opinions), func(i int) bool { return opinions[i].Asked != "" && strings.Contains(question, opinions[i].Asked) }, "question")
		if err != nil {
			return "", 0, err
		}
		opinions[i].said = true
		return opinions[i].Says, i << 16, nil
	}
	graded := question[strings.LastIndex(question, "</criterion>")+1:]
	if i := strings.Index(graded, "<response nonce="); i >= 0 { // references may say the same
		graded = graded[i:]
	}
	i, err := only(len(opinions), func(i int) bool { return opinions[i].Asked == "" && strings.Contains(graded, opinions[i].Output) }, "output")
	if err != nil {
		return "", 0, err
	}
	o := &opinions[i]
	type said struct {
		Reason  string `json:"reason"`
		Verdict any    `json:"verdict"`
	}
	take := func(v *verdict) said {
		v.used = true
		return said{v.Reason, v.Verdict}
	}
	var form any
	switch questions := asked.FindAllStringSubmatch(question, -1); {
	case strings.Contains(question, "<rubric>\n"):
		if o.Overall == nil {
			return "", 0, fmt.Errorf("no overall opinion on %q", o.Output)
		}
		form, place = take(o.Overall), len(o.Criteria)
	default:
		verdicts := map[string]said{}
		for n, q := range questions {
			j, err := only(len(o.Criteria), func(j int) bool { return strings.Contains(q[2], o.Criteria[j].criterion) }, "criterion "+q[2])
			if err != nil {
				return "", 0, fmt.Errorf("%w of %q", err, o.Output)
			}
			verdicts[q[1]] = take(&o.Criteria[j].verdict)
			if n == 0 {
				place = j
			}
		}
		form = verdicts[""]
		if strings.Contains(question, `"level_id"`) { // the form that the rubric asks for
			form = map[string]any{"level_id": verdicts[""].Verdict, "reason": verdicts[""].Reason}
		}
		if strings.Contains(question, "<criteria>\n") {
			keyed := map[string]any{"verdicts": verdicts}
			if strings.Contains(question, `, "overall": `) && o.Overall != nil {
				keyed["overall"] = take(o.Overall).Verdict
			}
			form = keyed
		}
	}
	b, err := json.Marshal(form, json.Deterministic(true))
	return string(b), i<<16 + place, err
}

// only returns the one index that fits.
func only(n int, fits func(int) bool, what string) (int, error) {
	found := -1
	for i := range n {
		if !fits(i) {
			continue
		}
		if found >= 0 {
			return 0, fmt.Errorf("opinions %d and %d both fit the %s", found+1, i+1, what)
		}
		found = i
	}
	if found < 0 {
		return 0, fmt.Errorf("no opinion on the %s", what)
	}
	return found, nil
}
