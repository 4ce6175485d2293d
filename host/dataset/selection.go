package dataset

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Selection says which cases of a dataset to take. Its parts work one after
// the other: IDs, Match and Tags; then From and To; then Sample; then Shard. So
// the shards of one selection are disjoint and together the whole of it. The
// zero value takes every case.
type Selection struct {
	IDs    map[string]bool `json:"-"`               // the ids to take, or positions of rows, by which a run names those without a readable id; nil: any
	Listed int             `json:"listed,omitzero"` // how many ids IDs has, for the record of a run
	Match  string          `json:"id,omitzero"`     // a glob over ids: * any text, ? one character, [a-z] a set
	Tags   []string        `json:"tags,omitzero"`   // "key=value", or "key" for any value; all must hold

	// From and To are positions among the cases that are left, from 0, as in a
	// slice: To itself is out. To 0 means no end.
	From int `json:"from,omitzero"`
	To   int `json:"to,omitzero"`

	// Sample takes this many at random, and keeps their order; 0: all. The same
	// Seed and ids give the same sample, whatever the order of the rows.
	Sample int    `json:"sample,omitzero"`
	Seed   uint64 `json:"seed,omitzero"`

	// Shard of Shards takes the cases whose id falls to it, from 1; 0: all. A row
	// that cannot be used falls to the shard of its place in the dataset.
	Shard  int `json:"shard,omitzero"`
	Shards int `json:"shards,omitzero"`
}

// All reports whether every case is taken.
func (s *Selection) All() bool {
	return s.IDs == nil && s.Match == "" && len(s.Tags) == 0 && s.From == 0 && s.To == 0 && s.Sample == 0 && s.Shards == 0
}

// Check returns the problem of the selection, as a fault of class Usage.
func (s *Selection) Check() error {
	if _, err := path.Match(s.Match, ""); err != nil {
		return fault.WithHint(fault.New(fault.Usage, "id pattern %q is malformed", s.Match), `write * for any text, ? for one character, [a-z] for a set`)
	}
	switch {
	case s.From < 0 || s.To < 0 || s.To != 0 && s.To <= s.From:
		return fault.New(fault.Usage, "limit %d:%d takes nothing", s.From, s.To)
	case s.Sample < 0:
		return fault.New(fault.Usage, "sample %d is negative", s.Sample)
	case s.Shards < 0 || s.Shard < 0 || s.Shard > s.Shards || s.Shards > 0 && s.Shard == 0:
		return fault.WithHint(fault.New(fault.Usage, "shard %d/%d does not exist", s.Shard, s.Shards), "write 1/4 … 4/4 for the shards of four")
	}
	for _, t := range s.Tags {
		if key, _, _ := strings.Cut(t, "="); key == "" {
			return fault.WithHint(fault.New(fault.Usage, "tag %q has no key", t), "write key=value, or key for any value")
		}
	}
	return nil
}

// ParseLimit reads "N", the first N cases, or "A:B", the cases from position A
// up to but not including B; either end may be empty.
func ParseLimit(s string) (from, to int, err error) {
	head, tail, ranged := strings.Cut(s, ":")
	if !ranged {
		head, tail = "", s
	}
	if from, err = position(head); err == nil {
		to, err = position(tail)
	}
	if err != nil || !ranged && to == 0 || ranged && tail != "" && to <= from {
		return 0, 0, fault.WithHint(fault.New(fault.Usage, "limit %q is neither N nor A:B", s), "write 10 for the first ten cases, 10:20 for the next ten")
	}
	return from, to, nil
}

// ParseShard reads "I/N": shard I of N, from 1.
func ParseShard(s string) (shard, shards int, err error) {
	head, tail, _ := strings.Cut(s, "/")
	if shard, err = position(head); err == nil {
		shards, err = position(tail)
	}
	if err != nil || shard < 1 || shard > shards {
		return 0, 0, fault.WithHint(fault.New(fault.Usage, "shard %q is not I/N", s), "write 1/4 … 4/4 for the shards of four")
	}
	return shard, shards, nil
}

// position reads a number that is not negative; the empty string is 0.
func position(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err
}

// wants reports whether a case passes IDs, Match and Tags.
func (s *Selection) wants(c *Case) bool {
	if !s.names(c.ID, c.base, c.pos()) {
		return false
	}
	for _, t := range s.Tags {
		key, value, valued := strings.Cut(t, "=")
		if have, ok := c.Tags[key]; ok && (!valued || have == value) {
			continue
		}
		have := c.Labels(key)
		if have == nil || valued && !slices.Contains(have, value) {
			return false
		}
	}
	return true
}

// names reports whether a row passes IDs and Match. A problem's id selects all its samples.
func (s *Selection) names(id, problem string, pos diag.Pos) bool {
	if s.IDs != nil && !s.IDs[id] && !s.IDs[pos.String()] {
		return false
	}
	matches := func(id string) bool {
		ok, err := path.Match(unslashed(s.Match), unslashed(id))
		return ok && err == nil
	}
	return s.Match == "" || matches(id) || matches(problem)
}

// unslashed takes from slashes the special meaning that they have in package path:
// ids are not paths.
func unslashed(s string) string { return strings.ReplaceAll(s, "/", "\x00") }

// mine reports whether an id, or the place of a bad row, falls to the shard: the first eight bytes of its
// SHA-256, big-endian, modulo Shards.
func (s *Selection) mine(id string) bool {
	return s.Shards <= 1 || int(stableHash(id)%uint64(s.Shards)) == s.Shard-1
}

// stableHash is the same on every machine and in every version.
func stableHash(s string) uint64 {
	sum := sha256.Sum256([]byte(s))
	return binary.BigEndian.Uint64(sum[:8])
}

// sample keeps the n cases whose ids, hashed with the seed, come first: a
// uniform sample that does not depend on the order of the rows.
type sample struct {
	n     int
	seed  string
	draws []draw // fewer than 2n
	count int    // cases offered
}

type draw struct {
	c   *Case
	lot uint64
	pos int
}

func (s *sample) offer(c *Case) {
	s.draws = append(s.draws, draw{c, stableHash(s.seed + c.ID), s.count})
	if s.count++; len(s.draws) == 2*s.n {
		s.cut()
	}
}

// cut leaves the n draws with the first lots.
func (s *sample) cut() {
	slices.SortFunc(s.draws, func(a, b draw) int { return cmp.Or(cmp.Compare(a.lot, b.lot), strings.Compare(a.c.ID, b.c.ID)) })
	n := min(s.n, len(s.draws))
	clear(s.draws[n:])
	s.draws = s.draws[:n]
}

// cases returns the sample in the order of the dataset.
func (s *sample) cases() []*Case {
	s.cut()
	slices.SortFunc(s.draws, func(a, b draw) int { return a.pos - b.pos })
	return xslices.Map(s.draws, func(d draw) *Case { return d.c })
}
