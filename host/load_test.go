package host_test

import (
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// TestLoad_RefusesAnInvalidSchema: every JSON Schema that a document writes is
// checked when it is loaded, and the error names its place.
func TestLoad_RefusesAnInvalidSchema(t *testing.T) {
	const dataknobs = `{"id": "r", "name": "R", "description": "d", "version": "1.0.0", "target_type": "t", "pass_threshold": 0.5, "criteria": [
{"id": "c", "name": "C", "description": "d", "weight": 1, "levels": [{"id": "a", "label": "A", "description": "d", "score": 1}], "scoring_method": METHOD}]}`
	tests := []struct{ name, file, source, at string }{
		{"native output_schema", "r.yaml", "rubric: r\ncriteria:\n  - id: c\n    prompt: Is it?\n    output_schema: SCHEMA\n", "criteria[0].output_schema"},
		{"native schema", "r.yaml", "rubric: r\ncriteria:\n  - id: c\n    schema: SCHEMA\n", "criteria[0].schema"},
		{"dataknobs decode_output_schema", "r.json", strings.Replace(dataknobs, "METHOD", `{"type": "llm_decode", "decode_prompt": "Is it?", "decode_output_schema": SCHEMA}`, 1), "criteria[0].scoring_method.decode_output_schema"},
		{"dataknobs schema", "r.json", strings.Replace(dataknobs, "METHOD", `{"type": "schema", "schema": SCHEMA}`, 1), "criteria[0].scoring_method.schema"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := host.Parse(tt.file, []byte(strings.Replace(tt.source, "SCHEMA", `{"type": "object"}`, 1))); err != nil {
				t.Errorf("a schema: %v", err)
			}
			_, err := host.Parse(tt.file, []byte(strings.Replace(tt.source, "SCHEMA", `{"type": "banana"}`, 1)))
			list := diag.In(err)
			if fault.Of(err) != fault.Invalid || len(list) != 1 || list[0].Path != tt.at || list[0].Pos.Line == 0 || !strings.Contains(list[0].Message, "/type") {
				t.Errorf("no schema: %+v", list)
			}
		})
	}
}
