// Package dialect reads and writes rubric documents in the formats that people
// already use. The files of a dialect begin with its name; all.go lists the
// dialects. AgentEvals and AgentV share the evalfile and evalitem files.
//
// Decode reads a document strictly, with every problem at its place, into one
// rubric.Rubric. The semantics of a dialect's words become the rubric's Policy.
// Encode loses nothing in the document's own dialect. In another one it lists
// the losses: content that the dialect cannot express. Package tools builds on both.
//
// The package is pure: it opens no file and reads no clock. Documents are
// untrusted input: package document bounds their size, nesting and number of
// elements.
//
// Stability: stable.
package dialect
