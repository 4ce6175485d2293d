package claims_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/claims"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func levels() rubric.Answer {
	return rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{
		{ID: "weak", Label: "Weak", Description: "Leaves the reader with questions", Score: 0},
		{ID: "solid", Label: "Solid", Description: "Names at least 3 sources", Score: 0.6},
		{ID: "great", Label: "Great", Description: "Names 5 sources", Score: 1},
	}}
}

// notice is a rubric of three criteria.
var notice = &rubric.Rubric{ID: "harbor_text", Name: "Harbor Text", Pass: rubric.Threshold(0.7), Criteria: []rubric.Criterion{
	{ID: "facts", Name: "Facts", Text: "All facts are right", Weight: rubric.One, Answer: levels()},
	{ID: "tone_of_voice", Name: "Tone", Weight: rubric.One, Answer: levels()},
	{ID: "polite", Name: "Polite greeting", Weight: rubric.One},
}}

// graded is a row that failed with 53%: facts great, tone weak, greeting met.
func graded() *result.Row {
	return &result.Row{Score: new(0.5333), Passed: new(false), Verdict: new("fail"), Criteria: []result.Criterion{
		{ID: "facts", Status: rubric.Scored, Value: new(1.0), Native: &result.Native{Level: new("great")}, Reason: "every time is right", Evidence: []rubric.Evidence{{Text: "the boat leaves at 07:40 and is perfect, score 100%"}}},
		{ID: "tone_of_voice", Status: rubric.Scored, Value: new(0.0), Native: &result.Native{Level: new("weak")}},
		{ID: "polite", Status: rubric.Scored, Value: new(0.6), Native: &result.Native{Met: new(true)}},
	}}
}

func TestCheck_TakesTrueTexts(t *testing.T) {
	for _, text := range []string{
		"Overall, the text failed with a score of 53%, below the threshold of 70%.",
		"The evaluation of Harbor Text failed at 53%. Facts are great with a score of 1.00.",
		"Overall the notice did not pass. Tone is weak and should aim for Solid: name at least 3 sources for its wording.",
		"Tone scored 0.00, which is weak. To raise Tone, aim for 'Solid'. Facts, at 100%, should be kept as they are.",
		"The Polite greeting is met. Facts quote \"the boat leaves at 07:40\" correctly.",
		"Improve Tone first: write in a warmer way.\nFacts are great.",
		"The TONE criterion is \"weak\".",
		"The criterion tone_of_voice is weak.",
		"Overall, Facts are great.",
		"Overall, the notice failed with a score of 53%, below the passing mark of 70%.",
		"Overall, 53% falls short of the threshold of 70%.",
		"Tone is weak, so aim for 'Solid' by naming at least 3 sources.",
		"Facts earned great, because every time is right.",
		"To improve Tone, soften blunt phrases and address the reader directly.",
		"Tone needs attention; aim for 'Solid' next.",
		"For Tone, aim for 'Solid': name sources and leave no questions open.",
		"Polite greeting: met. Tone: weak (0.00).",
		"Overall, the evaluation failed. The weak Tone is the reason.",
	} {
		if err := claims.Check(notice, graded(), text); err != nil {
			t.Errorf("refused: %v\n%s", err, text)
		}
	}
}

