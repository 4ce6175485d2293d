package dialect

import (
	"os"

	"github.com/rubric-host/rubric-host/host/file"
)

// ReadFile reads a document from a file. A path FILE#ID, if no file has that name, selects
// one rubric of a file with several. Errors are those of Decode, or class fault.NotFound.
func ReadFile(path string, o Options) (*Document, error) {
	if file, id, ok := splitID(path); ok {
		doc, err := ReadFile(file, o)
		if err != nil {
			return nil, err
		}
		return doc.Select(id)
	}
	src, err := file.Read(path, MaxBytes)
	if err != nil {
		return nil, err
	}
	return Decode(path, src, o)
}

// splitID takes FILE#ID apart. It is not ok if a file has the whole name, or if
// FILE does not exist.
func splitID(path string) (file, id string, ok bool) {
	if _, err := os.Lstat(path); err == nil {
		return "", "", false
	}
	for i, r := range path {
		if r != '#' {
			continue
		}
		if info, err := os.Stat(path[:i]); err == nil && !info.IsDir() {
			return path[:i], path[i+1:], true
		}
	}
	return "", "", false
}
