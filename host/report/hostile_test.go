package report_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// tester has the common methods of *testing.T and the fuzzer.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// checks test each format for its reader's needs, whatever the text.
var checks = map[report.Format]func(t tester, out string){
	report.Text: func(tester, string) {},
	report.JSON: func(t tester, out string) {
		if !json.Valid([]byte(out)) {
			t.Errorf("not JSON:\n%s", out)
		}
	},
	report.JSONL: func(t tester, out string) {
		for _, l := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
			if !json.Valid([]byte(l)) {
				t.Errorf("not JSON: %s", l)
			}
		}
	},
	report.CSV:      checkCSV,
	report.Markdown: checkMarkdown,
	report.JUnit:    checkJUnit,
	report.GitHub: func(t tester, out string) {
		for _, l := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
			if !regexp.MustCompile(`^::(error|warning|notice) (file=[^:,]*,(line=\d+,)?)?title=[^:,]*::`).MatchString(l) {
				t.Errorf("not one annotation: %q", l)
			}
		}
	},
	report.HTML:  checkHTML,
	report.SARIF: checkSARIF,
}

// checkCSV reads the table back: as many cells in each row, and none that a
// spreadsheet takes for a formula.
func checkCSV(t tester, out string) {
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatalf("not CSV: %v", err)
	}
	number := regexp.MustCompile(`^-?[0-9.e+-]+$`)
	for _, row := range rows {
		for _, c := range row {
			c = strings.TrimLeft(c, " \n")
			if c != "" && strings.ContainsAny(c[:1], "=+-@\t\r") && !number.MatchString(c) {
				t.Errorf("a formula: %q", c)
			}
		}
	}
}

// checkMarkdown counts markup: no line begins a table of another width, no tag but
// ours, no mention, no link.
func checkMarkdown(t tester, out string) {
	bare := regexp.MustCompile(`\\.`).ReplaceAllString(out, "")
	for _, l := range strings.Split(bare, "\n") {
		if n := strings.Count(l, "|"); n != 0 && n != 4 && n != 5 && n != 7 && n != 12 && n != 11 {
			t.Errorf("%d bars in %q", n, l)
		}
	}
	bare = strings.NewReplacer("<details><summary>Failing cases</summary>", "", "</details>", "").Replace(bare)
	if strings.ContainsAny(bare, "<@`") || strings.Contains(bare, "://") || strings.Contains(bare, "](") {
		t.Errorf("markup in:\n%s", out)
	}
}

type junit struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Suites   []struct {
		Cases []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
			Error *struct{} `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// checkJUnit reads the file back, and counts.
func checkJUnit(t tester, out string) {
	var j junit
	if err := xml.Unmarshal([]byte(out), &j); err != nil {
		t.Fatalf("not XML: %v\n%s", err, out)
	}
	tests, failures, errs := 0, 0, 0
	for _, s := range j.Suites {
		for _, c := range s.Cases {
			tests++
			if c.Failure != nil {
				failures++
			}
			if c.Error != nil {
				errs++
			}
		}
	}
	if tests != j.Tests || failures != j.Failures || errs != j.Errors {
		t.Errorf("%d tests, %d failures, %d errors; the head says %d, %d, %d", tests, failures, errs, j.Tests, j.Failures, j.Errors)
	}
}

var (
	tag    = regexp.MustCompile(`^<(/?[a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9-]*(?:="[^"<>]*")?)*)\s*/?>`)
	attr   = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9-]*)(?:="[^"]*")?`)
	svgs   = regexp.MustCompile(`(?s)<svg.*?</svg>`)
	inline = regexp.MustCompile(`(?s)<(style|script)>(.*?)</`)
)

// words is a set.
func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// The elements and attributes of the page's template and drawings.
var (
	elements   = words("html head meta title style script template body header nav h1 h2 p strong main section article div span table tbody thead tr th td code svg rect line circle text ul li label input select button dialog kbd pre a")
	attributes = words("lang charset http-equiv content name class aria-label aria-live aria-pressed role tabindex viewBox x y x1 y1 x2 y2 cx cy r rx width height text-anchor scope title id hidden type placeholder autocomplete href")
)

// checkTags holds every < of the page outside its script and style to be one of
// our tags, with our attributes and no others.
func checkTags(t tester, page string) {
	page = strings.Replace(page, scriptOf(page), "", 1)
	page = strings.Replace(page, between(page, "<style>", "</style>"), "", 1)
	page = strings.TrimPrefix(page, "<!doctype html>")
	for i := strings.IndexByte(page, '<'); i >= 0; i = strings.IndexByte(page, '<') {
		page = page[i:]
		m := tag.FindStringSubmatch(page)
		if m == nil {
			t.Fatalf("not a tag: %q", page[:min(len(page), 80)])
			return
		}
		if !elements[strings.TrimPrefix(m[1], "/")] {
			t.Errorf("an element <%s>", m[1])
		}
		for _, a := range attr.FindAllStringSubmatch(m[2], -1) {
			if !attributes[a[1]] || a[1] == "href" && !strings.HasPrefix(a[0], `href="#case=`) && !strings.HasPrefix(a[0], `href="#slice.`) {
				t.Errorf("an attribute %s in %s", a[0], m[0])
			}
		}
		page = page[len(m[0]):]
	}
}