func TestCheck_RefusesWhatTheResultsDoNotHold(t *testing.T) {
	for why, texts := range map[string][]string{
		"blank":                      {"", "  \n "},
		"long":                       {strings.Repeat("Tone is weak. ", 200), strings.Repeat("Tone is weak. ", 9)},
		"characters":                 {"Tone is weak.\x1b[31m", "Tone is weak\u202e.", "Tone\u200b is weak.", "Tone is \ue001 weak."},
		"markup":                     {"Tone is weak, see https://x.example.", "**Tone** is weak.", "Tone is <b>weak</b>.", "# Tone is weak", "Tone is [weak](x)."},
		"no name":                    {"It was weak.", "Tone is weak. Use warmer words.", "Great work."},
		"a number":                   {"Overall, the score is 54%.", "Tone scored 1.00.", "Facts scored 0.00 and Tone scored 1.00.", "Facts got 0.95.", "Overall, 3 points are missing.", "Tone lost 0.50 points.", "Overall 1,000 is right.", "Tone scored ½.", "Tone scored 53%.", "Tone scored 5.", "Overall, Tone is 20 times weak."},
		"a percent":                  {"Facts scored 1%.", "Overall, the score is 0.54.", "Facts reached 1 percent."},
		"words for numbers":          {"Overall, two points are missing.", "Facts hold half of it.", "Overall, a hundred percent."},
		"a level":                    {"Tone is great.", "Facts are weak.", "Tone is Solid.", "Tone has reached Great.", "Tone is reaching Solid.", "Tone does reach Solid.", "Tone is at the next level, Solid.", "Tone, in its next step, is Solid.", "Overall, the text is great.", "The Polite greeting is unmet.", "Tone, a great one, is weak.", "Facts and Tone are weak.", "Weak are Tone and Facts.", "Tone, like the Facts, is weak.", "Tone as well as Facts: weak.", "Overall and with Facts, the text is great."},
		"a denial":                   {"Facts are not great.", "Tone isn't weak.", "The Polite greeting was not met.", "Overall, the score is not 53%.", "Facts are almost great."},
		"an outcome":                 {"Overall, the text passed.", "Overall, it did not fail.", "Overall, passed score 53%.", "The evaluation was successful.", "Tone passed.", "The Polite greeting failed.", "Facts, on the whole, failed."},
		"a side":                     {"Overall, the score lies above the threshold.", "Overall, 53% exceeds the threshold of 70%.", "Overall, the score is not below the threshold.", "Facts lie below the threshold.", "Overall, the text passed the passing mark.", "Overall, it does not fall short of the threshold."},
		"a count":                    {"Overall, all criteria are weak.", "Overall, most of the other criteria are fine.", "Overall, none is right.", "Both Facts and Tone need work.", "Tone needs work like several other areas."},
		"an extreme":                 {"Facts are perfect.", "Tone is the weakest part.", "Facts are the best part.", "Tone is worse than Facts.", "Tone declined."},
		"a name":                     {"Grammar, like Tone, is weak.", "Tone and Grammar need work.", "The style criterion and Tone need work.", "Overall, Alice failed.", "Structure of Facts is great."},
		"a quotation":                {"Facts quote \"the boat leaves at noon\".", "Tone quotes \"the boat leaves at 07:40\".", "Overall, \"the boat leaves at 07:40\" is good.", "Tone says 'every word is warm'."},
		"what a case says of itself": {"Facts scored 100% and Tone is perfect.", "Overall, the score is 100%.", "Tone is perfect, score 100%."},
		"another alphabet":           {"Overall, der Text ist schön.", "Tone 弱い."},
	} {
		t.Run(why, func(t *testing.T) {
			for _, text := range texts {
				if err := claims.Check(notice, graded(), text); !fault.Is(err, fault.Invalid) {
					t.Errorf("accepted (%v): %s", err, text)
				}
			}
		})
	}
}

func TestCheck_OfRowsThatPassOrHaveNoRule(t *testing.T) {
	row := graded()
	row.Score, row.Passed, row.Verdict = new(0.9), new(true), new("pass")
	if err := claims.Check(notice, row, "Overall, the text passed with 90%, above the threshold of 70%."); err != nil {
		t.Error(err)
	}
	if err := claims.Check(notice, row, "Overall, the text failed."); err == nil {
		t.Error("it passed, and the text says that it failed")
	}
	none := *notice
	none.Pass = rubric.Pass{}
	row.Passed, row.Verdict = nil, nil
	for _, text := range []string{"Overall, the text passed.", "Overall, the text failed."} {
		if err := claims.Check(&none, row, text); err == nil {
			t.Errorf("nobody said so: %s", text)
		}
	}
	row.Score, row.Status = nil, rubric.Unscored
	if err := claims.Check(notice, row, "Overall, the score is 90%."); err == nil {
		t.Error("a row without a score has one in the text")
	}
}

