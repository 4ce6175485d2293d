package result_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// anyRow draws rows that use every field.
var anyRow = rapid.Custom(func(t *rapid.T) *result.Row {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "\"\\/\b\f\n\r\t\x00\x7f", "<script>&\u2028\u2029", "\u007f\u009b2J\u202egnp.exe\u2066\u061c\ufeff", "é😀"}))
	number := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 1, math.Copysign(0, -1), 0.1, 1e-7, 1e21, 123456789, math.MaxFloat64, math.SmallestNonzeroFloat64, -3.5}))
	count := rapid.IntRange(0, 1<<40)
	maybe := func() *float64 { return rapid.Ptr(number, true).Draw(t, "number") }
	texts := func() []string {
		return rapid.OneOf(rapid.Just([]string(nil)), rapid.SliceOfN(text, 0, 3)).Draw(t, "texts")
	}
	fail := func() *result.Failure {
		return rapid.SampledFrom([]*result.Failure{nil, {Class: fault.Trap, Message: text.Draw(t, "message"), Hint: text.Draw(t, "hint")}}).Draw(t, "failure")
	}
	criteria := func() []result.Criterion {
		var list []result.Criterion
		for range rapid.IntRange(0, 3).Draw(t, "criteria") {
			c := result.Criterion{
				ID: text.Draw(t, "id"), Status: rapid.SampledFrom([]rubric.Status{rubric.Scored, rubric.Unscored, rubric.Failed}).Draw(t, "status"),
				Value: maybe(), Weight: number.Draw(t, "weight"), Reason: text.Draw(t, "reason"), Hits: texts(), Misses: texts(), Error: fail(), Warnings: texts(),
				Fallback: rapid.Bool().Draw(t, "fallback"),
				Details:  rapid.SampledFrom([]jsontext.Value{nil, jsontext.Value(`{"a": [1, 2.50],  "b":"\u00e9"}`), jsontext.Value("{}")}).Draw(t, "details"),
				Stats:    rapid.SampledFrom([][]float64{nil, {1}, {0, 2.5, -3}}).Draw(t, "stats"),
				Native:   rapid.SampledFrom([]*result.Native{nil, {Met: new(true)}, {Met: new(false)}, {Level: new("")}, {Level: new("good")}, {Number: new(7.0)}, {}}).Draw(t, "native"),
			}
			if rapid.Bool().Draw(t, "has evidence") {
				c.Evidence = []rubric.Evidence{{}, {Field: "output", Start: 1, End: 2, Text: text.Draw(t, "evidence")}}
			}
			if rapid.Bool().Draw(t, "has how") {
				c.How = &rubric.How{By: "judge", Plugin: text.Draw(t, "plugin"), Export: "e", Digest: "d", Fuel: rapid.Uint64().Draw(t, "fuel"), PeerFuel: rapid.Uint64().Draw(t, "peer fuel"), Judge: "j", TokensIn: count.Draw(t, "in"), TokensOut: count.Draw(t, "out"),
					CostUSD: number.Draw(t, "cost"), Attempts: count.Draw(t, "attempts"), Replayed: rapid.Bool().Draw(t, "replayed"), Nondeterministic: rapid.Bool().Draw(t, "nondeterministic")}
			}
			list = append(list, c)
		}
		return list
	}
	return &result.Row{
		Schema: 1, Case: text.Draw(t, "case"), CaseDigest: text.Draw(t, "digest"), Repeat: count.Draw(t, "repeat"), Cluster: text.Draw(t, "cluster"), SampleOf: text.Draw(t, "sample_of"), SameAs: text.Draw(t, "same_as"), Probe: text.Draw(t, "probe"), Rubric: text.Draw(t, "rubric"),
		Status: rubric.Scored, Score: maybe(), RawScore: maybe(), Verdict: rapid.Ptr(text, true).Draw(t, "verdict"), Passed: rapid.Ptr(rapid.Bool(), true).Draw(t, "passed"),
		GateFailures: texts(), Criteria: criteria(), Metrics: criteria(), PartialScore: maybe(), Reason: text.Draw(t, "reason"), Warnings: texts(), Feedback: text.Draw(t, "feedback"), Aggregate: rubric.Aggregate(text.Draw(t, "aggregate")),
		Judge: result.Usage{Calls: count.Draw(t, "calls"), TokensIn: 1, TokensOut: 2, CostUSD: number.Draw(t, "cost")}, Error: fail(),
		LLMRawScore: maybe(), JudgeOverall: maybe(), Reward: maybe(),
	}
})

