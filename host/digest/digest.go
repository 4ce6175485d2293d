// Package digest names content by its SHA-256 in the one form that files, plans and messages
// use: "sha256:" and 64 lower-case hexadecimal digits.
//
// Stability: stable.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

const prefix = "sha256:"

// Of returns the digest of b.
func Of(b []byte) string {
	sum := sha256.Sum256(b)
	return prefix + hex.EncodeToString(sum[:])
}

// Sum returns the digest of what was written to h, a SHA-256, so far.
func Sum(h hash.Hash) string { return prefix + hex.EncodeToString(h.Sum(nil)) }

// Short returns the beginning of a digest, for people: enough to tell it from others.
func Short(d string) string { return d[:min(len(d), len(prefix)+12)] }
