package result_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestScoreText_NeverCrossesAMark(t *testing.T) {
	for _, tt := range []struct {
		x     float64
		marks []float64
		want  string
	}{
		{0.49999, nil, "0.500"},
		{0.49999, []float64{0.5}, "0.49999"},
		{0.4999999999, []float64{0.5}, "0.500"}, // passes
		{0.5, []float64{0.5}, "0.500"},
		{0.50001, []float64{0.5}, "0.50001"}, // a penalty fails with it
		{0.7123, []float64{0.5, 0.9}, "0.712"},
		{2.0 / 3, []float64{0.667}, "0.6667"},
		{0.9999, []float64{0.9}, "0.999"},
		{0.9997, []float64{0.9995}, "0.9997"},
		{0.00004, []float64{0.5}, "4e-05"},
	} {
		if got := result.ScoreText(tt.x, tt.marks...); got != tt.want {
			t.Errorf("%v next to %v: %s, want %s", tt.x, tt.marks, got, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		mark := float64(rapid.IntRange(2, 999).Draw(t, "mark")) / 1000
		x := mark + rapid.Float64Range(-0.001, 0.001).Filter(func(d float64) bool { return math.Abs(d) > 1e-8 }).Draw(t, "difference") // beyond the slack
		for _, text := range []string{result.ScoreText(x, mark), strings.TrimSuffix(result.PercentText(x, mark), "%")} {
			read, err := strconv.ParseFloat(strings.TrimPrefix(text, "<"), 64)
			if text != result.ScoreText(x, mark) {
				read /= 100
			}
			if err != nil || rubric.AtLeast(read, mark) != rubric.AtLeast(x, mark) {
				t.Fatalf("%v next to %v is written %s", x, mark, text)
			}
		}
	})
}
