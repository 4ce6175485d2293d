package generate

import "testing"

func TestTrial_SeparatesOnlyWhereChanceDoesNot(t *testing.T) {
	for _, c := range []struct {
		trial Trial
		want  Separation
	}{
		{Trial{}, NotTried},
		{Trial{Good: &Group{N: 3}, Bad: &Group{N: 3}, AUC: &Share{1, 0.501, 1}}, Undecided}, // 2 of 20 orders
		{Trial{Good: &Group{N: 4}, Bad: &Group{N: 4}, AUC: &Share{1, 0.57, 1}}, Separates},  // 2 of 70
		{Trial{Good: &Group{N: 50}, Bad: &Group{N: 2}, AUC: &Share{0.9, 0.45, 1}}, Undecided},
		{Trial{Good: &Group{N: 900}, Bad: &Group{N: 900}, AUC: &Share{0.6, 0.57, 0.63}}, Separates},
		{Trial{Good: &Group{N: 9}, Bad: &Group{N: 9}, AUC: &Share{0.5, 0.3, 0.7}}, NoSeparation},
		{Trial{Pairs: &PairTrial{N: 5, Agree: 5, Agreement: &Share{1, 0.57, 1}}}, Undecided}, // p = 0.0625
		{Trial{Pairs: &PairTrial{N: 6, Agree: 6, Agreement: &Share{1, 0.61, 1}}}, Separates},
		{Trial{Pairs: &PairTrial{N: 6, Ties: 6, Agreement: &Share{0.5, 0.2, 0.8}}}, NoSeparation},
		{Trial{Good: &Group{N: 9}, Bad: &Group{N: 9}, AUC: &Share{1, 0.8, 1}, Pairs: &PairTrial{N: 2, Agree: 2, Agreement: &Share{1, 0.34, 1}}}, Undecided},
	} {
		c.trial.separate()
		if c.trial.Separation != c.want {
			t.Errorf("%+v is %s, want %s", c.trial, c.trial.Separation, c.want)
		}
	}
}
