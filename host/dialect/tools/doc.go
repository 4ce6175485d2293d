// Package tools works on rubric documents as their authors do: it converts, migrates
// and lints them. Package dialect reads and writes documents, and holds the differences of
// dialects. The tools use its Decode and Encode, Read and Detect for documents that Decode
// refuses, and Document.Diagnostic, which places a problem of a rubric in its document.
//
// The package is pure: it opens no file and reads no clock.
package tools
