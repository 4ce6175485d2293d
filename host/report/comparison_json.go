package report

import (
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// comparisonObject is the JSON form of a comparison.
type comparisonObject struct {
	Schema      int                  `json:"schema"`
	Comparisons []*result.Comparison `json:"comparisons"`
	Gates       [][]result.Outcome   `json:"gates"` // by comparison
}

// writeComparisonJSON writes one object with every comparison.
func writeComparisonJSON(w io.Writer, list []Compared, _ Options) error {
	out := comparisonObject{Schema: result.SchemaVersion}
	for _, c := range list {
		out.Comparisons = append(out.Comparisons, c.Comparison)
		out.Gates = append(out.Gates, c.Gates)
	}
	b, err := json.Marshal(out, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	_, err = w.Write(append(diag.EscapeJSON(b), '\n'))
	return err
}
