package result

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// ScoreText writes a score or a difference for people, with three decimals. One other
// than 1 is never written as 1.000, nor one other than 0 as 0.000.
func ScoreText(x float64) string {
	s := strconv.FormatFloat(x, 'f', 3, 64)
	switch {
	case s == "1.000" && x < 1-rubric.Slack:
		return "0.999"
	case s == "-1.000" && x > rubric.Slack-1:
		return "-0.999"
	case (s == "0.000" || s == "-0.000") && math.Abs(x) > rubric.Slack:
		return strconv.FormatFloat(x, 'g', 1, 64)
	case s == "-0.000":
		return "0.000"
	}
	return s
}

// DeltaText writes a difference with its sign.
func DeltaText(x float64) string {
	if x > rubric.Slack {
		return "+" + ScoreText(x)
	}
	return ScoreText(x)
}

func intervalText(i *Interval) string {
	return fmt.Sprintf("[%s, %s]", ScoreText(i.Low), ScoreText(i.High))
}

// valueText writes the value of a gate with as many decimals as it takes for the text
// to meet the limit if the value does, and not otherwise.
func (g *Gate) valueText(x float64) string {
	decimals, unit, sign := 4, 1.0, ""
	if g.share || g.figure == "pass_rate" && g.about != aboutCorpus && g.change == "" {
		decimals, unit, sign = 2, 100, "%"
	}
	for ; ; decimals++ {
		s := trimmed(float64(x*unit), decimals)
		read, err := strconv.ParseFloat(s, 64)
		read /= unit
		same := compare(read, g.op, g.limit) == compare(x, g.op, g.limit)
		for _, end := range []float64{0, 1} { // never rounded to them
			same = same && (math.Abs(read-end) > rubric.Slack || math.Abs(x-end) <= rubric.Slack)
		}
		if same || err != nil || decimals == 12 {
			return s + sign
		}
	}
}

// trim writes a number with up to four decimals.
func trim(x float64) string { return trimmed(x, 4) }

func trimmed(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}
