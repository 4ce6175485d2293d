package dialect

import "github.com/rubric-host/rubric-host/host/document"

// Bounds on a document. They are far above any rubric written by people and
// low enough that a hostile one costs no more than a moment.
const (
	MaxBytes = document.MaxBytes // size of a document
	MaxNodes = document.MaxNodes // elements of a document, after aliases are followed
)

// Formats of a document.
const (
	JSON = document.JSON
	YAML = document.YAML
)

// The tree, which nearly every function here walks.
type (
	node   = document.Node
	member = document.Member
)
