package llm

import (
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
)

// A print is what a request looks like from afar.
type print struct {
	digest                          string
	repeat                          int
	model, system, settings, schema uint64
}

func (p *Replay) hash(parts ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(p.seed)
	for _, s := range parts {
		h.WriteString(s)
		h.WriteByte(0)
	}
	return h.Sum64()
}

// print returns the outlines of a request, and those of its user turns.
func (p *Replay) print(k key, r *recorded) (print, uint64) {
	turns := []string{r.User}
	for _, m := range r.Then {
		turns = append(turns, m.Role, m.Content)
	}
	settings := fmt.Sprint(r.MaxTokens)
	if r.Temperature != nil {
		settings += fmt.Sprint(" t", *r.Temperature)
	}
	if r.Seed != nil {
		settings += fmt.Sprint(" s", *r.Seed)
	}
	return print{k.digest, k.repeat, p.hash(r.Model), p.hash(r.System), p.hash(settings), p.hash(r.SchemaName, string(r.Schema))}, p.hash(turns...)
}

func (p *Replay) remember(k key, r *recorded) {
	one, user := p.print(k, r)
	p.byUser[user] = append(p.byUser[user], len(p.prints))
	p.prints = append(p.prints, one)
	p.systems[one.system], p.models[one.model] = true, true
}

// nearest says how the recorded request that is most like req differs from it.
func (p *Replay) nearest(k key, req *Request) string {
	r := newRecorded(req)
	want, user := p.print(k, &r)
	const most = 64 // repeats of one request, say; more do not make a better answer
	best, bestDiffers := "", 0
	for i, at := range p.byUser[user] {
		if i == most {
			break
		}
		if have := &p.prints[at]; best == "" || len(differences(have, &want)) < bestDiffers {
			d := differences(have, &want)
			best, bestDiffers = strings.Join(d, ", "), len(d)
		}
	}
	switch {
	case best != "":
		return "it has the same question with another " + best
	case len(p.kept) == 0:
		return "it is empty"
	case !p.models[want.model]:
		return fmt.Sprintf("it was made with another model than %q", diag.Plain(r.Model))
	case p.systems[want.system]:
		return "it has others with this system prompt, but not this question: the case, the criterion or the prompt changed"
	}
	return "it has neither this question nor this system prompt: the rubric or the prompt changed"
}

func differences(have, want *print) []string {
	if have.digest == want.digest {
		return []string{fmt.Sprintf("repeat (%d recorded, %d asked for)", have.repeat, want.repeat)}
	}
	var out []string
	for _, d := range []struct {
		what string
		same bool
	}{
		{"model", have.model == want.model},
		{"system prompt", have.system == want.system},
		{"temperature, seed or token limit", have.settings == want.settings},
		{"answer schema", have.schema == want.schema},
	} {
		if !d.same {
			out = append(out, d.what)
		}
	}
	return out
}
