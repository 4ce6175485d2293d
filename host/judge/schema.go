package judge

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// schema returns the JSON Schema of the answer that the task asks for. Reasons stand
// before verdicts: a model's later words depend on its first ones. It has no nonce:
// an endpoint that keeps to a schema answers with one object and nothing else, which
// counts without (see parse), and a model that cannot copy a random word would write
// another.
func (t *task) schema() jsontext.Value {
	if !t.keyed {
		return object(t.questions[0].properties())
	}
	verdicts := make([]member, len(t.questions))
	for i := range t.questions {
		verdicts[i] = member{t.questions[i].key, object(t.questions[i].properties())}
	}
	top := []member{{keyVerdicts, object(verdicts)}}
	if t.overall {
		q := overallQuestion(t.rubric, false)
		top = append(top, member{keyOverall, q.verdictSchema()})
	}
	return object(top)
}

func (q *question) properties() []member {
	return []member{{keyReason, jsontext.Value(`{"type":"string"}`)}, {keyVerdict, q.verdictSchema()}}
}

// mostListed is the longest integer scale whose numbers a schema lists one by
// one, which every endpoint understands; bounds are younger.
const mostListed = 101

func (q *question) verdictSchema() jsontext.Value {
	if q.kind == rubric.KindNumber {
		s := q.numberSchema()
		if q.abstain {
			return mustJSON(map[string]any{"anyOf": []any{s, enum([]string{cannotAssess})}})
		}
		return s
	}
	words := []string{"MET", "UNMET"}
	if q.kind == rubric.KindLevel {
		words = append([]string(nil), q.levels...)
	}
	if q.abstain {
		words = append(words, cannotAssess)
	}
	return enum(words)
}

func enum(words []string) jsontext.Value {
	return append(append(jsontext.Value(`{"type":"string","enum":`), mustJSON(words)...), '}')
}

func (q *question) numberSchema() jsontext.Value {
	low, high := q.scale.Min, q.scale.Max
	if !q.scale.Discrete {
		return jsontext.Value(fmt.Sprintf(`{"type":"number","minimum":%s,"maximum":%s}`, plainNumber(low), plainNumber(high)))
	}
	if high-low >= mostListed {
		return jsontext.Value(fmt.Sprintf(`{"type":"integer","minimum":%s,"maximum":%s}`, plainNumber(low), plainNumber(high)))
	}
	var numbers []string
	for i := range mostListed {
		if n := math.Ceil(low) + float64(i); n <= high {
			numbers = append(numbers, plainNumber(n))
		}
	}
	return jsontext.Value(`{"type":"integer","enum":[` + strings.Join(numbers, ",") + `]}`)
}

// object returns the schema of an object whose properties, in the order written, have these schemas.
func object(list []member) jsontext.Value {
	names := xslices.Map(list, func(p member) string { return p.name })
	return written([]member{{"type", jsontext.Value(`"object"`)}, {"properties", written(list)}, {"required", mustJSON(names)}, {"additionalProperties", jsontext.Value("false")}})
}

func mustJSON(v any) jsontext.Value {
	b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		panic(err) // strings and JSON values only
	}
	return b
}
