package stats_test

import (
	"math"
	"testing"

	"github.com/rubric-host/rubric-host/host/stats"
)

// The intervals were computed by a search over two million values of θ in Python.
func TestAUC_Intervals(t *testing.T) {
	series := func(from, n int) (list []float64) {
		for i := range n {
			list = append(list, float64(from+i))
		}
		return list
	}
	for _, c := range []struct {
		high, low       []float64
		auc, from, till float64
	}{
		{series(10, 2), series(0, 2), 1, 0.385636, 1},
		{series(10, 5), series(0, 5), 1, 0.642703, 1},
		{[]float64{1, 5, 6, 7}, []float64{0, 2, 3, 4}, 0.8125, math.NaN(), math.NaN()},
		{[]float64{1, 4, 6, 7}, []float64{0, 2, 3, 5}, 0.75, 0.3484175, 0.939399},
		{[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, []float64{1, 1, 1}, 0.5, 0.2006655, 0.7993345},
		{series(0, 2), series(10, 2), 0, 0, 1 - 0.385636},
	} {
		auc, i, ok := stats.AUC(c.high, c.low)
		if !ok || auc != c.auc {
			t.Errorf("AUC(%v, %v) = %v, %v", c.high, c.low, auc, ok)
		}
		if math.Abs(i.Low-c.from) > 1e-6 || math.Abs(i.High-c.till) > 1e-6 {
			t.Errorf("AUC(%v, %v): interval %v", c.high, c.low, i)
		}
	}
	for _, empty := range [][2][]float64{{nil, {1}}, {{1}, nil}, {{math.NaN()}, {1}}} {
		if _, _, ok := stats.AUC(empty[0], empty[1]); ok {
			t.Errorf("AUC(%v) has a value", empty)
		}
	}
}

// The numbers are those of the R package SingleCaseES for the example of its NAP, whose
// interval is Newcombe's fifth.
func TestAUC_IntervalIsThatOfSingleCaseES(t *testing.T) {
	high, low := []float64{28, 25, 24, 27, 30, 30, 29}, []float64{20, 20, 26, 25, 22, 23}
	auc, i, _ := stats.AUC(high, low)
	if math.Abs(auc-0.9166666666666666) > 1e-12 || math.Abs(i.Low-0.5973193600384168) > 1e-9 || math.Abs(i.High-0.9859976893703788) > 1e-9 {
		t.Errorf("%v %v", auc, i)
	}
}