// checkHTML looks at the page as a browser would: only our tags, one script
// and one style, both as the policy has them, nothing from elsewhere, and
// drawings that are well-formed.
func checkHTML(t tester, out string) {
	checkTags(t, out)
	policy := between(out, `Content-Security-Policy" content="`, `"`)
	found := inline.FindAllStringSubmatch(out, -1)
	if len(found) != 2 || strings.Count(out, "<script") != 1 || strings.Count(out, "<style") != 1 {
		t.Errorf("%d inline blocks", len(found))
	}
	for _, m := range found {
		sum := sha256.Sum256([]byte(m[2]))
		if want := m[1] + "-src &#39;sha256-" + strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "+", "&#43;"); !strings.Contains(policy, want) {
			t.Errorf("the policy %s does not have %s", policy, want)
		}
	}
	if !strings.HasPrefix(policy, "default-src &#39;none&#39;") {
		t.Errorf("policy %s", policy)
	}
	for _, bad := range []string{"url(", "@import"} {
		if strings.Contains(between(out, "<style>", "</style>"), bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	harmless(t, "the data of the page", unpacked(t, out))
	for _, s := range svgs.FindAllString(out, -1) {
		d := xml.NewDecoder(strings.NewReader(s))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("a drawing is malformed: %v\n%s", err, s)
			}
		}
	}
}

var packed = regexp.MustCompile(`<template class="(?:rows|index)">([A-Za-z0-9+/=]*)</template>`)

// unpacked returns the rows and the index of a page, as the page decodes them:
// every text in them, one a line.
func unpacked(t tester, page string) string {
	t.Helper()
	if n := len(packed.FindAllString(page, -1)); n != strings.Count(page, "<template") {
		t.Errorf("%d templates of %d hold data", n, strings.Count(page, "<template"))
	}
	var all strings.Builder
	var texts func(v any)
	texts = func(v any) {
		switch v := v.(type) {
		case string:
			all.WriteString(v + "\n")
		case []any:
			for _, e := range v {
				texts(e)
			}
		case map[string]any:
			for _, e := range v {
				texts(e)
			}
		}
	}
	for _, m := range packed.FindAllStringSubmatch(page, -1) {
		zip, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1])))
		if err != nil {
			t.Fatalf("%v", err)
			return ""
		}
		var v any
		if err := json.NewDecoder(zip).Decode(&v); err != nil {
			t.Fatalf("%v", err)
		}
		texts(v)
	}
	return all.String()
}

func scriptOf(page string) string { return between(page, "<script>", "</script>") }

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

// checkAll renders every format, and checks that no character steers a terminal
// or turns the direction of text.
func checkAll(t tester, d report.Doc) {
	t.Helper()
	for _, f := range report.Formats() {
		var b bytes.Buffer
		if err := report.Write(&b, f, d, report.Options{}); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		harmless(t, string(f), b.String())
		checks[f](t, b.String())
	}
	var b bytes.Buffer
	if err := report.Failures(&b, d, "", report.Options{}); err != nil {
		t.Fatalf("%v", err)
	}
	for row := range d.Rows {
		if err := report.Explain(&b, row, d.Rubric, report.Options{}); err != nil {
			t.Fatalf("%v", err)
		}
	}
	harmless(t, "failures", b.String())
}

func harmless(t tester, name, out string) {
	t.Helper()
	if got := diag.PlainLines(out); got != out {
		for i, r := range out {
			if diag.PlainLines(string(r)) != string(r) {
				t.Errorf("%s: U+%04X gets through: %q", name, r, out[max(0, i-20):min(len(out), i+20)])
				return
			}
		}
	}
}

func TestWrite_EveryFormatHasAHostileCase(t *testing.T) {
	for _, f := range report.Formats() {
		if checks[f] == nil {
			t.Errorf("no check for %s", f)
		}
	}
}

func TestWrite_EscapesHostileText(t *testing.T) {
	checkAll(t, sample())
	checkAll(t, hostile(evil))
}

// hostile is a run that says s wherever anything can be said.
func hostile(s string) report.Doc {
	row := supportRow(s, false, "cold", true, 0.1)
	row.Cluster, row.Reason, row.Warnings, row.GateFailures = s, s, []string{s}, []string{s}
	row.Verdict = &s
	row.Criteria = append(row.Criteria, result.Criterion{ID: s, Status: rubric.Status(s), Reason: s, Weight: 1, Hits: []string{s}, Native: &result.Native{Level: &s}, Value: new(0.5), How: &rubric.How{By: s, Judge: s}})
	bad := &result.Row{Schema: 1, Case: s, Status: rubric.Unscored, Error: &result.Failure{Class: fault.Class(s), Message: s, Hint: s}}
	d := docOf([]*result.Row{row, bad}, "mean>=0.8")
	r := d.Run
	r.ID, r.Command, r.Rubric = s, []string{s, s}, result.Rubric{ID: s, Name: s, Version: s, Dialect: s, Digest: s}
	r.Gates = append(r.Gates, result.Outcome{Expr: s, Why: s})
	r.Error = &result.Failure{Class: fault.Class(s), Message: s, Hint: s}
	r.Dataset.Digest, r.Dataset.Sources[0].Name = s, s
	r.Plugins[0].Name, r.Judges[0].Name, r.PlanDigest = s, s, s
	r.Summary.Corpus[0].Name, r.Summary.Warnings = s, []string{s}
	r.Summary.Slices = []result.Slice{{Field: s, Values: []result.SliceValue{{Value: s, Counts: r.Summary.Counts, Total: r.Summary.Total, Criteria: r.Summary.Criteria}}}}
	d.Rubric.Criteria[0].Text, d.Rubric.Criteria[1].Name = s, s
	return d
}

// FuzzHostile puts any text wherever something can be said.
func FuzzHostile(f *testing.F) {
	for _, s := range []string{"", evil, "=1+1", "-", "\t=x", "a|b\n|c", "</script><script>", "]]>", "%0A::error::", "'; rm -rf ~", "\x1b[31m", "\u202e", strings.Repeat("x", 5000), "é\xff", "a\u0300\u200d👩‍👩‍👧", "\\|", "www.example.com", "::", "a onload="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkAll(t, hostile(s)) })
}
