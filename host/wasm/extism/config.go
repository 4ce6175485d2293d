package extism

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Config returns the value of a key in the configuration that a request carries: the
// object that is its member "config". Extism's configuration is text: a JSON string
// gives its text, any other value its JSON. There is no value for null, nor in a
// request without that object.
func Config(request, key []byte) ([]byte, bool) {
	config, ok := member(request, []byte("config"))
	if !ok {
		return nil, false
	}
	value, ok := member(config, key)
	switch {
	case !ok || value.Kind() == 'n':
		return nil, false
	case value.Kind() == '"':
		text, err := jsontext.AppendUnquote(nil, value)
		return text, err == nil
	}
	return value, true
}

func member(object, name []byte) (jsontext.Value, bool) {
	d := jsontext.NewDecoder(bytes.NewReader(object))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	for d.PeekKind() == '"' {
		t, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		found := t.String() == string(name)
		if !found {
			if err := d.SkipValue(); err != nil {
				return nil, false
			}
			continue
		}
		value, err := d.ReadValue()
		return bytes.Clone(value), err == nil
	}
	return nil, false
}
