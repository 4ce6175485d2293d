//go:build !unix

package cache

import "io/fs"

// writableByOthers knows no owners here: mode bits have no meaning.
func writableByOthers(fs.FileInfo) bool { return false }
