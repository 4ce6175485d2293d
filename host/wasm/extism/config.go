package extism

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Config returns the value of a key in the configuration that a request carries: the
// object that is its member "config". Extism's configuration is text: a JSON string
// gives its text, any other value its JSON. There is no value for null, nor in a
// request without that object.
func Config(request, key []byte) ([]byte, bool) {
	var has struct {
		Config map[string]jsontext.Value `json:"config"`
	}
	if json.Unmarshal(request, &has) != nil {
		return nil, false
	}
	value, ok := has.Config[string(key)]
	switch {
	case !ok || value.Kind() == 'n':
		return nil, false
	case value.Kind() == '"':
		text, err := jsontext.AppendUnquote(nil, value)
		return text, err == nil
	}
	return value, true
}
