package metric

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// Corpus asks a plugin for the score of a whole set, from the sums of the stats
// that its answers gave case by case (the sentences' n-gram counts, for BLEU).
// Of o it takes Plugin, Export, Config and Range. The answer has either a score
// within the range or a reason for none.
func Corpus(ctx context.Context, g Guest, o Options, stats []float64) (*Answer, wasm.Usage, error) {
	request, err := corpusRequest(o.Config, stats)
	if err != nil {
		return nil, wasm.Usage{}, o.place(err)
	}
	answer, usage, err := g.Call(ctx, o.Export, request, nil)
	if err != nil {
		return nil, usage, err
	}
	a, err := ParseAnswer(answer)
	if err == nil {
		err = a.ofSet(o.bounds())
	}
	if err != nil {
		return nil, usage, o.place(printed(err, usage.Log))
	}
	return a, usage, nil
}

// ofSet checks the answer about a set.
func (a *Answer) ofSet(bounds rubric.Scale) error {
	switch {
	case a.Level != nil:
		return fault.New(fault.Protocol, "a corpus answer has a level")
	case a.Score != nil:
		return within(*a.Score, bounds)
	}
	return nil
}

func corpusRequest(config jsontext.Value, stats []float64) ([]byte, error) {
	if len(config) == 0 {
		config = jsontext.Value("{}")
	}
	b := fmt.Appendf(nil, `{"contract":%d,"kind":%q,"config":%s,"stats":[`, ContractVersion, KindCorpus, config)
	for i, s := range stats {
		if !rubric.Finite(s) {
			return nil, fault.New(fault.Protocol, "the sum of number %d of stats is not finite", i)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendFloat(b, s, 64)
	}
	return append(b, "]}"...), nil
}
