package script

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// marshalled is a first byte that JSON never has: what follows is a tuple of one value in the form of
// Python's module marshal, which CPython reads in a fraction of the time.
const marshalled = ')'

// A marshaller converts JSON to that form. Python's module json would read the same values.
type marshaller struct {
	in   jsontext.Decoder
	out  []byte
	text []byte // buffer
}

const marshalDepth = 100 // of values that are converted

// marshal converts a text. It reports false if Python must read the text itself: there are numbers out of
// bounds, lone surrogates, great depths, duplicate names, or the text is not JSON.
func (m *marshaller) marshal(json []byte) ([]byte, bool) {
	m.in.Reset(bytes.NewBuffer(json))
	m.out = append(m.out, marshalled, 1)
	return m.out, m.value(0) && int(m.in.InputOffset()) == len(json)
}

// value converts the next value, within others.
func (m *marshaller) value(depth int) bool {
	switch kind := m.in.PeekKind(); kind {
	case '{', '[':
		return depth < marshalDepth && m.items(byte(kind), depth+1)
	}
	v, err := m.in.ReadValue()
	if err != nil {
		return false
	}
	switch v.Kind() {
	case '"':
		return m.string(v)
	case '0':
		return m.number(string(v))
	}
	m.out = append(m.out, v[0]-'a'+'A') // N, T, F
	return true
}

// items converts a list, or the names and values of a dict.
func (m *marshaller) items(kind byte, depth int) bool {
	if _, err := m.in.ReadToken(); err != nil {
		return false
	}
	m.out = append(m.out, kind)
	at, n := len(m.out), uint32(0)
	if kind == '[' {
		m.out = append(m.out, 0, 0, 0, 0) // the length
	}
	for ; m.in.PeekKind() != ']' && m.in.PeekKind() != '}'; n++ {
		if !m.value(depth) {
			return false
		}
	}
	if _, err := m.in.ReadToken(); err != nil {
		return false
	}
	if kind == '[' {
		binary.LittleEndian.PutUint32(m.out[at:], n)
	} else {
		m.out = append(m.out, '0')
	}
	return true
}

func (m *marshaller) string(v jsontext.Value) (ok bool) {
	var err error
	if m.text, err = jsontext.AppendUnquote(m.text[:0], v); err != nil {
		return false
	}
	short := len(m.text) <= math.MaxUint8
	for _, c := range m.text {
		short = short && c < 0x80
	}
	if short {
		m.out = append(m.out, 'z', byte(len(m.text))) // ASCII
	} else {
		m.out = binary.LittleEndian.AppendUint32(append(m.out, 'u'), uint32(len(m.text)))
	}
	m.out = append(m.out, m.text...)
	return true
}

func (m *marshaller) number(v string) bool {
	if n, err := strconv.ParseInt(v, 10, 32); err == nil {
		m.out = binary.LittleEndian.AppendUint32(append(m.out, 'i'), uint32(n))
		return true
	}
	whole := true
	for _, c := range v {
		whole = whole && (c == '-' || '0' <= c && c <= '9')
	}
	f, err := strconv.ParseFloat(v, 64)
	if whole || err != nil {
		return false
	}
	m.out = binary.LittleEndian.AppendUint64(append(m.out, 'g'), math.Float64bits(f))
	return true
}
