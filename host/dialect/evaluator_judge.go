package dialect

import (
	"fmt"
	"strings"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// byOutcome is the evaluator that judges the output by the expected outcome of
// its case, with a number from 0 to 1.
func (r *evalReader) byOutcome(name string, t trace) *evaluator {
	c := rubric.Criterion{
		ID: name, Made: true, Weight: rubric.One, Text: outcomeText,
		Answer: rubric.Answer{Kind: rubric.Number, Scale: &rubric.Scale{Min: 0, Max: 1}},
	}
	return &evaluator{name: name, weight: rubric.One, criteria: []rubric.Criterion{c}, alone: true, trace: t}
}

// judgeEvaluator reads an evaluator that asks a model: by rubrics, by a prompt
// of its own, or by the expected outcome.
func (r *evalReader) judgeEvaluator(s *scope, e *evaluator, form string) {
	s.known("target", "model", "temperature", "max_steps", "preprocessors", "config", "cwd")
	if list, path := s.list(may, "rubrics"); len(list) > 0 {
		s.known("prompt") // as upstream: rubrics leave no room for a prompt
		r.items(e, list, path)
		return
	}
	by := r.byOutcome(e.name, e.trace)
	c := &by.criteria[0]
	c.Made, c.Weight = false, e.weight
	c.Ext = map[string]any{"type": form}
	e.criteria, e.alone = by.criteria, true
	prompt, key := s.raw(may, "prompt")
	switch {
	case prompt == nil:
	case prompt.Kind == document.Text && !isPath(prompt.Value):
		c.Ext["prompt"], c.Text = prompt.Value, ""
		c.Scorer = rubric.Binding{Way: rubric.ByJudge, Prompt: &rubric.Prompt{Template: ourVariables(prompt.Value)}}
	default:
		s.d.value(prompt, s.sub(key))
		r.stranger(s, e, form, fmt.Sprintf("the prompt of %q lies in a file or a program, which is not read", e.name))
	}
}

// isPath reports whether a prompt names a file rather than being one.
func isPath(prompt string) bool {
	return strings.HasPrefix(prompt, "file:") || !strings.ContainsAny(strings.TrimSpace(prompt), " \n\t{") && strings.ContainsAny(prompt, "./")
}

// variables maps the names that AgentV and AgentEvals prompts use to the fields
// of a case.
var variables = map[string]string{
	"candidate_answer": "output", "answer": "output", "output_messages": "output",
	"question": "input", "input_messages": "input",
	"reference_answer": "expected_output", "expected_messages": "expected_output",
	"criteria": "expected_outcome",
}

// ourVariables renames the variables of a prompt.
func ourVariables(prompt string) string {
	var out strings.Builder
	for {
		head, rest, open := strings.Cut(prompt, "{{")
		out.WriteString(head)
		inside, tail, closed := strings.Cut(rest, "}}")
		if !open || !closed {
			if open {
				out.WriteString("{{" + rest)
			}
			return out.String()
		}
		if ours, ok := variables[strings.TrimSpace(inside)]; ok {
			inside = " " + ours + " "
		}
		out.WriteString("{{" + inside + "}}")
		prompt = tail
	}
}

// codeEvaluator reads an evaluator that runs a program: here a plugin, under
// the script's path, of the contract's judge kind.
func (r *evalReader) codeEvaluator(s *scope, e *evaluator, form string) {
	script, key := s.raw(must, "script", "command")
	plugin := ""
	if script != nil {
		if plugin = scriptPath(script); plugin == "" {
			s.d.wrong(script, s.sub(key), "text, or a list of texts")
		}
	}
	spelling, config := map[string]any{}, map[string]any{}
	for i := range s.n.Members {
		m := &s.n.Members[i]
		switch m.Key {
		case "name", "type", "weight", "required", "min_score", "negate":
			continue
		}
		v := s.d.value(m.Value, s.sub(m.Key))
		spelling[m.Key] = v
		switch m.Key {
		case "script", "command", "cwd", "target", "preprocessors":
		case "config":
			inner, _ := v.(map[string]any)
			for k, v := range inner {
				config[k] = v
			}
		default: // as upstream: whatever else is written configures the program
			config[m.Key] = v
		}
	}
	s.ignore()
	m := &rubric.Metric{Plugin: plugin, Kind: "judge", Type: form, Spelling: spelling}
	if len(config) > 0 {
		m.Config = config
	}
	e.single(rubric.Binding{Way: rubric.ByMetric, Metric: m})
}

// scriptPath is the program that a script runs: the text, or the part of a
// command line that looks like a path.
func scriptPath(n *node) string {
	var words []string
	switch n.Kind {
	case document.Text:
		words = strings.Fields(n.Value)
	case document.List:
		for _, item := range n.Items {
			if item.Kind != document.Text {
				return ""
			}
			words = append(words, item.Value)
		}
	}
	for _, w := range words {
		if strings.ContainsAny(w, "./") && !strings.HasPrefix(w, "-") {
			return w
		}
	}
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// single makes the evaluator one criterion with a number from 0 to 1.
func (e *evaluator) single(b rubric.Binding) {
	e.alone = true
	e.criteria = []rubric.Criterion{{
		ID: e.name, Weight: e.weight, Scorer: b,
		Answer: rubric.Answer{Kind: rubric.Number, Scale: &rubric.Scale{Min: 0, Max: 1}},
	}}
}

// stranger keeps an evaluator that cannot be scored: bound to a plugin that
// cannot exist, so that nothing is scored without it by mistake.
func (r *evalReader) stranger(s *scope, e *evaluator, form, message string) {
	spelling := map[string]any{}
	for i := range s.n.Members {
		m := &s.n.Members[i]
		switch m.Key {
		case "name", "type", "weight":
			continue
		}
		spelling[m.Key] = s.d.value(m.Value, s.sub(m.Key))
	}
	r.unscorable(s.n.At, s.path, message)
	e.single(rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: UnscorablePrefix + form, Kind: "judge", Type: form, Spelling: spelling}})
}
