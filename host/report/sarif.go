package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
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

// The part of SARIF 2.1.0 that writeSARIF uses.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind  string            `json:"columnKind"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Message sarifText `json:"message"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
	}
)

// writeSARIF writes the findings of code plugins for code hosts: SARIF 2.1.0. A case
// with the field "file" or "path" is that file, and the finding has its line and column;
// other findings are at the line of the case in its dataset, and the message says where.
// A notification counts the rows without a score: their findings are missing.
func writeSARIF(w io.Writer, v *view, _ Options) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "rubric-host", Rules: []sarifRule{}}
	invocation := sarifInvocation{Successful: v.Run.Error == nil}
	note := func(text string) {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{sarifText{text}})
	}
	more, unscored := 0, 0
	for row := range v.rows() {
		if row.Status != rubric.Scored {
			unscored++
		}
		for c := range row.All() {
			for _, e := range c.Evidence {
				m := finding().FindStringSubmatch(e.Text)
				switch {
				case m == nil || e.Field != "output":
				case len(run.Results) == maxSARIF:
					more++
				default:
					run.Results = append(run.Results, v.sarif(row, m))
				}
			}
		}
	}
	for _, r := range run.Results {
		if rule := (sarifRule{r.RuleID}); !slices.Contains(run.Tool.Driver.Rules, rule) {
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
		}
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
	run.Invocations = []sarifInvocation{invocation}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarif makes a result of a finding: line, column, rule and message.
func (v *view) sarif(row *result.Row, m []string) sarifResult {
	line, _ := strconv.Atoi(m[1])
	column, _ := strconv.Atoi(m[2])
	r := sarifResult{RuleID: m[3], Level: "warning", Message: sarifText{plain(m[4])}}
	if r.RuleID == "syntax-error" {
		r.Level = "error"
	}
	at := sarifLocation{Logical: []sarifLogical{{Name: plain(caseName(row)), Kind: "case"}}}
	if c := v.caseOf(row); c != nil {
		for _, f := range c.Fields {
			var path string
			if (f.Name == "file" || f.Name == "path") && json.Unmarshal(f.Value, &path) == nil && path != "" {
				at.Physical = &sarifPhysical{Region: &sarifRegion{line, column}}
				at.Physical.Artifact.URI = uri(path)
				break
			}
		}
		if at.Physical == nil && c.File != "" {
			at.Physical = &sarifPhysical{}
			at.Physical.Artifact.URI = uri(c.File)
			if c.Line > 0 {
				at.Physical.Region = &sarifRegion{Line: c.Line}
			}
		}
	}
	if at.Physical == nil || at.Physical.Region == nil || at.Physical.Region.Column == 0 {
		r.Message.Text = fmt.Sprintf("%s, line %d, column %d: %s", plain(caseName(row)), line, column, r.Message.Text)
	}
	r.Locations = []sarifLocation{at}
	return r
}

// uri writes a path as a relative or absolute URI reference.
func uri(path string) string { return (&url.URL{Path: filepath.ToSlash(plain(path))}).String() }
