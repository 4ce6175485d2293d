package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// ScoreText writes a score or difference with three decimals, 1.000 and 0.000 only if exact. Next to a mark
// it has as many as tell on which side of it x lies.
func ScoreText(x float64, marks ...float64) string {
	s := decimals(x, 1, 3, marks)
	switch {
	case s == "1.000" && x < 1-rubric.Slack:
		return instead("0.999", x, marks)
	case s == "-1.000" && x > rubric.Slack-1:
		return instead("-0.999", x, marks)
	case (s == "0.000" || s == "-0.000") && math.Abs(x) > rubric.Slack:
		return strconv.FormatFloat(x, 'g', 1, 64)
	case s == "-0.000":
		return "0.000"
	}
	return s
}

// ScoreTextBeside is ScoreText, with as many decimals as tell x from another number.
func ScoreTextBeside(x, other float64) string {
	if s := ScoreText(x); s != ScoreText(other) || side(x, other) == 0 {
		return s
	}
	const most = 12
	for n := 4; ; n++ {
		if s := strconv.FormatFloat(x, 'f', n, 64); n == most || s != strconv.FormatFloat(other, 'f', n, 64) {
			return s
		}
	}
}

// PercentText writes a share with one decimal, or more next to a mark; 100 % and 0 % only if
// exact.
func PercentText(x float64, marks ...float64) string {
	s := decimals(x, 100, 1, marks)
	switch {
	case x == 1:
		return "100%"
	case x == 0:
		return "0%"
	case s == "100.0":
		s = "99.9"
	case s == "0.0":
		s = "<0.1"
	}
	return s + "%"
}

// decimals writes x in a unit with a number of decimals, or more to keep it on its side of
// marks.
func decimals(x, unit float64, n int, marks []float64) string {
	const most = 12
	for ; ; n++ {
		s := strconv.FormatFloat(float64(x*unit), 'f', n, 64)
		if n >= most || keeps(s, x, unit, marks) {
			return s
		}
	}
}

// instead returns a text that stands for x, or more decimals where a mark lies between.
func instead(text string, x float64, marks []float64) string {
	if keeps(text, x, 1, marks) {
		return text
	}
	return decimals(x, 1, 4, append(marks, -1, 1))
}

// keeps reports whether a text of x in a unit reads on the same side of marks as x.
func keeps(text string, x, unit float64, marks []float64) bool {
	read, err := strconv.ParseFloat(text, 64)
	return err != nil || !slices.ContainsFunc(marks, func(mark float64) bool { return side(read/unit, mark) != side(x, mark) })
}

// side is 1 above a mark, -1 below it, and 0 on it.
func side(x, mark float64) int {
	if math.Abs(x-mark) <= rubric.Slack {
		return 0
	}
	return cmp.Compare(x, mark)
}

// DeltaText writes a difference with its sign.
func DeltaText(x float64) string {
	if x > rubric.Slack {
		return "+" + ScoreText(x)
	}
	return ScoreText(x)
}

func intervalText(i *Interval, marks ...float64) string {
	return fmt.Sprintf("[%s, %s]", ScoreText(i.Low, marks...), ScoreText(i.High, marks...))
}

// valueText writes the value of a gate with as many decimals as it takes for the text
// to meet the limit if the value does, and not otherwise.
func (g *Gate) valueText(x float64) string {
	n, unit, sign := 4, 1.0, ""
	if g.share || g.figure == "pass_rate" && g.about != aboutCorpus && g.change == "" {
		n, unit, sign = 2, 100, "%"
	}
	return trimmed(decimals(x, unit, n, []float64{g.limit, 0, 1})) + sign
}

// trim writes a number with up to four decimals.
func trim(x float64) string { return trimmed(decimals(x, 1, 4, nil)) }

// trimmed is a decimal number without zeros at its end.
func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}
