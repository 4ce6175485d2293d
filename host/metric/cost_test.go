package metric

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// fuelPerMicrosecond is the fuel that compiled code uses on the machine whose times
// the manifests state. It makes their test independent of the machine that runs it.
const fuelPerMicrosecond = 15_000

// TestBuiltinPlugins_CostTheirManifestsTime holds the times that manifests state to the fuel of
// a call with texts of 30 words: within a factor of three above, and four below.
func TestBuiltinPlugins_CostTheirManifestsTime(t *testing.T) {
	const (
		output    = "The committee met on Tuesday to discuss the new budget, and after three hours of debate it agreed to raise spending on schools, roads and hospitals by nearly four percent next year."
		reference = "On Tuesday the committee met to discuss the new budget; after a debate of three hours it agreed to increase spending on schools, roads and hospitals by almost four percent for next year."
	)
	words := map[string]string{}
	vector, logprobs := make([]float32, 768), make([]float32, 30)
	for i, word := range strings.Fields(output) {
		words[strconv.Itoa(i)] = word
	}
	for i := range vector {
		vector[i] = 1 / float32(i+3)
	}
	for i := range logprobs {
		logprobs[i] = -vector[i]
	}
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	pair := func(output, reference string) string {
		return fmt.Sprintf(`{"output":%s,"references":[%s],"context":%[1]s}`, text(output), text(reference))
	}
	object := text(words)
	calls := `[{"tool":"search","args":{"q":"the new budget"}},{"tool":"open","args":{"id":7}}]`
	cases := map[string]string{
		"json": pair(object, object), "json_equal": pair(object, object), "numeric": pair(output+" So 42.", "42"), "choice": pair(output+" (B)", "B"),
		"date": pair(output+" 5 March 2024", "2024-03-05"), "sql_equal": pair("select a, b from t where a = 1 order by c", "SELECT a,b FROM t WHERE a=1 ORDER BY c"),
		"xml": pair("<a>"+output+"</a>", ""), "quotes": pair(`He said "`+output+`"`, output), "cosine": fmt.Sprintf(`{"output_embedding":%s,"reference_embeddings":[%[1]s]}`, text(vector)),
		"perplexity": fmt.Sprintf(`{"output":%s,"logprobs":%s}`, text(output), text(logprobs)),
		"trajectory": `{"tool_calls":` + calls + `,"expected_tool_calls":` + calls + `}`,
	}
	for _, name := range []string{"math", "math_reward", "math_dapo", "gsm8k"} {
		cases[name] = pair(output+` The answer is \boxed{\frac{1}{2}} #### 4`, "1/2")
	}
	for _, name := range []string{"tool_f1", "tool_counts"} {
		cases[name] = cases["trajectory"]
	}
	configs := map[string]string{
		"contains": `{"text":"hospitals"}`, "regex": `{"pattern":"hospitals?"}`, "pattern": `{"pattern":"on (\\w+), (.*?) and"}`, "length": `{"max":100}`, "tool_counts": `{"minimums":{"search":1}}`,
		"msttr": `{"window":10}`, "mattr": `{"window":10}`, "hdd": `{"draws":10}`, "mtld": `{"band":[10,100]}`,
		"lix": `{"band":[20,60]}`, "rix": `{"band":[2,6]}`, "mcalpine_eflaw": `{"band":[2,60]}`, "reading_time": `{"band":[2,60]}`,
	}
	stated := 0
	for _, b := range builtins(t) {
		if strings.HasPrefix(b.Name(), "code-") || b.plugin.Manifest.Kind == KindCheck { // their times are of code, and of rubrics
			continue
		}
		for _, export := range b.plugin.Manifest.ExportNames() {
			s, err := b.plugin.Scorer(export)
			if err != nil {
				t.Fatal(err)
			}
			if s.Kind == KindCheck { // its cases are rubrics
				continue
			}
			number, _, _ := strings.Cut(s.Cost, " µs")
			micros, err := strconv.ParseFloat(number, 64)
			if err != nil {
				t.Errorf("%s: %s: the manifest states the cost %q, want a number of µs", b.Name(), export, s.Cost)
				continue
			}
			stated++
			c := cases[export]
			if c == "" {
				c = pair(output, reference)
			}
			var config jsontext.Value
			if configs[export] != "" {
				config = jsontext.Value(configs[export])
			}
			v, err := newScorer(t, b.Module, b.options(t, export, config)).Score(t.Context(), caseOf(t, c))
			if err != nil {
				t.Errorf("%s: %s: %v", b.Name(), export, err)
				continue
			}
			if spent := float64(v[0].How.Fuel) / fuelPerMicrosecond; spent > 3*micros || spent < micros/4 {
				t.Errorf("%s: %s: the manifest states %g µs, the call used fuel of %.1f µs", b.Name(), export, micros, spent)
			}
		}
	}
	if stated < 60 {
		t.Errorf("only %d metrics state a time", stated)
	}
}
