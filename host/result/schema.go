package result

import (
	"embed"
	"fmt"
)

//go:embed schema/*.schema.json
var schemas embed.FS

// Schemas lists the records that have a JSON Schema: "case", "comparison", "row",
// "run" and "summary".
func Schemas() []string { return []string{"case", "comparison", "row", "run", "summary"} }

// Schema returns the JSON Schema (draft 2020-12) of a record, or an error that
// says which there are. A schema refuses members that it does not name.
func Schema(record string) ([]byte, error) {
	b, err := schemas.ReadFile("schema/" + record + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("unknown schema %q; known: %v", record, Schemas())
	}
	return b, nil
}
