package dialect

import (
	"reflect"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// fuzz holds a dialect to its promises on any input: no panic, problems of
// class invalid with their places, and a document that loads is stable: written
// and read again it means the same, as it is and from the model, and in ours.
func fuzz(f *testing.F, name string) {
	for _, x := range fixtures(f) {
		if x.dialect == name {
			f.Add(x.src, x.format == JSON)
			if x.loads {
				src, err := document.Write(treeOf(f, x.src, x.format), JSON)
				if err != nil {
					f.Fatal(err)
				}
				f.Add(src, true)
			}
		}
	}
	for _, s := range spellings {
		if s.dialect == name {
			f.Add([]byte(s.src), false)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, asJSON bool) {
		format := YAML
		if asJSON {
			format = JSON
		}
		doc, err := Decode("in", src, Options{Dialect: name, Format: format})
		if err != nil {
			if fault.Of(err) != fault.Invalid || len(diag.In(err)) == 0 || !complete(err) {
				t.Fatalf("%q: %v", src, err)
			}
			return
		}
		for _, format := range formatsOf {
			same(t, doc, format)
		}
		native, losses, err := Encode(doc, Native, YAML)
		if err != nil {
			if len(losses.Errors()) == 0 {
				t.Fatalf("%q: not native, without a word: %v", src, err)
			}
			return
		}
		if _, err := Decode("", native, Options{Dialect: Native}); err != nil {
			t.Fatalf("%q: %v\n%s", src, err, native)
		}
	})
}

// complete allows problems of the file as a whole, which have no line.
func complete(err error) bool {
	for _, d := range diag.In(err) {
		if d.Code == "" || d.Message == "" || d.Pos.File != "in" || d.Pos.Line < 1 && d.Code != "too-many" {
			return false
		}
	}
	return true
}

func same(t *testing.T, doc *Document, format string) {
	t.Helper()
	out, losses, err := Encode(doc, "", format)
	if err != nil || len(losses) > 0 {
		t.Fatalf("as %s: %v %v", format, err, losses)
	}
	again, err := Decode("in", out, Options{Dialect: doc.Dialect, Format: format})
	if err != nil {
		t.Fatalf("as %s: %v\n%s", format, err, out)
	}
	if !reflect.DeepEqual(rubricsOf(doc), rubricsOf(again)) {
		t.Fatalf("as %s it means something else\n%s", format, out)
	}
	twice, _, err := Encode(again, "", format)
	if err != nil || string(twice) != string(out) {
		t.Fatalf("as %s it is not stable: %v\n%q\n%q", format, err, out, twice)
	}
	if out, _, err = rewrite(doc, find(doc.Dialect), format); err != nil {
		t.Fatalf("as %s, from the model: %v", format, err)
	}
	if _, err = Decode("in", out, Options{Dialect: doc.Dialect, Format: format}); err != nil {
		t.Fatalf("as %s, from the model: %v\n%s", format, err, out)
	}
}

func FuzzNative(f *testing.F)       { fuzz(f, Native) }
func FuzzOpenRubricRL(f *testing.F) { fuzz(f, OpenRubricRL) }
func FuzzAgentEvals(f *testing.F)   { fuzz(f, AgentEvals) }
func FuzzRubricList(f *testing.F)   { fuzz(f, RubricList) }
func FuzzAgentV(f *testing.F)       { fuzz(f, AgentV) }
func FuzzDataknobs(f *testing.F)    { fuzz(f, Dataknobs) }

func FuzzDetect(f *testing.F) {
	for _, x := range fixtures(f) {
		f.Add(x.src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		found, err := detectIn(src)
		if err == nil && found.Dialect == "" && found.Reason == "" {
			t.Fatalf("%q: nothing is said", src)
		}
	})
}