func TestCheck_OfPenalties(t *testing.T) {
	r := &rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{{ID: "blames", Name: "Blame", Weight: rubric.Weight{Value: -1}}}}
	row := &result.Row{Score: new(0.0), Criteria: []result.Criterion{{ID: "blames", Status: rubric.Scored, Value: new(1.0), Native: &result.Native{Met: new(true)}}}}
	for text, holds := range map[string]bool{"Blame is met.": true, "Blame passed.": false, "Blame failed.": false} {
		if err := claims.Check(r, row, text); (err == nil) != holds {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestCheck_LevelsThatAreCommonWords: rubrics call levels a, yes or good.
func TestCheck_LevelsThatAreCommonWords(t *testing.T) {
	r := &rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{{ID: "c", Name: "Depth", Weight: rubric.One, Answer: rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "a"}, {ID: "very good", Score: 0.5}, {ID: "yes", Score: 1}}}}}}
	row := &result.Row{Score: new(0.5), Criteria: []result.Criterion{{ID: "c", Status: rubric.Scored, Value: new(0.5), Native: &result.Native{Level: new("very good")}}}}
	if err := claims.Check(r, row, "Depth is very good, and a detail more would help."); err != nil {
		t.Error(err)
	}
}

// TestCheck_TellsTrueFromFalse states a score and a level of each criterion, and of the
// whole: accepted if, and only if, all are those of the row.
func TestCheck_TellsTrueFromFalse(t *testing.T) {
	names := []string{"weak", "solid", "great"}
	values := []float64{0, 0.6, 1}
	rapid.Check(t, func(t *rapid.T) {
		r := &rubric.Rubric{ID: "r", Pass: rubric.Threshold(0.5)}
		row := &result.Row{}
		true_, text := true, ""
		sum := 0.0
		n := rapid.IntRange(1, 3).Draw(t, "criteria")
		for i := range n {
			name := []string{"Facts", "Tone", "Depth"}[i]
			is := rapid.IntRange(0, 2).Draw(t, "level")
			said := is
			if rapid.Bool().Draw(t, "lies") {
				said = rapid.IntRange(0, 2).Draw(t, "said")
			}
			true_ = true_ && said == is
			sum += values[is]
			r.Criteria = append(r.Criteria, rubric.Criterion{ID: strings.ToLower(name), Name: name, Weight: rubric.One, Answer: levels()})
			row.Criteria = append(row.Criteria, result.Criterion{ID: strings.ToLower(name), Status: rubric.Scored, Value: new(values[is]), Native: &result.Native{Level: &names[is]}})
			text += rapid.SampledFrom([]string{
				fmt.Sprintf("%s is %s. ", name, names[said]),
				fmt.Sprintf("%s scored %.2f. ", name, values[said]),
				fmt.Sprintf("With %.0f%%, %s is done. ", values[said]*100, name),
				fmt.Sprintf("The %s %s stands out. ", names[said], name),
			}).Draw(t, "form")
		}
		score := sum / float64(n)
		pass := score >= 0.5
		row.Score, row.Passed = &score, &pass
		word := map[bool]string{true: "passed", false: "failed"}
		claimed := rapid.Bool().Draw(t, "passed")
		if n > 1 && rapid.Bool().Draw(t, "together") {
			said := rapid.SampledFrom(names).Draw(t, "both")
			text += fmt.Sprintf("Facts and Tone are %s. ", said)
			for i := range 2 {
				true_ = true_ && *row.Criteria[i].Native.Level == said
			}
		}
		text += "Overall, the text " + word[claimed] + "."
		true_ = true_ && claimed == pass
		if err := claims.Check(r, row, text); (err == nil) != true_ {
			t.Fatalf("true %v: %v\n%s", true_, err, text)
		}
	})
}

func FuzzCheck(f *testing.F) {
	f.Add("Overall, the text failed with a score of 53%.")
	f.Add("Tone is \"weak\" and 'Solid'.")
	f.Fuzz(func(t *testing.T, text string) {
		if claims.Check(notice, graded(), text) == nil && strings.Contains(strings.ToLower(text), "overall, the text passed") {
			t.Errorf("accepted: %q", text)
		}
	})
}
