package plugin

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Data is a data file that a plugin needs and does not carry, such as a dictionary. The
// manifest fixes its bytes, so the digest of the plugin covers them.
type Data struct {
	SHA256  string         `json:"sha256"` // 64 lower-case hexadecimal digits
	Summary string         `json:"-"`      // one line; may be empty
	Source  string         `json:"-"`      // how to get the file, for people; may be empty
	When    map[string]any `json:"when"`   // needed if the configuration has all these values; empty: always
}

// DataFor returns the names of the data files that calls with a configuration, a JSON
// object, need. They are sorted.
func (m *Manifest) DataFor(config jsontext.Value) []string {
	if len(m.Data) == 0 {
		return nil
	}
	var values map[string]any
	_ = json.Unmarshal(config, &values) // it is an object, or empty
	var names []string
	for _, name := range slices.Sorted(maps.Keys(m.Data)) {
		needed := true
		for key, want := range m.Data[name].When {
			needed = needed && reflect.DeepEqual(values[key], want)
		}
		if needed {
			names = append(names, name)
		}
	}
	return names
}

// mostData is how many data files a manifest may list.
const mostData = 16

func (p *parser) data(o *strict.Object) map[string]Data {
	n, at := o.Raw(strict.May, "data")
	if n == nil {
		return nil
	}
	out := map[string]Data{}
	p.Each(n, at, "data files by name", func(m *document.Member, at string) {
		if !isName(m.Key) {
			p.Fail(m.At, at, "name", nameHint, "%q is not a name of a data file", fault.Clip(m.Key, 60))
		}
		f := p.Object(m.Value, at, "data file")
		if f == nil {
			return
		}
		sum := p.text(f, strict.Must, "sha256", "sha256", "write the SHA-256 of the file, as sha256sum prints it", "64 lower-case hexadecimal digits", func(s string) bool {
			return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
		})
		out[m.Key] = Data{SHA256: sum, Summary: f.Prose(strict.May, "summary"), Source: f.Prose(strict.May, "source"), When: f.Free("when")}
		f.Close()
	})
	if len(n.Members) > mostData {
		p.Fail(n.At, at, "data", "", "at most %d data files are allowed", mostData)
	}
	return out
}
