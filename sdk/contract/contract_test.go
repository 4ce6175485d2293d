package contract_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"

	_ "github.com/rubric-host/rubric-host/host/amount" // less garbage collection
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/schema"
	"github.com/rubric-host/rubric-host/sdk/contract"
)

func compile(t testing.TB, name string) *schema.Schema {
	t.Helper()
	text, err := contract.Schema(name)
	must(t, err)
	s, err := schema.Compile(jsontext.Value(text))
	must(t, err)
	return s
}

// A fixture is a line of testdata/abi.
type fixture struct {
	Name    string `json:"name"`
	Request string `json:"request"`
	Answer  string `json:"answer"`
	Hex     string `json:"hex"`
	Outcome string `json:"outcome"`

	More jsontext.Value `json:",inline"`
}

func fixtures(t *testing.T, name string) []fixture {
	t.Helper()
	text, err := os.ReadFile("../../testdata/abi/" + name)
	must(t, err)
	var out []fixture
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var f fixture
		must(t, json.Unmarshal(lines.Bytes(), &f))
		out = append(out, f)
	}
	if len(out) == 0 {
		t.Fatal("no fixtures")
	}
	return out
}

func TestSchemas_RequestFixturesAreValid(t *testing.T) {
	// A guest takes these, and no host sends them.
	lenient := []string{"no config", "config is null"}
	s := compile(t, "request")
	for _, f := range fixtures(t, "requests.jsonl") {
		err := s.Validate(jsontext.Value(f.Request))
		if want := f.Outcome == "ok" && !slices.Contains(lenient, f.Name); (err == nil) != want {
			t.Errorf("%s: %v; want valid: %v", f.Name, err, want)
		}
	}
}

func TestSchemas_AnswerFixturesAreValid(t *testing.T) {
	// The range is the manifest's; the reader checks which numbers are valid.
	untold := []string{"too large for a double", "above the range", "below the range", "above a range of its own"}
	s := compile(t, "answer")
	valid := 0
	for _, f := range fixtures(t, "answers.jsonl") {
		text := []byte(f.Answer)
		if f.Hex != "" {
			var err error
			if text, err = hex.DecodeString(f.Hex); err != nil {
				t.Fatal(err)
			}
		}
		err := s.Validate(jsontext.Value(text))
		if want := f.Outcome != "protocol" || slices.Contains(untold, f.Name); (err == nil) != want {
			t.Errorf("%s: %v; want valid: %v", f.Name, err, want)
		}
		if err == nil {
			valid++
		}
		if _, hostErr := metric.ParseAnswer(text); err != nil && hostErr == nil {
			t.Errorf("%s: the schema refuses what the host reads: %v", f.Name, err)
		}
	}
	if valid == 0 {
		t.Error("nothing is valid")
	}
}

