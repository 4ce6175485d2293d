// Package extism is the host's half of the Extism ABI: the blocks of memory that
// a plugin and its host share, the input, the output, the error and the
// variables of a call.
//
// Extism's own hosts keep the blocks in a second module, the kernel, which a
// plugin may write to anywhere: over the headers of blocks too. Here they lie in
// a slice and their bounds beside it, where no plugin comes; every address is
// looked up, and everything is counted.
//
// The package knows neither wazero nor what requests and answers mean.
//
// Stability: experimental.
package extism
