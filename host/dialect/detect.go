package dialect

import (
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// A Detection says which dialect a document is written in, and why.
type Detection struct {
	Dialect string // empty: none was recognised
	Reason  string // deciding part of the structure
	Note    string // evidence for another dialect, or what to do if none was recognised; may be empty
}

// evalFile stands for AgentEvals or AgentV, which detectEval tells apart.
const evalFile = "eval file"

// notRubrics are the marks of files that are no rubrics, with what to do.
var notRubrics = []struct {
	holds        func(*node) bool
	reason, note string
}{
	{isPromptfoo, "this is a configuration of promptfoo, not a rubric: it has prompts",
		"write its assertions as criteria of a rubric: plugins/README.md in https://github.com/rubric-host/rubric-host has the metric of each, and those in Python and JavaScript run as they are; " +
			"the outputs that it recorded are read with " + fault.OptionDatasetSamples + " promptfoo"},
	{isDataset, "this is a dataset, not a rubric: it has cases and no criteria", "name the rubric; the dataset is the argument behind it"},
}

// signs are the marks of the dialects, the first that holds decides.
var signs = []struct {
	dialect string
	holds   func(*node) bool
	reason  string
}{
	{evalFile, func(n *node) bool { return anyItem(n, "expected_outcome") && !anyItem(n, "requirement") }, ""}, // the list under rubrics
	{RubricList, func(n *node) bool { return n.Is(document.List) }, "a list"},
	{RubricList, func(n *node) bool { return n.Has("sections") && !n.Has("criteria") }, "sections of criteria"},
	{RubricList, func(n *node) bool { r := n.Get("rubric"); return r.Is(document.List) || r.Is(document.Object) }, `"rubric" holds the criteria`},
	{Native, func(n *node) bool { return n.Get("rubric").Is(document.Text) }, `"rubric" names the rubric`},
	{Dataknobs, func(n *node) bool { return n.Has("pass_threshold") }, "pass_threshold"},
	{Dataknobs, func(n *node) bool { return anyItem(n.Get("criteria"), "scoring_method") }, "criteria with scoring_method"},
	{Dataknobs, func(n *node) bool { return anyItem(n.Get("rubrics"), "criteria", "pass_threshold") }, "a list of rubrics with criteria of their own"},
	{evalFile, isEvalFile, ""},
	{OpenRubricRL, func(n *node) bool { return n.Has("hybrid_metrics") }, "hybrid_metrics"},
	{OpenRubricRL, func(n *node) bool { return n.Has("criteria") && n.Has("scale") && !hasNativeCriteria(n) }, "criteria and a scale"},
	{OpenRubricRL, func(n *node) bool {
		return anyItem(n.Get("criteria"), "weight") && anyItem(n.Get("criteria"), "name") && !anyItem(n.Get("criteria"), "id")
	}, "criteria with name and weight, and no id"},
	{Native, hasNativeCriteria, "criteria with judge, metric, schema or prompt"},
	{OpenRubricRL, func(n *node) bool { return n.Has("criteria") }, "criteria"},
}

// marker is the value of $schema that names a dialect: the $id of its schema.
func marker(dialect string) string { return "urn:rubric-host:schema:" + dialect }

// marked returns the dialect that a document names with $schema: ours, or
// AgentV's own (agentv-eval-v2).
func marked(n *node) (dialect, schema string) {
	v := n.Get("$schema")
	if !v.Is(document.Text) {
		return "", ""
	}
	if name := strings.TrimPrefix(v.Value, marker("")); name != v.Value && find(name) != nil {
		return name, v.Value
	}
	if strings.HasPrefix(v.Value, "agentv-eval") {
		return AgentV, v.Value
	}
	return "", ""
}

// Detect says which dialect the tree of a document is written in. It looks at
// the structure only.
func Detect(n *document.Node) Detection {
	if dialect, schema := marked(n); dialect != "" {
		return Detection{Dialect: dialect, Reason: "$schema is " + schema}
	}
	for _, s := range notRubrics {
		if s.holds(n) {
			return Detection{Reason: s.reason, Note: s.note}
		}
	}
	for _, s := range signs {
		switch {
		case !s.holds(n):
		case s.dialect == evalFile:
			return detectEval(n)
		default:
			return Detection{Dialect: s.dialect, Reason: s.reason}
		}
	}
	names := strings.Join(Names(), ", ")
	return Detection{Reason: "unknown rubric format: a rubric has criteria (" + names + ")", Note: "name its dialect with " + fault.OptionDialect + ": " + names}
}

// anyItem reports whether some object in a list has one of keys.
func anyItem(list *node, keys ...string) bool {
	return list.Is(document.List) && slices.ContainsFunc(list.Items, func(item *node) bool { return item.Has(keys...) })
}

func hasNativeCriteria(n *node) bool {
	return anyItem(n.Get("criteria"), "judge", "metric", "schema", "prompt")
}

func isEvalFile(n *node) bool {
	return n.Has(caseKeys...) || n.Has("execution", "evaluators", "rubrics", "assert", "assertions")
}

// isPromptfoo reports whether a document is a promptfooconfig.yaml, whose tests look like
// AgentV's.
func isPromptfoo(n *node) bool {
	return n.Has("prompts") && n.Has("providers", "targets", "tests", "defaultTest", "scenarios") && !n.Has("criteria", "rubric")
}

// isDataset reports whether a document is a case, or a list of cases.
func isDataset(n *node) bool {
	fields := []string{"input", "prompt", "output", "completion", "response", "prediction"}
	if n.Is(document.List) {
		return anyItem(n, fields...) && !anyItem(n, "requirement", "weight", "criteria", "expected_outcome")
	}
	return n.Has(fields...) && !n.Has("rubric", "criteria", "sections") && !isEvalFile(n)
}

// detectEval tells AgentEvals and AgentV apart (SCORING.md section 2).
func detectEval(n *node) Detection {
	look := evalSigns{}
	look.file(n)
	if n.Is(document.List) {
		return Detection{Dialect: AgentV, Reason: "a list with expected_outcome", Note: "agentevals has such lists too"}
	}
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

type evalSigns struct {
	newer      string // a key of AgentV's later spelling
	typeRubric bool
	input      bool
	messages   bool
}

func (l *evalSigns) file(n *node) {
	l.look(n, "tests", "eval_cases", "assert", "assertions")
	for _, key := range caseKeys {
		list := n.Get(key)
		if !list.Is(document.List) {
			continue
		}
		for _, c := range list.Items {
			l.input = l.input || c.Has("input")
			l.messages = l.messages || c.Has("input_messages")
			l.look(c, "criteria", "assert", "assertions")
		}
	}
}

// look looks at the evaluators and rubrics of a file, of a case or of a composite evaluator,
// and for the keys that only later AgentV has there.
func (l *evalSigns) look(n *node, newer ...string) {
	for _, key := range newer {
		if n.Has(key) {
			l.newer = key
		}
	}
	for _, list := range []*node{n.Get("evaluators"), n.Get("execution").Get("evaluators")} {
		if !list.Is(document.List) {
			continue
		}
		for _, e := range list.Items {
			t := e.Get("type")
			l.typeRubric = l.typeRubric || t.Is(document.Text) && t.Value == "rubric"
			l.look(e)
		}
	}
	if anyItem(n.Get("rubrics"), "outcome") {
		l.newer = "outcome"
	}
}
