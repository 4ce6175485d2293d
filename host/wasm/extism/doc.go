// Package extism is the host's half of the Extism ABI: the functions that plugins import,
// and the state of a call behind them, which are the blocks of memory that plugin and host
// share, input, output, error, variables, configuration and log.
//
// Extism's own hosts keep the blocks in a second module, the kernel. A plugin can
// write anywhere in it, over the headers of blocks too. Here the blocks lie in a slice, and
// their bounds in another that no plugin can reach. Every address is checked, and all work is
// counted.
//
// The package knows neither wazero nor the meaning of requests and answers.
//
// Stability: experimental.
package extism
