// Package script says what a plugin is that is a script: its files, the function
// that scores, and the interpreter that runs it, by digest. Such a plugin has the
// form of a WebAssembly module without code, so that everything that reads,
// pins, ships and loads modules does the same with scripts. It runs nothing.
//
// Stability: experimental.
package script
