package dialect

import "strings"

// A Detection says which dialect a document is written in, and why.
type Detection struct {
	Dialect string // empty: none was recognised
	Format  string // JSON or YAML
	Reason  string // what in the structure decided
	Note    string // what speaks for another dialect; may be empty
}

// Detect says which dialect a document is written in. It looks at the structure
// of the document only. The error is that of Decode for a document that is
// neither JSON nor YAML.
func Detect(src []byte) (Detection, error) {
	d := newDecoder("", src)
	tree, format := d.read("")
	if tree == nil {
		return Detection{}, d.err()
	}
	found := detect(tree)
	found.Format = format
	return found, nil
}

// signs are the marks of the dialects, the first that holds decides.
var signs = []struct {
	dialect string
	holds   func(*node) bool
	reason  string
}{
	{RubricList, func(n *node) bool { return n.is(listKind) }, "a list"},
	{RubricList, func(n *node) bool { return n.has("sections") && !n.has("criteria") }, "sections of criteria"},
	{RubricList, func(n *node) bool { r := n.get("rubric"); return r.is(listKind) || r.is(objectKind) }, `"rubric" holds the criteria`},
	{Native, func(n *node) bool { return n.get("rubric").is(textKind) }, `"rubric" names the rubric`},
	{Dataknobs, func(n *node) bool { return n.has("pass_threshold") }, "pass_threshold"},
	{Dataknobs, func(n *node) bool { return anyItem(n.get("criteria"), "scoring_method") }, "criteria with scoring_method"},
	{Dataknobs, func(n *node) bool { return anyItem(n.get("rubrics"), "criteria", "pass_threshold") }, "a list of rubrics with criteria of their own"},
	{"", isEvalFile, ""},
	{OpenRubricRL, func(n *node) bool { return n.has("hybrid_metrics") }, "hybrid_metrics"},
	{OpenRubricRL, func(n *node) bool { return n.has("criteria") && n.has("scale") && !hasNativeCriteria(n) }, "criteria and a scale"},
	{OpenRubricRL, func(n *node) bool {
		return anyItem(n.get("criteria"), "weight") && anyItem(n.get("criteria"), "name") && !anyItem(n.get("criteria"), "id")
	}, "criteria with name and weight, and no id"},
	{Native, hasNativeCriteria, "criteria with judge, metric, schema or prompt"},
	{OpenRubricRL, func(n *node) bool { return n.has("criteria") }, "criteria"},
}

func detect(n *node) Detection {
	for _, s := range signs {
		if !s.holds(n) {
			continue
		}
		if s.dialect == "" {
			return detectEval(n)
		}
		return Detection{Dialect: s.dialect, Reason: s.reason}
	}
	return Detection{Reason: "this is no rubric that is known: a rubric has criteria (" + strings.Join(Names(), ", ") + ")"}
}

// anyItem reports whether some object in a list has one of keys.
func anyItem(list *node, keys ...string) bool {
	if !list.is(listKind) {
		return false
	}
	for _, item := range list.items {
		if item.has(keys...) {
			return true
		}
	}
	return false
}

func hasNativeCriteria(n *node) bool {
	return anyItem(n.get("criteria"), "judge", "metric", "schema", "prompt")
}

func isEvalFile(n *node) bool {
	return n.has(caseKeys...) || n.has("execution", "evaluators", "rubrics", "assert", "assertions")
}

// detectEval tells AgentEvals and AgentV apart (SCORING.md section 2).
func detectEval(n *node) Detection {
	look := evalSigns{}
	look.file(n)
	switch {
	case look.newer != "":
		return Detection{Dialect: AgentV, Reason: "the spelling " + look.newer + " of later AgentV"}
	case look.typeRubric && look.messages:
		return Detection{Dialect: AgentEvals, Reason: "an evaluator of type rubric", Note: "input_messages speaks for agentv"}
	case look.typeRubric:
		return Detection{Dialect: AgentEvals, Reason: "an evaluator of type rubric"}
	case look.input && look.messages:
		return Detection{Dialect: AgentEvals, Reason: "cases with input", Note: "input_messages speaks for agentv"}
	case look.input:
		return Detection{Dialect: AgentEvals, Reason: "cases with input"}
	case look.messages:
		return Detection{Dialect: AgentV, Reason: "cases with input_messages"}
	}
	return Detection{Dialect: AgentV, Reason: "an eval file", Note: "nothing in it tells agentv and agentevals apart: plain text rubrics are required in agentv, and are not in agentevals"}
}

// evalSigns is what tells the two eval formats apart.
type evalSigns struct {
	newer      string // a key of AgentV's later spelling
	typeRubric bool
	input      bool
	messages   bool
}

func (l *evalSigns) file(n *node) {
	for _, key := range []string{"tests", "eval_cases", "assert", "assertions"} {
		if n.has(key) {
			l.newer = key
		}
	}
	l.evaluators(n.get("evaluators"))
	l.evaluators(n.get("execution").get("evaluators"))
	l.items(n.get("rubrics"))
	for _, key := range caseKeys {
		list := n.get(key)
		if !list.is(listKind) {
			continue
		}
		for _, c := range list.items {
			l.one(c)
		}
	}
}

func (l *evalSigns) one(c *node) {
	l.input = l.input || c.has("input")
	l.messages = l.messages || c.has("input_messages")
	for _, key := range []string{"criteria", "assert", "assertions"} {
		if c.has(key) {
			l.newer = key
		}
	}
	l.evaluators(c.get("evaluators"))
	l.evaluators(c.get("execution").get("evaluators"))
	l.items(c.get("rubrics"))
}

func (l *evalSigns) evaluators(list *node) {
	if !list.is(listKind) {
		return
	}
	for _, e := range list.items {
		if t := e.get("type"); t.is(textKind) && t.value == "rubric" {
			l.typeRubric = true
		}
		l.items(e.get("rubrics"))
		l.evaluators(e.get("evaluators")) // of a composite
	}
}

func (l *evalSigns) items(list *node) {
	if anyItem(list, "outcome") {
		l.newer = "outcome"
	}
}