func TestAppendRow_ReadsBackTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		row := anyRow.Draw(rt, "row")
		line, err := result.AppendRow([]byte("before"), row)
		if err != nil {
			rt.Fatal(err)
		}
		text, ok := strings.CutPrefix(string(line), "before")
		if !ok || text != string(diag.EscapeJSON([]byte(text))) {
			rt.Fatalf("%s", line)
		}
		back, err := result.NewRowReader(strings.NewReader(text)).Next()
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(row, back, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(result.Criterion{}, "Details")); diff != "" {
			rt.Fatal(diff)
		}
		if again, err := result.AppendRow(nil, back); err != nil || string(again) != text { // details too
			rt.Fatalf("%s %v, was %s", again, err, text)
		}
	})
}

// usualRow draws rows as evals of metrics make them, and others.
var usualRow = rapid.Custom(func(t *rapid.T) *result.Row {
	row := anyRow.Draw(t, "row")
	row.Judge, row.Aggregate, row.Error, row.LLMRawScore, row.JudgeOverall, row.Reward = result.Usage{}, "", nil, nil, nil, nil
	for c := range row.All() {
		if rapid.IntRange(0, 20).Draw(t, "another") == 0 {
			continue
		}
		c.Evidence, c.Hits, c.Misses, c.Error, c.Warnings, c.Fallback = nil, nil, nil, nil, nil, false
		if c.Native != nil {
			c.Native = &result.Native{Number: new(0.5)}
		}
		if c.How != nil {
			c.How = &rubric.How{By: "metric", Plugin: c.How.Plugin, Export: "e", Digest: "d", Fuel: c.How.Fuel}
		}
	}
	return row
})

// encoded is a row as the library writes it.
func encoded(tb rapid.TB, row *result.Row) string {
	b, err := json.Marshal(row, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		tb.Fatal(err)
	}
	return string(diag.EscapeJSON(b))
}

func TestAppendRow_WritesAsTheLibraryDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		row := rapid.OneOf(usualRow, usualRow, anyRow).Draw(rt, "row")
		if got, err := result.AppendRow(nil, row); err != nil || string(got) != encoded(rt, row) {
			rt.Fatalf("%s, %v; the library writes %s", got, err, encoded(rt, row))
		}
	})
}

// TestAppendRow_WritesEveryField sets one field after the other of a row that has only
// the usual ones.
func TestAppendRow_WritesEveryField(t *testing.T) {
	usual := func() *result.Row {
		return &result.Row{Schema: 1, Case: "c", Score: new(0.5), Criteria: []result.Criterion{{ID: "a", Value: new(0.5), Native: &result.Native{Number: new(0.5)}, How: &rubric.How{By: "metric", Fuel: 7}}}}
	}
	for name, part := range map[string]func(*result.Row) any{
		"row":       func(row *result.Row) any { return row },
		"judge":     func(row *result.Row) any { return &row.Judge },
		"criterion": func(row *result.Row) any { return &row.Criteria[0] },
		"native":    func(row *result.Row) any { return row.Criteria[0].Native },
		"how":       func(row *result.Row) any { return row.Criteria[0].How },
	} {
		for i := range reflect.TypeOf(part(usual())).Elem().NumField() {
			row := usual()
			field := reflect.ValueOf(part(row)).Elem().Field(i)
			switch field.Interface().(type) {
			case jsontext.Value:
				field.SetBytes([]byte(`{"a":1}`))
			default:
				fill(field)
			}
			if got, err := result.AppendRow(nil, row); err != nil || string(got) != encoded(t, row) {
				t.Errorf("%s, field %d: %s, %v; the library writes %s", name, i, got, err, encoded(t, row))
			}
		}
	}
}

