package dialect

import "github.com/rubric-host/rubric-host/host/rubric"

// agentEvals is the eval file of the AgentEvals specification.
var agentEvals = dialect{
	name:     AgentEvals,
	summary:  "an eval file: execution.evaluators of type rubric, evalcases with input",
	decode:   agentEvalsStyle.decode,
	encode:   agentEvalsStyle.encode,
	spelling: evalSpelling,
}

var agentEvalsStyle = &evalStyle{
	rubricType: "rubric",
	required:   rubric.RequiredNonzero,
	strict:     true,
}

// evalSpelling names the model's elements in both eval formats.
var evalSpelling = map[string]string{
	"text": "expected_outcome outcome criteria description", "min": "required_min_score min_score required", "bands": "score_ranges", "anchors": "score_ranges",
	"metric": "script command", "id": "id name", "criteria": "rubrics criteria",
}
