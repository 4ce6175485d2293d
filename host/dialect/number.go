package dialect

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/document"
)

// isNumber reports whether s is a decimal number as JSON writes it, give or
// take a leading plus sign or a bare point.
func isNumber(s string) bool {
	_, ok := document.JSONNumber(s)
	return ok
}

// parseNumber returns the float64 nearest to a literal, or why there is none.
func parseNumber(literal string) (x float64, why string) {
	plain, ok := document.JSONNumber(literal)
	if !ok {
		switch strings.ToLower(strings.TrimLeft(literal, "+-")) {
		case ".inf":
			return 0, "is infinite"
		case ".nan":
			return 0, "is not a number"
		}
		return 0, "is not a plain decimal number"
	}
	x, err := strconv.ParseFloat(plain, 64)
	if err != nil || math.IsInf(x, 0) {
		return 0, "is too large"
	}
	return x, ""
}

// value returns a free-form value as plain Go: nil, bool, float64, string, []any
// and map[string]any. A number that no float64 holds keeps its literal, as a
// jsontext.Value.
func (d *decoder) value(n *node, path string) any {
	switch n.Kind {
	case document.Boolean:
		return n.Value == "true"
	case document.Number:
		x, ok := d.number(n, path)
		if ok && !document.Exactly(n.Value, x) {
			plain, _ := document.JSONNumber(n.Value)
			return jsontext.Value(plain)
		}
		return x
	case document.Text:
		return n.Value
	case document.List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = d.value(item, document.Index(path, i))
		}
		return out
	case document.Object:
		out := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			if m.Whole {
				d.fail(m.At, document.Join(path, m.Key), "key-type", fmt.Sprintf("quote it: %q", m.Key), "the key %s is not text", m.Key)
			}
			out[m.Key] = d.value(m.Value, document.Join(path, m.Key))
		}
		return out
	}
	return nil
}
