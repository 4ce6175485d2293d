// Package dialect reads and writes rubric documents in the formats that people
// already use: one file per dialect, one list of them in all.go. A document is
// read strictly, with every problem at its place, into the one rubric.Rubric;
// what a dialect means by its words becomes the rubric's Policy.
//
// Writing a document back in its own dialect loses nothing. Writing it in
// another one lists what that dialect cannot say.
//
// The package is pure: it opens no file and reads no clock. Documents are
// hostile until package document has read them: size, nesting and the number of
// elements are bounded.
//
// Stability: stable.
package dialect