// fill sets v to a value that is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		if v.Type().Elem().Kind() != reflect.Struct {
			fill(v.Index(0))
		}
	case reflect.Struct:
		fill(v.Field(0))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(2.5)
	case reflect.Uint64:
		v.SetUint(3)
	default:
		v.SetInt(3)
	}
}

func TestAppendRow_RefusesWhatJSONCannotHold(t *testing.T) {
	for name, row := range map[string]*result.Row{
		"a score that is NaN":       {Case: "c", Score: new(math.NaN())},
		"an infinite weight":        {Case: "c", Criteria: []result.Criterion{{Weight: math.Inf(1)}}},
		"an infinite cost":          {Case: "c", Judge: result.Usage{CostUSD: math.Inf(1)}},
		"details that are not JSON": {Case: "c", Metrics: []result.Criterion{{Details: jsontext.Value(`{"a":`)}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := result.AppendRow([]byte("before"), row)
			if err == nil || !strings.Contains(err.Error(), `"c"`) || string(got) != "before" {
				t.Errorf("%s, %v", got, err)
			}
		})
	}
	b, err := result.AppendRow(nil, &result.Row{Reason: "caf\xe9"})
	if err != nil || !strings.Contains(string(b), "caf\uFFFD") {
		t.Errorf("invalid UTF-8 lost a row: %s, %v", b, err)
	}
}

// TestEscapeJSON_EveryCharacter: it escapes exactly the characters that diag.Plain
// would replace and JSON does not escape, and the text keeps its meaning.
func TestEscapeJSON_EveryCharacter(t *testing.T) {
	for r := rune(0x20); r <= unicode.MaxRune; r++ {
		if r > 0xFFFF {
			r += 60 // nothing of the kind is known there; look here and there
		}
		if !utf8.ValidRune(r) {
			continue
		}
		s := strings.Repeat("a", int(r)%9) + string(r) + "bcdefghi" // at any place of eight bytes
		quoted, err := json.Marshal(s)
		must(t, err)
		escaped := diag.EscapeJSON(quoted)
		if (string(escaped) != string(quoted)) != (diag.Plain(s) != s) {
			t.Fatalf("U+%04X: %s, and diag.Plain %q", r, escaped, diag.Plain(s))
		}
		var back string
		if err := json.Unmarshal(escaped, &back); err != nil || back != s {
			t.Fatalf("U+%04X: %q, %v", r, back, err)
		}
	}
	if got := diag.EscapeJSON([]byte("\"\xc2")); string(got) != "\"\xc2" {
		t.Errorf("a cut character: %q", got)
	}
}

func lines(t *testing.T, rows ...*result.Row) string {
	t.Helper()
	var b []byte
	for _, r := range rows {
		var err error
		if b, err = result.AppendRow(b, r); err != nil {
			t.Fatal(err)
		}
		b = append(b, '\n')
	}
	return string(b)
}

func simpleRow(id string, score float64) *result.Row {
	return &result.Row{Schema: 1, Case: id, Status: rubric.Scored, Score: &score, Passed: new(score >= 0.5), Criteria: []result.Criterion{}, Metrics: []result.Criterion{}}
}

