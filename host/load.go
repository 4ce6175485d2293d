package host

import (
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/file"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/schema"
)

// Load reads a rubric document, in any of the dialects, and says which it took
// it for. Paths in the document start from its directory. Every problem is
// reported at once, as a diag.List of class fault.Invalid.
func Load(path string) (*dialect.Document, error) { return LoadAs(path, "") }

// LoadAs is Load for a document that is known to be of a dialect; empty: it is
// detected. A path FILE#ID, if no file is called that, means one rubric of a
// file with several.
func LoadAs(path, dialectName string) (*dialect.Document, error) {
	if file, id, ok := splitID(path); ok {
		doc, err := LoadAs(file, dialectName)
		if err != nil {
			return nil, err
		}
		return doc.Select(id)
	}
	src, err := file.Read(path, dialect.MaxBytes)
	if err != nil {
		return nil, err
	}
	return ParseAs(path, src, dialectName)
}

// splitID takes FILE#ID apart. It is not ok if a file has the whole name, or if
// there is no such FILE.
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

// Parse reads a rubric document from memory. name is for messages, and its
// extension says whether it is JSON or YAML.
func Parse(name string, src []byte) (*dialect.Document, error) {
	return ParseAs(name, src, "")
}

// ParseAs is Parse for a document that is known to be of a dialect; empty: it is
// detected.
func ParseAs(name string, src []byte, dialectName string) (*dialect.Document, error) {
	return dialect.Decode(name, src, dialect.Options{Dialect: dialectName, Schema: func(doc any) error {
		_, err := schema.Compile(doc)
		return err
	}})
}

// Document makes a document of a rubric that was built in Go.
func Document(r *rubric.Rubric) *dialect.Document {
	return &dialect.Document{Rubric: r, Rubrics: []*rubric.Rubric{r}}
}

// Case makes a case of a JSON object: {"output": ..., "references": [...]}. An
// error is a dataset.RowError, of class fault.Invalid.
func Case(object string) (*dataset.Case, error) {
	return dataset.FromJSON(jsontext.Value(object), diag.Pos{})
}

// baseDir returns the directory that relative paths of a document start from.
func baseDir(doc *dialect.Document) string {
	if doc.File == "" || doc.File == "-" {
		return ""
	}
	return filepath.Dir(doc.File)
}
