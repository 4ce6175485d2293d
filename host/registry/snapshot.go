package registry

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// scheme begins a reference to a registered rubric.
const scheme = "registry:"

// maxName is the length of the longest id or version, in bytes.
const maxName = 200

// Ref returns the reference to a version of a rubric, "registry:ID@VERSION", or to its
// latest one if version is empty.
func Ref(id, version string) string {
	if version == "" {
		return scheme + id
	}
	return scheme + id + "@" + version
}

// ParseRef takes "registry:ID" or "registry:ID@VERSION" apart. ok is false for anything
// else, such as the name of a file.
func ParseRef(ref string) (id, version string, ok bool) {
	rest, ok := strings.CutPrefix(ref, scheme)
	if !ok {
		return "", "", false
	}
	id, version = SplitVersion(rest)
	return id, version, true
}

// SplitVersion takes "ID" or "ID@VERSION" apart. "ID@" has no version, and is the id of no
// rubric.
func SplitVersion(name string) (id, version string) {
	id, version, _ = strings.Cut(name, "@")
	if version == "" {
		return name, ""
	}
	return id, version
}

// Decode reads the document of a snapshot. The error has class fault.Mismatch if it is not
// the rubric that was registered.
func (s *Snapshot) Decode() (*dialect.Document, error) {
	ref := Ref(s.ID, s.Version)
	doc, err := dialect.Decode(ref, s.Document, dialect.Options{Dialect: s.Dialect, Format: s.Format})
	altered := func(why string) error {
		return fault.WithHint(fault.New(fault.Mismatch, "%s is not what was registered: %s", ref, why), "restore the database from a backup")
	}
	switch {
	case err != nil:
		return nil, altered(err.Error())
	case doc.Rubric == nil || len(doc.Cases) > 0:
		return nil, altered("the document is not of one rubric")
	case doc.Rubric.Digest() != s.Digest:
		return nil, altered("its digest is " + doc.Rubric.Digest() + ", and " + s.Digest + " was registered")
	}
	if list := references(doc, doc.Rubric); len(list) > 0 {
		return nil, altered("it refers to files: " + list[0].Message)
	}
	doc.Reason = "registered"
	return doc, nil
}

// snapshots returns a snapshot of each rubric of a document, without who and when.
func snapshots(doc *dialect.Document) ([]Snapshot, error) {
	if err := doc.Scorable(); err != nil {
		return nil, err
	}
	if len(doc.Cases) > 0 {
		err := fault.New(fault.Invalid, "%s has cases of its own, and a registered rubric has none", fileOf(doc))
		return nil, fault.WithHint(err, "write the rubric into a file of its own")
	}
	if len(doc.Rubrics) == 0 {
		return nil, fault.New(fault.Invalid, "%s has no rubric", fileOf(doc))
	}
	var problems diag.List
	for _, r := range doc.Rubrics {
		problems = append(problems, identity(doc, r)...)
		problems = append(problems, references(doc, r)...)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	list := make([]Snapshot, len(doc.Rubrics))
	for i, r := range doc.Rubrics {
		s := &list[i]
		*s = Snapshot{ID: r.ID, Version: r.Version, Name: r.Name, TargetType: r.TargetType, Digest: r.Digest(), Dialect: doc.Dialect, Format: doc.Format}
		if s.Dialect == "" { // made in Go
			s.Dialect, s.Format = dialect.Native, dialect.YAML
		}
		var losses diag.List
		var err error
		if s.Document, losses, err = dialect.Encode(doc.Alone(i), s.Dialect, s.Format); err != nil {
			return nil, err
		}
		if lost := losses.Errors(); len(lost) > 0 {
			return nil, fault.New(fault.Invalid, "rubric %q cannot be kept as a document of its own: %s", r.ID, lost[0].Message)
		}
		again, err := dialect.Decode("", s.Document, dialect.Options{Dialect: s.Dialect, Format: s.Format})
		if err != nil {
			return nil, fault.New(fault.Invalid, "rubric %q cannot be kept as a document of its own: %w", r.ID, err)
		}
		if again.Rubric == nil || again.Rubric.Digest() != s.Digest {
			return nil, fault.New(fault.Invalid, "rubric %q cannot be kept as a document of its own: it would be read as another rubric", r.ID)
		}
	}
	return list, nil
}

// identity returns the errors of a rubric's id and version.
func identity(doc *dialect.Document, r *rubric.Rubric) (out diag.List) {
	add := func(path, code, message, hint string) {
		out.Add(doc.Diagnostic(r, diag.Error, rubric.Problem{Path: path, Code: code, Message: message, Hint: hint}))
	}
	elsewhere := ""
	if doc.Dialect != dialect.Native {
		elsewhere = "; a format without ids and versions can be converted to native with " + fault.OptionConvert
	}
	if r.ID == "" || r.Made {
		add("id", "id-missing", "the rubric has no id, by which the registry could find it", "give it an id"+elsewhere)
	} else if why := unusable(r.ID); why != "" {
		add("id", "id-invalid", "the id "+why, "")
	} else if strings.Contains(r.ID, "@") {
		add("id", "id-invalid", `the id contains "@", which separates it from the version`, "choose another id")
	}
	if r.Version == "" {
		add("version", "version-missing", "the rubric has no version", "give it one, such as 1.0.0"+elsewhere)
	} else if why := unusable(r.Version); why != "" {
		add("version", "version-invalid", "the version "+why, "")
	}
	return out
}

// unusable returns why a text cannot be an id or a version; empty: it can.
func unusable(name string) string {
	switch {
	case len(name) > maxName:
		return "is longer than 200 bytes"
	case !utf8.ValidString(name) || diag.Plain(name) != name:
		return "contains control or invisible characters"
	case strings.TrimSpace(name) != name:
		return "begins or ends with a blank"
	}
	return ""
}

// references returns the places at which a rubric refers to files: a snapshot is read where
// they are not, or are others.
func references(doc *dialect.Document, r *rubric.Rubric) (out diag.List) {
	add := func(path, what, hint string) {
		out.Add(doc.Diagnostic(r, diag.Error, rubric.Problem{Path: path, Code: "reference-outside", Message: "the rubric refers to a file, " + what + "; a registered rubric cannot", Hint: hint}))
	}
	if r.Problems != "" {
		add("problems", "the problems "+quoted(r.Problems), "register the rubric without problems, and name them when it is used: "+fault.OptionDatasetProblems)
	}
	r.Walk(func(path string, c *rubric.Criterion) {
		if s := c.Scorer.Schema; s != nil && s.Ref != "" {
			add(path+".schema", "the schema "+quoted(s.Ref), "write the schema into the rubric")
		}
		if m := c.Scorer.Metric; m != nil && plugin.IsPath(m.Plugin) {
			add(path+".metric", "the plugin "+quoted(m.Plugin), "put the plugin into a directory of plugins, and refer to it by its name; see "+fault.OptionPlugins)
		}
	})
	return out
}

func quoted(s string) string { return `"` + fault.Clip(s, 60) + `"` }

func fileOf(doc *dialect.Document) string { return cmp.Or(doc.File, "the document") }