func TestRowReader_ReadsRows(t *testing.T) {
	two := lines(t, simpleRow("a", 1), simpleRow("b", 0))
	long := lines(t, &result.Row{Schema: 1, Case: "long", Reason: strings.Repeat("x", 600_000)})
	tests := []struct {
		name, text, want string
		errs             []string
		torn             bool
		end              int
		terminated       bool
	}{
		{"whole rows", two, "a b", nil, false, len(two), true},
		{"nothing", "", "", nil, false, 0, true},
		{"a long row", long + two, "long a b", nil, false, len(long) + len(two), true},
		{"empty lines", "\n" + two + "\n \n", "a b", nil, false, len(two) + 4, true},
		{"a last row without a line break", strings.TrimSuffix(two, "\n"), "a b", nil, false, len(two) - 1, false},
		{"a torn last line", two + `{"schema":1,"case":"c","sco`, "a b", []string{"line 3 is torn"}, true, len(two), true},
		{"a torn last line of NULs", two + "\x00\x00\x00", "a b", []string{"torn"}, true, len(two), true},
		{"a broken line in between", two + "{\n" + two, "a b a b", []string{"line 3 is not a row"}, false, 2*len(two) + 2, true},
		{"a line of another schema", `{"schema":2}` + "\n" + two, "a b", []string{"schema version 2"}, false, 13 + len(two), true},
		{"a line without a schema", `{"case":"x"}` + "\n" + two, "a b", []string{"no schema version"}, false, 13 + len(two), true},
		{"a duplicate key", `{"schema":1,"schema":1}` + "\n", "", []string{"duplicate"}, false, 24, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows := result.NewRowReader(strings.NewReader(tt.text))
			var ids []string
			var errs []error
			for {
				row, err := rows.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					errs = append(errs, err)
					continue
				}
				ids = append(ids, row.Case)
			}
			if got := strings.Join(ids, " "); got != tt.want {
				t.Errorf("rows %q, want %q", got, tt.want)
			}
			if len(errs) != len(tt.errs) {
				t.Fatalf("errors %v, want %v", errs, tt.errs)
			}
			for i, err := range errs {
				var torn *result.TornError
				if !strings.Contains(err.Error(), tt.errs[i]) || !fault.Is(err, fault.Invalid) || errors.As(err, &torn) != tt.torn {
					t.Errorf("error %v, want %s, torn %v", err, tt.errs[i], tt.torn)
				}
				if torn != nil && torn.Offset != int64(tt.end) {
					t.Errorf("torn at %d, want %d", torn.Offset, tt.end)
				}
			}
			if end, terminated := rows.Tail(); end != int64(tt.end) || terminated != tt.terminated {
				t.Errorf("Tail = %d, %v, want %d, %v", end, terminated, tt.end, tt.terminated)
			}
		})
	}
}

// TestRowReader_RowsCutAnywhere cuts a file at every byte: the rows before the cut are
// read, and appending the rest at Tail gives all of them.
func TestRowReader_RowsCutAnywhere(t *testing.T) {
	text := lines(t, simpleRow("a", 1), simpleRow("b", 0.25), simpleRow("c", 0))
	for cut := range len(text) {
		rows := result.NewRowReader(iotest.OneByteReader(strings.NewReader(text[:cut])))
		n := 0
		for {
			row, err := rows.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if row != nil {
				n++
			}
		}
		end, terminated := rows.Tail()
		whole := strings.Count(text[:cut], "\n")
		if !terminated {
			whole++
		}
		if n != whole || end > int64(cut) {
			t.Fatalf("cut at %d: %d rows, want %d; tail %d, %v", cut, n, whole, end, terminated)
		}
	}
}

func TestReadRows_EndsOnReadErrors(t *testing.T) {
	boom := errors.New("boom")
	var last error
	n := 0
	for _, err := range result.ReadRows(io.MultiReader(strings.NewReader(lines(t, simpleRow("a", 1))), iotest.ErrReader(boom))) {
		if err != nil {
			last = err
			continue
		}
		n++
	}
	if n != 1 || !errors.Is(last, boom) {
		t.Errorf("%d rows, %v", n, last)
	}
}

