// Package js is the kit for scorers in JavaScript: the types that an editor reads.
// npm publishes them, and a program written in Go writes them beside a script.
package js

import _ "embed"

// Types is index.d.ts, the declarations of a scorer's case and answer. It must not
// be changed.
//
//go:embed index.d.ts
var Types []byte
