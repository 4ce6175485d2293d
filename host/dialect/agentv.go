package dialect

import "github.com/rubric-host/rubric-host/host/rubric"

// agentV is the eval file of AgentV: the spelling of its documentation at
// version 2.5.8 and the later one, as written.
var agentV = dialect{
	name:     AgentV,
	summary:  "an eval file: evalcases (or tests) with rubrics and input_messages",
	decode:   agentVStyle.decode,
	encode:   agentVStyle.encode,
	spelling: evalSpelling,
}

var agentVStyle = &evalStyle{
	rubricType:      "llm_judge", // "rubric" there would be taken for AgentEvals
	required:        rubric.RequiredMet,
	stringsRequired: true,
	discrete:        true,
	bands:           true,
	replace:         true,
	keeps:           []string{"target", "targets", "tags", "license", "author", "suite", "workspace", "preprocessors", "requires", "timeout_seconds", "budget_usd", "experiment", "hooks"},
	caseKeeps:       []string{"vars", "input_files", "guideline_files", "workspace", "suite", "depends_on", "on_dependency_failure", "run", "tags", "aggregation", "on_turn_failure", "window_size"},
}