func TestFailing_SkipsUnreadableRows(t *testing.T) {
	text := lines(t, simpleRow("a", 1), simpleRow("b", 0), unscoredRow("c", fault.Trap)) + "{\n" + lines(t, simpleRow("d", 0.1))
	cases, err := result.Failing(result.ReadRows(strings.NewReader(text)))
	if !fault.Is(err, fault.Invalid) || len(cases) != 3 || !cases["b"] || !cases["c"] || !cases["d"] {
		t.Errorf("%v, %v", cases, err)
	}
}

// FuzzRows holds the reader to its promise on any bytes: no panic, and every
// error but the end is a fault of class invalid.
func FuzzRows(f *testing.F) {
	f.Add([]byte(`{"schema":1,"status":"scored","score":0.5,"criteria":[{"id":"a","value":1}]}` + "\n{"))
	f.Add([]byte("\n\n{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := result.NewSummarizer(result.SummaryOptions{})
		for row, err := range result.ReadRows(bytes.NewReader(text)) {
			if err != nil {
				if !fault.Is(err, fault.Invalid) {
					t.Fatal(err)
				}
				continue
			}
			s.Add(row)
			if _, err := result.AppendRow(nil, row); err != nil {
				t.Fatalf("a row that was read cannot be written: %v", err)
			}
		}
		if _, err := json.Marshal(s.Summary()); err != nil {
			t.Fatal(err)
		}
	})
}

func benchRow() *result.Row {
	r := simpleRow("case-000123", 0.8123)
	r.CaseDigest, r.Repeat, r.Verdict = "sha256:"+strings.Repeat("a", 64), 1, new("pass")
	for i := range 6 {
		r.Criteria = append(r.Criteria, result.Criterion{ID: "criterion-" + string(rune('a'+i)), Status: rubric.Scored, Value: new(0.75), Native: &result.Native{Met: new(true)}, Weight: 1.5,
			Reason: strings.Repeat("Because it says so. ", 6), Evidence: []rubric.Evidence{{Field: "output", Start: 3, End: 40, Text: "within 14 days of delivery"}},
			How: &rubric.How{By: "judge", Judge: "m", TokensIn: 812, TokensOut: 90, CostUSD: 0.0012, Attempts: 1, Digest: "sha256:" + strings.Repeat("b", 64)}})
	}
	return r
}

func BenchmarkAppendRow(b *testing.B) {
	row, dst := benchRow(), make([]byte, 0, 1<<14)
	b.ReportAllocs()
	for b.Loop() {
		out, err := result.AppendRow(dst, row)
		must(b, err)
		b.SetBytes(int64(len(out)))
	}
}

// BenchmarkAppendRow_Metrics writes a row of three metrics.
func BenchmarkAppendRow_Metrics(b *testing.B) {
	row, dst := simpleRow("case-000123", 0.8123), make([]byte, 0, 1<<14)
	for _, id := range []string{"bleu", "rougeL", "flesch"} {
		row.Criteria = append(row.Criteria, result.Criterion{ID: id, Status: rubric.Scored, Value: new(0.7098108717509045), Native: &result.Native{Number: new(0.7098108717509045)}, Weight: 1,
			Details: jsontext.Value(`{"rougeL":{"precision":0.8571428571428571,"recall":0.8571428571428571,"fmeasure":0.8571428571428571}}`),
			Stats:   []float64{16, 16, 14, 11, 9, 8, 16, 15, 14, 13, 1, 1, 1}, How: &rubric.How{By: "metric", Plugin: id, Export: id, Fuel: 60504, Digest: "sha256:" + strings.Repeat("b", 64)}})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := result.AppendRow(dst, row); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadRows(b *testing.B) {
	line, err := result.AppendRow(nil, benchRow())
	must(b, err)
	text := bytes.Repeat(append(line, '\n'), 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for _, err := range result.ReadRows(bytes.NewReader(text)) {
			must(b, err)
		}
	}
}

func BenchmarkSummarizer(b *testing.B) {
	s, row := result.NewSummarizer(result.SummaryOptions{}), benchRow()
	b.ReportAllocs()
	for b.Loop() {
		s.Add(row)
	}
}