func TestSchemas_ARequestIsOfItsKind(t *testing.T) {
	s := compile(t, "request")
	for text, valid := range map[string]bool{
		`{"contract":1,"kind":"metric","config":{},"case":{}}`:                                                                      true,
		`{"contract":1,"kind":"metric","config":{},"case":{},"criterion":{"id":"a"}}`:                                               false,
		`{"contract":1,"kind":"scorer","config":{},"case":{},"criterion":{"id":"a"}}`:                                               true,
		`{"contract":1,"kind":"scorer","config":{},"case":{}}`:                                                                      false,
		`{"contract":1,"kind":"judge","config":{},"case":{"references":["a"]},"criterion":{"id":"a"}}`:                              true,
		`{"contract":1,"kind":"judge","config":{},"case":{"references":"a"},"criterion":{"id":"a"}}`:                                false,
		`{"contract":1,"kind":"judge","config":{},"case":{},"criterion":{"id":"a"},"stats":[1]}`:                                    false,
		`{"contract":1,"kind":"corpus","config":{},"stats":[1]}`:                                                                    true,
		`{"contract":1,"kind":"corpus","config":{},"stats":[1],"case":{}}`:                                                          false,
		`{"contract":1,"kind":"corpus","config":{}}`:                                                                                false,
		`{"contract":1,"kind":"check","config":{},"case":{}}`:                                                                       false,
		`{"contract":1,"kind":"check","config":{},"case":{"target":{}},"criterion":{"id":"a"}}`:                                     true,
		`{"contract":1,"kind":"aggregator","config":{},"case":{}}`:                                                                  false,
		`{"contract":2,"kind":"metric","config":{},"case":{}}`:                                                                      false,
		`{"contract":1,"kind":"scorer","config":{},"case":{},"criterion":{"id":"a","levels":[{"id":"x","score":1.5}]}}`:             false,
		`{"contract":1,"kind":"scorer","config":{},"case":{},"criterion":{"id":"a","levels":[{"id":"x","score":1,"label":"the"}]}}`: true,
	} {
		if err := s.Validate(jsontext.Value(text)); (err == nil) != valid {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// asJSON turns a YAML document into JSON.
func asJSON(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var v map[string]any
	must(t, yaml.Unmarshal(text, &v))
	return v
}

func TestSchemas_ManifestsAgreeWithTheHost(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	s := compile(t, "manifest")
	files, err := filepath.Glob("../../plugins/*/plugin.yaml")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	agree := func(name string, v map[string]any, want bool) {
		t.Helper()
		text, err := json.Marshal(v, json.Deterministic(true))
		must(t, err)
		_, hostErr := plugin.ParseManifest("m", text)
		schemaErr := s.Validate(text)
		if (hostErr == nil) != want || (schemaErr == nil) != want {
			t.Errorf("%s: the host: %v; the schema: %v; want valid: %v", name, hostErr, schemaErr, want)
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		v := asJSON(t, text)
		agree(file, v, true)
		for key, value := range v {
			delete(v, key)
			agree(file+" without "+key, v, key != "plugin")
			v[key+"x"] = value
			agree(file+" with "+key+" misspelt", v, false)
			delete(v, key+"x")
			v[key] = []any{[]any{}}
			agree(file+" with a list of lists for "+key, v, false)
			v[key] = value
		}
	}
	text, err := os.ReadFile("testdata/manifest.json") // .ci/schemas shows it to validators of other makes
	must(t, err)
	good := string(text)
	agree("everything", asJSON(t, text), true)
	agree("a script", map[string]any{"plugin": "a", "runtime": "js", "script": "score.js"}, true)
	agree("a script of no runtime", map[string]any{"plugin": "a", "runtime": "jss", "script": "score.js"}, false)
	agree("a script elsewhere", map[string]any{"plugin": "a", "runtime": "js", "script": "../score.js"}, false)
	for _, change := range []struct{ from, to string }{
		{`"everything",`, `"Everything",`}, {"1.0.0-rc.1", "1.0"}, {`"judge"`, `"juge"`}, {"everything.wasm", "../a.wasm"}, {`["output", "references"]`, `[1]`}, {"[0, 1]", "[0]"}, {"[0, 1]", "[0, 1, 2]"}, {"false", `"no"`},
		{`"schema": {"type": "object"}`, `"schema": []`}, {`"schema": {`, `"schemas": {`}, {`"its summary alone"`, `1`}, {`"scorer"`, `"corpus"`}, {`[-1, 2.5]`, `["a", "b"]`}, {`"corpus": "c"`, `"corpus": 1`}, {`["clock"]`, `"clock"`},
	} {
		text := strings.Replace(good, change.from, change.to, 1)
		if text == good {
			t.Fatalf("nothing is %s", change.from)
		}
		agree(change.to, asJSON(t, []byte(text)), false)
	}
}

func TestSchemas_NamesAMissingSchema(t *testing.T) {
	if _, err := contract.Schema("response"); err == nil || !strings.Contains(err.Error(), "[request answer manifest]") {
		t.Error(err)
	}
	if contract.Version != metric.ContractVersion {
		t.Errorf("version %d, the host's is %d", contract.Version, metric.ContractVersion)
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
