package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// writeJUnit writes gates and cases as test cases, so that the file says what the exit code says: what a
// passing run tolerates is skipped, and so is a case for which there is no pass rule.
func writeJUnit(w io.Writer, v *view, _ Options) error {
	c, gates, failed, stopped := v.sum.Counts, len(v.Run.Gates), result.Missed(v.Run.Gates), 0
	if v.Rows == nil {
		c = result.Counts{}
	}
	skipped := c.Undecided()
	if v.Rows != nil {
		c.Failed = v.sum.Failing()
	}
	if tolerant(v.Run) {
		skipped, c.Failed, c.Unscored = skipped+c.Failed+c.Unscored, 0, 0
	}
	if v.Run.Error != nil {
		stopped = 1
	}
	seconds := v.Run.Took().Seconds()
	fmt.Fprint(w, xml.Header)
	fmt.Fprintf(w, `<testsuites name="%s" tests="%d" failures="%d" errors="%d" skipped="%d" time="%.3f">`+"\n", xmlText(v.title()), stopped+gates+c.Rows, failed+c.Failed, stopped+c.Unscored, skipped, seconds)
	if e := v.Run.Error; e != nil {
		fmt.Fprint(w, `  <testsuite name="run" tests="1" failures="0" errors="1">`+"\n")
		junitTest{"run", "comes to its end", "error", string(e.Class), e.Message, e.Message}.write(w)
		fmt.Fprint(w, "  </testsuite>\n")
	}
	if gates > 0 {
		fmt.Fprintf(w, `  <testsuite name="gates" tests="%d" failures="%d" errors="0">`+"\n", gates, failed)
		for _, g := range v.Run.Gates {
			test := junitTest{"gates", g.Expr, "failure", "gate", g.Why, g.Why}
			if g.Passed {
				test.kind = ""
			}
			test.write(w)
		}
		fmt.Fprint(w, "  </testsuite>\n")
	}
	if v.Rows != nil {
		fmt.Fprintf(w, `  <testsuite name="cases" tests="%d" failures="%d" errors="%d" skipped="%d">`+"\n", c.Rows, c.Failed, c.Unscored, skipped)
		junitProperties(w, v)
		for row := range v.rows() {
			v.junitTest(row).write(w)
		}
		fmt.Fprint(w, "  </testsuite>\n")
	}
	fmt.Fprint(w, "</testsuites>\n")
	return nil
}

// tolerant reports whether a run passed whatever became of its cases.
func tolerant(run *result.Run) bool {
	return run.Status == result.Finished && run.EndsWith(0) && run.Error == nil
}

func junitProperties(w io.Writer, v *view) {
	fmt.Fprint(w, "    <properties>\n")
	var rate *float64
	if p := v.sum.Total.Pass; p != nil {
		rate = p.Rate
	}
	properties := [][2]string{{"run", v.Run.ID}, {"rubric", v.Run.Rubric.Digest}, {"dataset", v.Run.Dataset.Digest}, {"mean", whole(v.sum.Total.Mean)}, {"pass_rate", whole(rate)}, {"note", v.contentNote()}}
	for _, note := range v.sliceNotes() {
		properties = append(properties, [2]string{"slice " + note[0], note[1]})
	}
	for _, p := range properties {
		if p[1] != "" && p[1] != none {
			fmt.Fprintf(w, `      <property name="%s" value="%s"/>`+"\n", xmlText(p[0]), xmlText(plain(p[1])))
		}
	}
	fmt.Fprint(w, "    </properties>\n")
}

func (v *view) junitTest(row *result.Row) junitTest {
	t := junitTest{suite: "cases", name: caseName(row)}
	switch {
	case row.Score != nil && row.Passed == nil:
		t.kind, t.class, t.message = "skipped", "no pass rule", "score "+v.score(row.Score)+"; the rubric does not say which scores pass"
		return t
	case !row.Fails():
		return t
	}
	t.kind, t.class, t.message = "failure", verdictWord(row), v.whyFailed(row)
	if row.Score != nil {
		t.message = "score " + v.score(row.Score) + "; " + t.message
	} else if t.kind = "error"; row.Error != nil {
		t.class = string(row.Error.Class)
	}
	if tolerant(v.Run) {
		t.kind = "skipped"
	}
	var b strings.Builder
	v.explain(&b, row, Options{})
	t.message, t.text = strings.TrimSuffix(t.message, "; "), b.String()
	return t
}

// A junitTest is a test case. Its kind is failure, error or skipped; empty: it passed.
type junitTest struct{ suite, name, kind, class, message, text string }

func (t junitTest) write(w io.Writer) {
	fmt.Fprintf(w, `    <testcase classname="%s" name="%s"`, t.suite, xmlText(plain(t.name)))
	if t.kind == "" {
		fmt.Fprint(w, "/>\n")
		return
	}
	fmt.Fprintf(w, ">\n      <%s type=\"%s\" message=\"%s\">%s</%[1]s>\n    </testcase>\n", t.kind, xmlText(plain(t.class)), xmlText(diag.Fit(plain(t.message), 1000)),
		strings.ReplaceAll(xmlText(plainLines(t.text)), "&#xA;", "\n")) // between tags, line breaks may stay
}

// xmlText escapes text for XML. Characters that XML 1.0 cannot hold are replaced.
func xmlText(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil { // a Builder takes everything
		return ""
	}
	return b.String()
}
