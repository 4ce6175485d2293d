package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/metarubric"
)

// dataknobs-bots 0.6.9. A scoring function "module:function" is a plugin and its
// export (SCORING.md 2.3): here a WebAssembly module that is made for the row, whose
// exports answer with the results of the functions.
var dataknobsSeeds = seedSystem{
	name:     dialect.Dataknobs,
	upstream: dataknobsUpstream,
	run:      runDataknobs,
	ours:     dataknobsOurs,
}

func runDataknobs(t *testing.T, row *seedRow) facts {
	if row.Area == "registry" {
		return runRegistry(t, row)
	}
	if row.Input["op"] == "artifact" {
		return runArtifact(t, row)
	}
	a := &asking{dir: t.TempDir(), speaks: dialect.Dataknobs}
	if row.Rubric != nil {
		a.file, a.source = row.fileName(), row.Rubric.text()
	}
	if row.Input["op"] == "load" {
		doc, err := a.load(t)
		return (&answered{doc: doc, err: err}).facts(t).and(loadedLevels(doc))
	}
	if row.Input["op"] == "meta" {
		a.source, a.file = metaRubric(t), "meta.json"
	}
	row.functions(t, a)
	row.schemas(t, a)
	a.fields = map[string]any{"id": "t1", "output": row.Input["target"]}
	if id := textAt(row.Input, "target_id"); id != "" {
		a.fields["id"] = id
	}
	if row.Input["llm"] != nil {
		a.script = row.script(func(text string) string { return text }) // the documented form is ours, too
		a.script.route = func(*llmtest.Call) string { return "decode" }
	}
	before := string(encoded(t, row.Input["target"]))
	got := a.grade(t)
	f := got.facts(t).and(loadedLevels(got.doc)).and(shapedLevels(got))
	f["target_changed"] = before != string(encoded(t, row.Input["target"]))
	if len(got.calls) > 0 {
		f["prompt_hash"] = rendered(t, got.calls[0].User())
	}
	return f
}

// metaRubric is the built-in rubric that grades rubrics, with the function
// references of the package's own.
func metaRubric(t *testing.T) string {
	t.Helper()
	src, _, err := metarubric.Builtin(metarubric.Scheme + metarubric.Name)
	must(t, err)
	theirs := strings.ReplaceAll(string(src), "meta_rubric:check_", "dataknobs_bots.rubrics.meta:check_")
	if theirs == string(src) {
		t.Fatal("the built-in rubric names no function of the plugin")
	}
	return theirs
}

// functions makes the plugins of the row's scoring functions.
func (row *seedRow) functions(t *testing.T, a *asking) {
	t.Helper()
	list, _ := row.Input["functions"].(map[string]any)
	modules := map[string]map[string]string{}
	for ref, f := range list {
		module, export, _ := strings.Cut(ref, ":")
		if modules[module] == nil {
			modules[module] = map[string]string{}
		}
		modules[module][export] = answerOf(t, f, row.Input["target"])
	}
	for module, answers := range modules {
		dir := t.TempDir()
		writePlugin(t, dir, module, answers)
		a.plugins = append(a.plugins, dir)
	}
}

// answerOf is the result of a scoring function on a target: the level that it
// returns, of any type, or its error.
func answerOf(t *testing.T, function, target any) string {
	t.Helper()
	switch textAt(function, "op") {
	case "raise":
		return string(encoded(t, map[string]any{"error": textAt(function, "message")}))
	case "count":
		n := float64(len(listAt(target, textAt(function, "key"))))
		for _, step := range listAt(function, "steps") {
			if level, _ := dig(step, 1); n >= numberAt(step, 0) {
				return string(encoded(t, map[string]any{"level": level}))
			}
		}
	}
	level, _ := dig(function, "level")
	return string(encoded(t, map[string]any{"level": level}))
}

// schemas writes the schema that a document refers to: one that accepts every
// object, as the row's note has it.
func (row *seedRow) schemas(t *testing.T, a *asking) {
	t.Helper()
	for _, ref := range regexp.MustCompile(`"schema_ref":\s*"([^"]*)"`).FindAllStringSubmatch(a.source, -1) {
		path := filepath.Join(a.dir, filepath.FromSlash(ref[1]))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(`{"type": "object"}`), 0o600))
	}
}

// rendered is the package's hash of a prompt: of the template as it was filled
// in, which our message holds between its tags.
func rendered(t *testing.T, message string) string {
	t.Helper()
	m := regexp.MustCompile(`(?s)<task nonce="(\w+)">\n(.*)\n</task nonce="\w+">`).FindStringSubmatch(message)
	if m == nil {
		t.Errorf("the message holds no task: %.200s", message)
		return ""
	}
	sum := sha256.Sum256([]byte(m[2]))
	return hex.EncodeToString(sum[:8])
}

