package host

import (
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/metarubric"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/schema"
)

// Load reads a rubric document in any of the dialects, which is detected. A path FILE#ID,
// if no file has that name, selects one rubric of a file with several. Paths in the document
// start from its directory. builtin:meta_rubric is the built-in rubric that grades
// rubrics. Every problem is reported at once, as a diag.List of class
// fault.Invalid. dialect.ReadFile has options.
func Load(path string) (*dialect.Document, error) { return load(path, "") }

func load(path, dialectName string) (*dialect.Document, error) {
	o := dialect.Options{Dialect: dialectName, Schema: schema.Check}
	if src, ok, err := metarubric.Builtin(path); ok {
		if err != nil {
			return nil, err
		}
		return dialect.Decode(path, src, o)
	}
	return dialect.ReadFile(path, o)
}

// Parse reads a rubric document from memory. name is for messages, and its
// extension says whether it is JSON or YAML. dialect.Decode has options.
func Parse(name string, src []byte) (*dialect.Document, error) {
	return dialect.Decode(name, src, dialect.Options{Schema: schema.Check})
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

// baseDir returns the directory that relative paths of a document start from. A registered
// document has none, and no paths.
func baseDir(doc *dialect.Document) string {
	if _, _, registered := registry.ParseRef(doc.File); registered || doc.File == "" || doc.File == "-" {
		return ""
	}
	return filepath.Dir(doc.File)
}
