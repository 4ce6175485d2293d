package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// maxSARIF is how many results of one run code hosts accept.
const maxSARIF = 25_000

// cited is the form in which code plugins cite a place: "line:column: rule: message".
var cited = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([1-9]\d{0,8}):([1-9]\d{0,8}): ([a-z0-9-]+): (?s:(.*))$`)
})

// A sarif is an object of SARIF 2.1.0.
type sarif = map[string]any

// writeSARIF writes SARIF 2.1.0. A finding stands in the file that the field "file" or "path" of its case
// names, else at the line of the case in its dataset. Notifications count what is left out.
func writeSARIF(w io.Writer, v *view, _ Options) error {
	results, rules, notes := []sarif{}, []sarif{}, []sarif(nil)
	note := func(text string) { notes = append(notes, sarif{"message": sarif{"text": text}}) }
	known := map[string]bool{}
	more, uncited, unscored := 0, 0, 0
	for row := range v.rows() {
		var place *sarifPlace
		if row.Status != rubric.Scored {
			unscored++
		}
		for c := range row.All() {
			list := findings(c)
			if len(list) > 0 {
				uncited += max(0, found(c)-len(list))
			}
			for _, m := range list {
				if len(results) == maxSARIF {
					more++
					continue
				}
				if place == nil {
					place = v.sarifPlace(row)
				}
				results = append(results, place.result(m))
				if !known[m.id] {
					known[m.id], rules = true, append(rules, m.descriptor())
				}
			}
		}
	}
	if uncited > 0 {
		note(diag.Count(uncited, "more finding") + " left out: a plugin cites up to 100 of a case")
	}
	if more > 0 {
		note(diag.Count(more, "more finding") + " left out: code hosts accept 25,000")
	}
	if unscored > 0 {
		note(diag.Count(unscored, "row") + " without a score: findings may be missing")
	}
	if text := v.contentNote(); text != "" {
		note(plain(text))
	}
	invocation := sarif{"executionSuccessful": v.Run.Error == nil}
	if notes != nil {
		invocation["toolExecutionNotifications"] = notes
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarif{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []sarif{{
		"tool":       sarif{"driver": sarif{"name": "rubric-host", "version": v.Run.Versions.RubricHost, "informationUri": "https://github.com/rubric-host/rubric-host", "rules": rules}},
		"columnKind": "utf16CodeUnits", "invocations": []sarif{invocation}, "results": results,
	}}})
}

// A finding is a place in the output that a criterion cites, and what is wrong there.
type finding struct {
	sarifRule
	at         string // "line 3, column 7", in code points
	text       string
	start, end int // code points of the output
}

// findings returns the findings in the output that a criterion cites.
func findings(c *result.Criterion) (list []finding) {
	for _, e := range c.Evidence {
		if m := cited().FindStringSubmatch(e.Text); m != nil && e.Field == "output" {
			at := fmt.Sprintf("line %s, column %s", m[1], m[2])
			list = append(list, finding{ruleOf(m[3], c), at, plain(m[4]), e.Start, e.End})
		}
	}
	return list
}

// found returns how many findings the details of a code plugin count; 0: they count none.
func found(c *result.Criterion) int {
	var details struct {
		Findings int `json:"findings"`
	}
	if json.Unmarshal(c.Details, &details) != nil {
		return 0
	}
	return details.Findings
}

// A sarifRule is a rule of a plugin, and how grave a finding of it is.
type sarifRule struct{ id, level string }

// ruleOf returns the rule of a finding of a criterion.
func ruleOf(id string, c *result.Criterion) sarifRule {
	var details struct {
		Valid *bool `json:"valid"`
	}
	if id == "syntax-error" || json.Unmarshal(c.Details, &details) == nil && details.Valid != nil {
		return sarifRule{id, "error"}
	}
	return sarifRule{id, "warning"}
}

// descriptor has the members of a rule that GitHub requires.
func (r sarifRule) descriptor() sarif {
	name := sarif{"text": r.id}
	return sarif{
		"id": r.id, "shortDescription": name, "fullDescription": name, "help": sarif{"text": "The plugin that scored the case describes this rule."},
		"defaultConfiguration": sarif{"level": r.level},
	}
}

// A sarifPlace is where the findings of a row stand.
type sarifPlace struct {
	name   string // of the case
	uri    string // of a file, which is the output or the dataset; empty: not known
	line   int    // of the case in its dataset, 0: not known
	output []rune // of a case that is a file; nil: the place is in a dataset
}

// sarifPlace returns the file that a case is, else its place in the dataset.
func (v *view) sarifPlace(row *result.Row) *sarifPlace {
	p := &sarifPlace{name: plain(caseName(row))}
	c := v.caseOf(row)
	if c == nil {
		return p
	}
	path := c.File
	p.line = c.Line
	for _, f := range c.Fields {
		var own string
		if (f.Name == "file" || f.Name == "path") && json.Unmarshal(f.Value, &own) == nil && own != "" {
			path, p.output = own, []rune(c.Output)
			break
		}
	}
	if path == "" {
		return p
	}
	path = filepath.Clean(plain(path))
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme, u.Path = "file", "/"+strings.TrimPrefix(u.Path, "/")
	}
	p.uri = u.String()
	return p
}

// result makes a result of a finding.
func (p *sarifPlace) result(f finding) sarif {
	r := sarif{"ruleId": f.id, "level": f.level}
	location := sarif{"logicalLocations": []sarif{{"name": p.name, "kind": "case"}}}
	at := sarif{"artifactLocation": sarif{"uri": p.uri}}
	message := fmt.Sprintf("%s, %s: %s", p.name, f.at, f.text)
	switch {
	case p.output != nil:
		line, column := p.position(f.start)
		endLine, endColumn := p.position(max(f.start, f.end))
		message = f.text
		at["region"] = sarif{"startLine": line, "startColumn": column, "endLine": endLine, "endColumn": endColumn}
	case p.line > 0:
		at["region"] = sarif{"startLine": p.line}
	}
	if p.uri != "" {
		location["physicalLocation"] = at
	}
	r["message"], r["locations"] = sarif{"text": message}, []sarif{location}
	return r
}

// position returns the line and column, in UTF-16 units from 1, after n code points of the output.
func (p *sarifPlace) position(n int) (line, column int) {
	line, column = 1, 1
	for i, r := range p.output[:min(max(n, 0), len(p.output))] {
		column += utf16.RuneLen(r)
		if r == '\n' || r == '\r' && (i+1 == len(p.output) || p.output[i+1] != '\n') {
			line, column = line+1, 1
		}
	}
	return line, column
}
