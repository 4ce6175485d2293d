package script_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/script"
)

func TestMarshal(t *testing.T) {
	for text, want := range map[string]string{
		`null`: "N", `true`: "T", `false`: "F", `0`: "i\x00\x00\x00\x00", `-0`: "i\x00\x00\x00\x00", `-1`: "i\xff\xff\xff\xff",
		`1.0`: "g\x00\x00\x00\x00\x00\x00\xf0?", `-0.0`: "g\x00\x00\x00\x00\x00\x00\x00\x80", `1E0`: "g\x00\x00\x00\x00\x00\x00\xf0?",
		`""`: "z\x00", `"a\n\"\u0041"`: "z\x04a\n\"A", `"é"`: "u\x02\x00\x00\x00é", `"\ud83d\ude00"`: "u\x04\x00\x00\x00😀",
		`[]`: "[\x00\x00\x00\x00", `[null, [true]]`: "[\x02\x00\x00\x00N[\x01\x00\x00\x00T", `{}`: "{0", `{"a": {"b": 1}}`: "{z\x01a{z\x01bi\x01\x00\x00\x0000",
		`"` + strings.Repeat("a", 255) + `"`: "z\xff" + strings.Repeat("a", 255), `"` + strings.Repeat("a", 256) + `"`: "u\x00\x01\x00\x00" + strings.Repeat("a", 256),
	} {
		if got, ok := script.Marshal([]byte(text)); string(got) != ")\x01"+want || !ok {
			t.Errorf("%s: %q, %v; want %q", text, got, ok, want)
		}
	}
}

func TestMarshal_LeavesToPython(t *testing.T) {
	for _, text := range []string{
		``, `{`, `[1`, `nul`, `1 2`, `{"a"}`, `[1,]`, `2147483648`, `1e999`, `1` + strings.Repeat("0", 400), `"\ud800"`, "\"\xff\"", `{"a": 1, "a": 2}`, strings.Repeat("[", 101) + strings.Repeat("]", 101),
	} {
		if got, ok := script.Marshal([]byte(text)); ok {
			t.Errorf("%.40s: %q", text, got)
		}
	}
}

// TestMarshal_AsPythonReadsJSON: a scorer sees the values that Python's json reads, whichever way they come.
func TestMarshal_AsPythonReadsJSON(t *testing.T) {
	const source = `
import json

def score(case, config):
    return 1.0 if repr(case["metadata"]) == repr(json.loads(case["input"])) else 0.0
`
	m := mustLoad(t, python(t), moduleOf(t, script.Script{Entry: "score.py", Files: map[string]string{"score.py": source}}))
	draw := rand.New(rand.NewPCG(14, 0))
	converted, texts := 0, []string{`{"a": 1, "a": 2}`, `"\ud800"`, `[1e999, 123456789012345678901234567890]`, strings.Repeat("[", 150) + strings.Repeat("]", 150)}
	for range 300 {
		texts = append(texts, drawn(draw, 0))
	}
	for _, text := range texts {
		if _, ok := script.Marshal([]byte(text)); ok {
			converted++
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		request := fmt.Sprintf(`{"contract":1,"kind":"metric","config":{},"case":{"input":%s,"metadata":%s}}`, quoted, text)
		if got := ask(t, m, "score", request); got != `{"score":1.0}` {
			t.Errorf("%s: %s", text, got)
		}
	}
	if converted < 200 || converted > 300 {
		t.Errorf("%d of %d texts are converted", converted, len(texts))
	}
}

// drawn returns a random value as JSON, which is sometimes one that only Python reads.
func drawn(r *rand.Rand, depth int) string {
	list := func(one func() string) string {
		items := make([]string, r.IntN(5))
		for k := range items {
			items[k] = one()
		}
		return strings.Join(items, ", ")
	}
	text := func() string {
		letters := []string{"a", "é", "😀", `\n`, `\"`, `\\`, `\u0000`, `\u00e9`, `\/`, `\ud83d\ude00`, " ", strings.Repeat("x", 300)}
		out := strconv.Itoa(r.IntN(1 << 20)) // names differ
		for range r.IntN(6) {
			out += letters[r.IntN(len(letters))]
		}
		return `"` + out + `"`
	}
	switch k := r.IntN(10); {
	case k < 3 && depth < 5:
		return "[" + list(func() string { return drawn(r, depth+1) }) + "]"
	case k < 5 && depth < 5:
		return "{" + list(func() string { return text() + ": " + drawn(r, depth+1) }) + "}"
	case k < 7:
		return text()
	case k < 8:
		return []string{"null", "true", "false", "-0", "2147483647", "-2147483648", "2147483648", "1e-400"}[r.IntN(8)]
	case k < 9:
		return strconv.Itoa(int(int32(r.Uint32())))
	}
	return strconv.FormatFloat(math.Ldexp(r.Float64()-0.5, r.IntN(600)-300), 'g', -1, 64)
}
