package dataset

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// anyValue draws JSON values with texts that have brackets, quotes and commas in them,
// and numbers around the limits.
func anyValue(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Float64().AsAny(), rapid.IntRange(-9, 9).AsAny(), rapid.String().AsAny(),
		rapid.SampledFrom([]string{``, `"`, `\`, `]`, `{"a":1}`, `, `, `\"`, "\\\\", "1e9", " "}).AsAny(),
		rapid.Map(rapid.IntRange(1, 400), func(n int) any { return jsontext.Value(strings.Repeat("1", n)) }),
		rapid.Map(rapid.IntRange(1, 400), func(n int) any { return jsontext.Value("1e" + strconv.Itoa(n)) }),
		rapid.Map(rapid.IntRange(1, 120), func(n int) any { return jsontext.Value(strings.Repeat("[", n) + strings.Repeat("]", n)) }),
	}
	if depth > 0 {
		inner := rapid.Deferred(func() *rapid.Generator[any] { return anyValue(depth - 1) })
		leaves = append(leaves, rapid.SliceOfN(inner, 0, 4).AsAny(), rapid.MapOfN(rapid.String(), inner, 0, 4).AsAny())
	}
	return rapid.OneOf(leaves...)
}

// written draws a valid value, with white space between its tokens or without.
func written(t *rapid.T, v any) jsontext.Value {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	text := jsontext.Value(b)
	if rapid.Bool().Draw(t, "spaced") {
		if err := text.Indent(jsontext.WithIndentPrefix("\t"), jsontext.SpaceAfterComma(true)); err != nil {
			t.Fatal(err)
		}
	}
	return text
}

// TestEach_SeesWhatADecoderSees draws lists and objects.
func TestEach_SeesWhatADecoderSees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := written(t, rapid.SliceOfN(anyValue(3), 0, 5).Draw(t, "list"))
		var want, got []jsontext.Value
		if err := json.Unmarshal(list, &want); err != nil {
			t.Fatal(err)
		}
		each(list, func(e jsontext.Value) bool {
			got = append(got, e)
			return true
		})
		if !slices.EqualFunc(got, want, func(a, b jsontext.Value) bool { return bytes.Equal(a, b) }) {
			t.Fatalf("%s: %s, want %s", list, got, want)
		}

		object := written(t, rapid.MapOfN(rapid.String(), anyValue(3), 0, 5).Draw(t, "object"))
		members := map[string]jsontext.Value{}
		if err := json.Unmarshal(object, &members); err != nil {
			t.Fatal(err)
		}
		n := 0
		eachMember(object, func(name, v jsontext.Value) bool {
			if n++; !bytes.Equal(members[text(name)], v) {
				t.Fatalf("%s: %s is %s", object, name, v)
			}
			return true
		})
		if n != len(members) {
			t.Fatalf("%s: %d members, want %d", object, n, len(members))
		}
	})
}

// TestEach_EndsInBrokenValues lists values that only a case made in Go can hold.
func TestEach_EndsInBrokenValues(t *testing.T) {
	for _, broken := range []string{``, ` `, `[`, `[1`, `["`, `["\`, `[[`, `[,,`, `[1 "a" {`, `{`, `{"a"`, `{"a":`, `{1:2}`, `{1}`, `{"a" "b"`, `{]`, `[}`, "[\x00", `nul`} {
		each(jsontext.Value(broken), func(e jsontext.Value) bool { return len(text(e)) >= 0 })
		eachMember(jsontext.Value(broken), func(name, _ jsontext.Value) bool { return !isName(name, "x") })
	}
}

func TestPlain_StopsAtTheFirstQuoteOrBackslash(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			for _, after := range []byte{'a', '"', '\\', 0, '#', ']', 0x80, 0xFF} {
				b := bytes.Repeat([]byte{after}, 20)
				copy(b, strings.Repeat("x", at))
				b[at] = byte(c)
				if got, want := plain(b), bytes.IndexAny(append(b, '"'), `"\`); got != want {
					t.Fatalf("%q: %d, want %d", b, got, want)
				}
			}
		}
	}
}
