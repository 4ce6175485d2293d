// Package document reads untrusted JSON and YAML into one tree in
// which every element has its place. It is strict: keys that are written twice,
// keys and tags that JSON has no word for, a second document and text that is
// not UTF-8 are problems, and all of them are reported at once. Bytes, elements
// and nesting are bounded, before and after aliases are followed.
//
// The meaning of keys belongs to the rooms above, and so do the messages about
// missing ones.
//
// The package is pure: it opens no file and reads no clock. Nothing in it is
// for several goroutines at once.
//
// Stability: stable.
package document
