package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// maxSARIF is how many results of one run code hosts accept.
const maxSARIF = 25_000

// finding is the form in which code plugins cite a place: "line:column: rule: message".
var finding = sync.OnceValue(func() *regexp.Regexp {
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
		if row.Status != rubric.Scored {
			unscored++
		}
		for c := range row.All() {
			cited := findings(c)
			if len(cited) > 0 {
				uncited += max(0, found(c)-len(cited))
			}
			for _, m := range cited {
				if len(results) == maxSARIF {
					more++
					continue
				}
				results = append(results, v.sarif(row, m))
				if rule := m[3]; !known[rule] {
					known[rule], rules = true, append(rules, sarif{"id": rule})
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
		"tool":       sarif{"driver": sarif{"name": "rubric-host", "rules": rules}},
		"columnKind": "unicodeCodePoints", "invocations": []sarif{invocation}, "results": results,
	}}})
}

// findings returns the findings in the output that a criterion cites, as matches of finding.
func findings(c *result.Criterion) (list [][]string) {
	for _, e := range c.Evidence {
		if m := finding().FindStringSubmatch(e.Text); m != nil && e.Field == "output" {
			list = append(list, m)
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

// sarif makes a result of a finding: line, column, rule and message.
func (v *view) sarif(row *result.Row, m []string) sarif {
	line, _ := strconv.Atoi(m[1])
	column, _ := strconv.Atoi(m[2])
	message, level, name := plain(m[4]), "warning", plain(caseName(row))
	if m[3] == "syntax-error" {
		level = "error"
	}
	location := sarif{"logicalLocations": []sarif{{"name": name, "kind": "case"}}}
	path, region := v.placeOf(row, line, column)
	if region["startColumn"] == nil {
		message = fmt.Sprintf("%s, line %d, column %d: %s", name, line, column, message)
	}
	if path != "" {
		at := sarif{"artifactLocation": sarif{"uri": (&url.URL{Path: filepath.ToSlash(filepath.Clean(plain(path)))}).String()}}
		if region != nil {
			at["region"] = region
		}
		location["physicalLocation"] = at
	}
	return sarif{"ruleId": m[3], "level": level, "message": sarif{"text": message}, "locations": []sarif{location}}
}

// placeOf returns the file that a case is, and the place in it; else its place in the dataset.
func (v *view) placeOf(row *result.Row, line, column int) (path string, region sarif) {
	c := v.caseOf(row)
	if c == nil {
		return "", nil
	}
	for _, f := range c.Fields {
		if (f.Name == "file" || f.Name == "path") && json.Unmarshal(f.Value, &path) == nil && path != "" {
			return path, sarif{"startLine": line, "startColumn": column}
		}
	}
	if c.File != "" && c.Line > 0 {
		region = sarif{"startLine": c.Line}
	}
	return c.File, region
}
