package llm

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// A fingerprint holds hashes of the parts of a recorded call, to find the nearest one.
type fingerprint struct {
	id   CallID
	line int

	model, system, settings, schema, user uint64
	name                                  string // of the model
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

func (p *Replay) print(id CallID, r *Request) fingerprint {
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
	return fingerprint{id: id.normal(), name: r.Model, model: p.hash(r.Model), system: p.hash(r.System), settings: p.hash(settings),
		schema: p.hash(r.SchemaName, string(r.Schema)), user: p.hash(turns...)}
}

func (p *Replay) remember(l placedLine) {
	one := p.print(l.call.CallID, &l.call.Request)
	one.line = l.number
	n := len(p.prints)
	p.byUser[one.user] = append(p.byUser[one.user], n)
	p.byCase[one.id.Case] = append(p.byCase[one.id.Case], n)
	p.prints = append(p.prints, one)
}

// nearest names the recorded call that is most like req, and the first thing in
// which it differs.
func (p *Replay) nearest(digest string, req *Request) string {
	if len(p.prints) == 0 {
		return "it is empty"
	}
	if k := voided(&req.ID, req.Model); p.floor[k] > 0 && p.kept[identity(&req.ID, digest)] != nil {
		return fmt.Sprintf("its call was voided by round %d, which asked again", p.floor[k])
	}
	want := p.print(req.ID, req)
	const most = 256 // more do not make a better answer
	candidates := slices.Concat(firstOf(p.byUser[want.user], most), firstOf(p.byCase[want.id.Case], most))
	if len(candidates) == 0 {
		candidates = []int{0}
	}
	best, fewest := candidates[0], differences{}
	for i, n := range candidates {
		if d := differencesOf(&p.prints[n], &want); i == 0 || d.weight < fewest.weight {
			best, fewest = n, d
		}
	}
	near := &p.prints[best]
	return fmt.Sprintf("the nearest call is that of %s (line %d), which has another %s", near.id, near.line, fewest.first)
}

func firstOf(list []int, most int) []int { return list[:min(len(list), most)] }

type differences struct {
	first  string // the first of them, in words
	weight int    // how far apart the calls are
}

func differencesOf(have, want *fingerprint) (d differences) {
	for _, part := range []struct {
		same   bool
		weight int
		what   string
		args   []any // of what
	}{
		{have.id.Case == want.id.Case, 8, "case (%q recorded, %q requested)", []any{diag.Plain(have.id.Case), diag.Plain(want.id.Case)}},
		{have.id.CaseDigest == want.id.CaseDigest, 2, "case content: the case has changed since", nil},
		{have.id.Rubric == want.id.Rubric, 2, "rubric for this case", nil},
		{slices.Equal(have.id.Criteria, want.id.Criteria), 4, "list of criteria (%s recorded, %s requested)", []any{some(have.id.Criteria), some(want.id.Criteria)}},
		{have.id.Repeat == want.id.Repeat, 2, "repeat (%d recorded, %d requested)", []any{have.id.Repeat, want.id.Repeat}},
		{have.id.Attempt == want.id.Attempt, 2, "attempt (%d recorded, %d requested)", []any{have.id.Attempt, want.id.Attempt}},
		{have.model == want.model, 1, "model (%q recorded, %q requested)", []any{diag.Plain(have.name), diag.Plain(want.name)}},
		{have.system == want.system, 1, "system prompt: the rubric or the program has changed", nil},
		{have.settings == want.settings, 1, "temperature, seed or token limit", nil},
		{have.schema == want.schema, 1, "answer schema", nil},
		{have.user == want.user, 1, "prompt: the case, the criterion or the prompt template has changed", nil},
	} {
		if part.same {
			continue
		}
		if d.weight += part.weight; d.first == "" {
			d.first = fmt.Sprintf(part.what, part.args...)
		}
	}
	return d
}

// some names criteria, not too many.
func some(ids []string) string {
	return diag.Plain(cmp.Or(fault.First(3, ids, ", "), "none"))
}
