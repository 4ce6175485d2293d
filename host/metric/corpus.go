package metric

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// Corpus asks a plugin for the score of a whole set, from the sums of the stats
// that its answers gave case by case (the sentences' n-gram counts, for BLEU).
func Corpus(ctx context.Context, g Guest, plugin, export string, config jsontext.Value, stats []float64) (*Answer, wasm.Usage, error) {
	if len(config) == 0 {
		config = jsontext.Value("{}")
	}
	b := fmt.Appendf(nil, `{"contract":%d,"kind":%q,"config":%s,"stats":[`, ContractVersion, KindCorpus, config)
	for i, s := range stats {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendFloat(b, s, 64)
	}
	b = append(b, "]}"...)
	place := func(err error) error { return fmt.Errorf("plugin %s#%s: %w", plugin, export, err) }
	answer, usage, err := g.Call(ctx, export, b, nil)
	if err != nil {
		return nil, usage, place(err)
	}
	a, err := ParseAnswer(answer)
	switch {
	case err != nil:
		return nil, usage, place(err)
	case a.Level != nil:
		return nil, usage, place(fault.New(fault.Protocol, "a corpus answer has a level"))
	}
	return a, usage, nil
}
