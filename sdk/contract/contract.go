// Package contract holds the JSON Schemas of the contract with plugins: request,
// answer and manifest. They are generated from the host's own types; sdk/ABI.md is
// the text.
//
// Stability: experimental.
package contract

import (
	"embed"
	"fmt"
)

//go:embed *.schema.json
var schemas embed.FS

// Version is the version of the contract.
const Version = 1

// Schemas lists the documents that have a JSON Schema: "request", "answer" and
// "manifest".
func Schemas() []string { return []string{"request", "answer", "manifest"} }

// Schema returns the JSON Schema (draft 7) of a document; the error names the
// documents. Rules beyond JSON Schema are checked by the host only: range and size of
// an answer, and that the default export of a manifest is one of its exports.
func Schema(document string) ([]byte, error) {
	b, err := schemas.ReadFile(document + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("unknown schema %q; known: %v", document, Schemas())
	}
	return b, nil
}