// shapedLevels returns the outcome of a criterion in the system's words. "An unscored
// criterion shows level `error` or `unable_to_evaluate`" (SCORING.md 2.3): the second
// if a judge was asked.
func shapedLevels(a *answered) facts {
	f := facts{}
	if a.row == nil {
		return f
	}
	for _, c := range a.row.Criteria {
		switch {
		case c.Error == nil:
		case c.How != nil && c.How.By == "judge" && c.How.Attempts > 0:
			f["criterion."+c.ID] = "unable_to_evaluate"
		default:
			f["criterion."+c.ID] = "error"
		}
	}
	return f
}

// loadedLevels are the facts of a decoded document.
func loadedLevels(doc *dialect.Document) facts {
	f := facts{}
	if doc == nil || doc.Rubric == nil {
		return f
	}
	r := doc.Rubric
	f["rubric.id"], f["rubric.version"], f["rubric.target_type"], f["rubric.threshold"] = r.ID, r.Version, r.TargetType, r.Pass.Bands[0].Min
	for i, c := range r.Criteria {
		at := fmt.Sprintf("loaded.%d.", i)
		f[at+"id"], f[at+"weight"], f[at+"required"] = c.ID, c.Weight.Value, c.Required
		for j, l := range c.Answer.Levels {
			at := fmt.Sprintf("%slevels.%d.", at, j)
			f[at+"id"], f[at+"score"], f[at+"indicators"] = l.ID, l.Score, float64(len(l.Indicators))
		}
	}
	return f
}

func dataknobsUpstream(row *seedRow, result map[string]any) facts {
	if row.Area == "registry" {
		return registryUpstream(result)
	}
	f := facts{"refused": nil}
	if result["load_error"] != nil {
		f["refused"] = "invalid"
	}
	if loaded, ok := result["loaded"]; ok {
		f.and(documentFacts(loaded))
	}
	if steps, ok := result["steps"]; ok && row.Area == "artifact" {
		return f.and(artifactSteps(steps))
	}
	if levels, ok := result["levels"].(map[string]any); ok { // the meta-rubric
		for id, level := range levels {
			f["criterion."+id] = level
		}
		f.take("score", result, "weighted_score")
		f.take("passed", result, "passed")
	}
	e, ok := result["evaluation"]
	if calls, called := result["calls"]; called && ok {
		f["calls"] = numberAt(calls, "decode")
	}
	f.take("rubric.id", e, "rubric_id")
	f.take("rubric.version", e, "rubric_version")
	f.take("rubric.target_type", e, "target_type")
	f.take("score", e, "weighted_score")
	f.take("passed", e, "passed")
	if row.Input["target_id"] != nil {
		f.take("case", e, "target_id")
	}
	if summary, ok := result["deterministic_summary"]; ok {
		f["feedback"] = summary
	} else if row.Input["llm"] == nil || row.Area == "feedback" || row.Demanded["evaluation.feedback_summary"] != nil {
		f.take("feedback", e, "feedback_summary")
	}
	if after, ok := result["target_after"]; ok {
		f["target_changed"] = fmt.Sprint(after) != fmt.Sprint(row.Input["target"])
	}
	for i, c := range listAt(e, "criterion_results") {
		f.and(criterionResult(row, i, c))
	}
	return f
}

// criterionResult are the facts of one result: of the row's i-th criterion.
func criterionResult(row *seedRow, i int, c any) facts {
	f := facts{}
	whole := row.Expected["evaluation"]
	name := "criterion." + textAt(whole, "criterion_results", i, "criterion_id")
	f.take(name, c, "level_id")
	f.take(name+".value", c, "score")
	f.take("prompt_hash", c, "llm_invocation", "prompt_hash")
	if row.Demanded["evaluation.criterion_results.0.llm_invocation.response_hash"] != nil {
		f.take("response_hash", c, "llm_invocation", "response_hash")
	}
	notes, _ := dig(c, "notes") // the package's own words, apart from the document's corrections
	switch notes.(type) {
	case containing, anything:
		f[name+".note"] = notes
	}
	if evidence, _ := dig(c, "evidence", 0); evidence == (anything{}) {
		f[name+".evidence"] = evidence
	}
	return f
}

func documentFacts(loaded any) facts {
	f := facts{}
	f.take("rubric.id", loaded, "id")
	f.take("rubric.version", loaded, "version")
	f.take("rubric.target_type", loaded, "target_type")
	f.take("rubric.threshold", loaded, "pass_threshold")
	for i, c := range listAt(loaded, "criteria") {
		at := fmt.Sprintf("loaded.%d.", i)
		f.take(at+"id", c, "id")
		f.take(at+"weight", c, "weight")
		f.take(at+"required", c, "required")
		for j, l := range listAt(c, "levels") {
			at := fmt.Sprintf("%slevels.%d.", at, j)
			f.take(at+"id", l, "id")
			f.take(at+"score", l, "score")
			if list, ok := dig(l, "indicators"); ok {
				indicators, _ := list.([]any)
				f[at+"indicators"] = float64(len(indicators))
			}
		}
	}
	return f
}
