// Package store keeps the results of loading a module for the next process that loads it.
//
// An artifact is one file of named parts, alone in a directory that is named by the
// artifact's key. Index and parts are sealed with the user's key and bound to the
// artifact's key, so a file that was copied, planted, swapped or changed is a miss.
// Artifacts are written atomically. The store is best-effort: every failure is a
// cache miss, and missing artifacts are computed again.
//
//	part ... part index seal(32) size of index(4) magic and version(8)
//
// The index is at the end because machine code, the first part if there is any, is written before its
// size is known.
//
// Stability: experimental.
package store
