// Package wasi implements WASI preview 1 for untrusted guests: a clock, a random
// stream, standard input and output, arguments, and the files that a user granted.
//
// A World holds everything that a guest observes beside its own memory. It is reset
// for every call, so that a call sees nothing of an earlier one. Functions that move
// bytes charge fuel for them.
//
// The package knows neither wazero nor plugins. It reaches the guest through two
// interfaces, Memory and Budget, and cannot call it.
//
// Stability: experimental.
package wasi
