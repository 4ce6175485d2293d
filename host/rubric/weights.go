package rubric

import (
	"cmp"
	"fmt"
)

// CheckWeights returns warnings about the weights of the criteria and of each
// group: weights that give no score, and those that only take off. The rubric is
// valid all the same. The codes begin with "weights-".
func CheckWeights(r *Rubric) []Problem {
	var p problems
	p.weights(r, "criteria", "", r.Policy.Aggregate, r.Criteria)
	return p.list
}

// weights warns about the list at path, and the groups in it. group is the id of
// the group that it is of; empty: it is the rubric's own.
func (p *problems) weights(r *Rubric, path, group string, how Aggregate, list []Criterion) {
	how = cmp.Or(how, r.Policy.Aggregate)
	sum, positive, negative := 0.0, 0, 0
	for i := range list {
		w := list[i].Weight.Value
		sum += w
		switch {
		case w > 0:
			positive++
		case w < 0:
			negative++
		}
	}
	of, without := "", "no case can have a score"
	if group != "" {
		of, without = fmt.Sprintf(" in group %q", group), "the group never has a score"
	}
	_, custom := how.Go()
	switch {
	case len(list) == 0 || custom:
	case positive+negative == 0:
		p.add(path, "weights-zero", "give one of them a weight, such as weight: 1", "every criterion%s has weight 0: %s", of, without)
	case how == WeightedMean && !(sum > 0):
		p.add(path, "weights-sum", "give criteria more weight than penalties", "the weights%s sum to %s, and a weighted mean divides by the sum: %s", of, FormatNumber(sum), without)
	case positive == 0 && (how == Signed || how == Auto || how == ""):
		p.add(path, "weights-negative", "give criteria that should be met a positive weight, unless the rubric has penalties only", "every weight%s is negative: an output that meets no criterion scores 1", of)
	}
	for i := range list {
		if c := &list[i]; c.Group() {
			p.weights(r, fmt.Sprintf("%s[%d].criteria", path, i), c.ID, c.Aggregate, c.Criteria)
		}
	}
}
