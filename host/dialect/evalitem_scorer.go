package dialect

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// outcomeJudge is the evaluator that judges the output by the expected outcome of
// its case, with a number from 0 to 1.
func outcomeJudge(name string, t trace) *evalItem {
	e := &evalItem{name: name, weight: rubric.One, trace: t}
	e.single(rubric.Binding{})
	e.criteria[0].Made, e.criteria[0].Text = true, outcomeText
	return e
}

// judgeEvaluator reads an evaluator that asks a model: by rubrics, by a prompt
// of its own, or by the expected outcome.
func (r *evalReader) judgeEvaluator(s *scope, e *evalItem, form string) {
	s.known("target", "model", "temperature", "max_steps", "preprocessors", "config", "cwd")
	if list, path := s.List(may, "rubrics"); len(list) > 0 {
		s.known("prompt") // as upstream: rubrics leave no room for a prompt
		r.items(e, list, path)
		return
	}
	by := outcomeJudge(e.name, e.trace)
	c := &by.criteria[0]
	c.Made, c.Weight = false, e.weight
	c.Ext = map[string]any{"type": form}
	e.criteria, e.alone = by.criteria, true
	prompt, key := s.Raw(may, "prompt")
	switch {
	case prompt == nil:
	case prompt.Kind == document.Text && !isPath(prompt.Value):
		c.Ext["prompt"], c.Text = prompt.Value, ""
		c.Scorer = rubric.Binding{Way: rubric.ByJudge, Prompt: &rubric.Prompt{Template: ourVariables(prompt.Value)}}
	default:
		s.d.Value(prompt, s.Sub(key))
		r.keepUnscorable(s, e, form, fmt.Sprintf("the prompt of %q is in a file or a program, which is not read", e.name))
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
func codeEvaluator(s *scope, e *evalItem, form string) {
	script, key := s.Raw(must, "script", "command")
	plugin, args := "", []string(nil)
	if script != nil {
		words, what := scriptWords(script)
		if plugin, args = scriptCommand(words); plugin == "" {
			s.d.Wrong(script, s.Sub(key), cmp.Or(what, "the name of a program, and its arguments"))
		}
	}
	spelling, config := s.others("min_score", "negate"), map[string]any{}
	for i := range s.Node.Members {
		switch key := s.Node.Members[i].Key; key {
		case "script", "command", "cwd", "target", "preprocessors":
		case "config":
			inner, _ := spelling[key].(map[string]any)
			maps.Copy(config, inner)
		default: // as upstream: whatever else is written configures the program
			if v, ok := spelling[key]; ok {
				config[key] = v
			}
		}
	}
	s.Ignore()
	m := &rubric.Metric{Plugin: plugin, Args: args, Kind: "judge", Type: form, Spelling: spelling}
	if len(config) > 0 {
		m.Config = config
	}
	e.single(rubric.Binding{Way: rubric.ByMetric, Metric: m})
}

// scriptCommand takes a command line apart: the file that it runs, and the arguments
// of that. Words before the file name the interpreter, such as python3, and mean
// nothing in the sandbox.
func scriptCommand(words []string) (file string, args []string) {
	at := slices.IndexFunc(words, func(w string) bool { return programEndings[path.Ext(w)] && !strings.HasPrefix(w, "-") })
	if at < 0 {
		at = slices.IndexFunc(words, func(w string) bool { return strings.ContainsAny(w, "./") && !strings.HasPrefix(w, "-") })
	}
	if at < 0 {
		at = len(words) - 1
	}
	if at < 0 {
		return "", nil
	}
	return words[at], append([]string(nil), words[at+1:]...)
}

// leftSpelling lists the members of a program in an eval file that the model does not
// hold: its place and interpreter, and all members of a program that this one does
// not know.
func (e *encoder) leftSpelling(path string, m *rubric.Metric) {
	unknown := strings.HasPrefix(m.Plugin, UnscorablePrefix)
	if !unknown && evaluatorKind(m.Type) != "code" {
		return // the spelling of another dialect
	}
	for _, key := range sortedKeys(m.Spelling) {
		n := nodeOf(m.Spelling[key])
		shown := fault.Clip(string(document.Compact(n)), 120)
		_, held := m.Config[key]
		switch {
		case !unknown && (key == "config" || held):
			continue
		case !unknown && (key == "script" || key == "command"):
			words, _ := scriptWords(n)
			if file, args := scriptCommand(words); file == "" || len(words) == len(args)+1 {
				continue
			} else {
				shown = strings.Join(words[:len(words)-len(args)-1], " ")
			}
		}
		e.lose(path+"."+key, "%s %s is not carried over", key, shown)
	}
}

var programEndings = map[string]bool{".py": true, ".js": true, ".mjs": true, ".cjs": true, ".ts": true, ".wasm": true}

// scriptWords are the words of a script: a list of texts, or a text that a shell
// would take apart. want names the form that it should have.
func scriptWords(n *node) (words []string, want string) {
	switch n.Kind {
	case document.Text:
		words, ok := shellWords(n.Value)
		if !ok {
			return nil, "a command without pipes, variables and other work of a shell, or a list of texts"
		}
		return words, ""
	case document.List:
		for _, item := range n.Items {
			if item.Kind != document.Text {
				return nil, "text, or a list of texts"
			}
			words = append(words, item.Value)
		}
		return words, ""
	}
	return nil, "text, or a list of texts"
}

// shellWords takes a command line apart as a shell does, if that takes quotes only.
func shellWords(line string) (words []string, ok bool) {
	var word strings.Builder
	open, quote := false, rune(0)
	end := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '"' && strings.ContainsRune("$`\\", c), quote == 0 && strings.ContainsRune("|&;<>()$`\\*?#~\n", c):
			return nil, false
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, open = c, true
		case c == ' ' || c == '\t':
			end()
		default:
			word.WriteRune(c)
			open = true
		}
	}
	end()
	return words, quote == 0
}

// single makes the evaluator one criterion with a number from 0 to 1.
func (e *evalItem) single(b rubric.Binding) {
	e.alone = true
	e.criteria = []rubric.Criterion{{
		ID: e.name, Weight: e.weight, Scorer: b,
		Answer: rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Min: 0, Max: 1}},
	}}
}

// keepUnscorable keeps an evaluator that cannot be scored: bound to a plugin that
// cannot exist, so that nothing is scored without it by mistake.
func (r *evalReader) keepUnscorable(s *scope, e *evalItem, form, message string) {
	r.unscorable(s.Node.At, s.Path, message)
	e.single(rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: UnscorablePrefix + form, Kind: "judge", Type: form, Spelling: s.others()}})
}

// others returns the members of an evaluator that the model does not hold, but for those
// with these keys too.
func (s *scope) others(but ...string) map[string]any {
	but = append(but, "name", "type", "weight", "required")
	out := map[string]any{}
	for i := range s.Node.Members {
		if m := &s.Node.Members[i]; !slices.Contains(but, m.Key) {
			out[m.Key] = s.d.Value(m.Value, s.Sub(m.Key))
		}
	}
	return out
}
