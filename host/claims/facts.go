package claims

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// facts are the contents of a row's results.
type facts struct {
	list    []fact // of the whole, then of the criteria
	phrases []phrase
	known   string // all words
}

// A fact is the result of a criterion, or of the whole.
type fact struct {
	label  string
	whole  bool
	result string // passed, failed, or empty
	side   string // of the threshold, on which the whole lies: above, below, or empty

	levels  []string  // of the verdict, in lower case
	aims    []string  // of the next level
	plain   []float64 // scores, without and with a percent sign
	percent []float64

	words    string    // of the rubric
	numbers  []float64 // of the rubric
	evidence string    // words of the verdict's reason and evidence, which may quote the case
}

const (
	passed = "passed"
	failed = "failed"
)

// A phrase is a name or a level that the results have. Its mark stands for it while a text
// is checked: that of a fact, or of a level.
type phrase struct {
	text []rune // in lower case
	mark rune
}

const (
	markFact  = '\uE000'
	markLevel = '\uF000'
	markQuote = '\uF8FE'
	markLast  = '\uF8FF'
)

func factsOf(r *rubric.Rubric, row *result.Row) *facts {
	f := &facts{}
	f.add(wholeOf(r, row), "overall", "evaluation", r.Name, r.ID)
	var levels []string
	for i := range row.Criteria {
		c := r.Find(row.Criteria[i].ID)
		if c == nil || c.Group() {
			continue
		}
		one, words := factOf(c, &row.Criteria[i])
		f.add(one, c.Label(), c.ID)
		levels = append(levels, words...)
	}
	for _, level := range levels {
		f.level(level)
	}
	slices.SortStableFunc(f.phrases, func(a, b phrase) int { return len(b.text) - len(a.text) }) // the longest first
	for i := range f.list {
		f.known += f.list[i].words + f.list[i].evidence
	}
	return f
}

func wholeOf(r *rubric.Rubric, row *result.Row) fact {
	f := fact{label: "the evaluation", whole: true}
	f.say(r.Name, r.ID, r.Description)
	if row.Score == nil {
		return f
	}
	f.score(*row.Score)
	if row.Verdict != nil {
		f.levels = []string{lower(*row.Verdict)}
	}
	switch {
	case row.Passes():
		f.result = passed
	case row.Passed != nil:
		f.result = failed
	}
	if len(r.Pass.Bands) == 0 {
		return f
	}
	threshold := r.Pass.Bands[0].Min
	f.score(threshold)
	switch {
	case *row.Score > threshold+rubric.Slack:
		f.side = "above"
	case *row.Score < threshold-rubric.Slack:
		f.side = "below"
	}
	return f
}

// factOf is the fact of a criterion, and all words for its levels.
func factOf(c *rubric.Criterion, v *result.Criterion) (f fact, words []string) {
	f = fact{label: c.Label(), evidence: wordsOf(v.Reason)}
	f.say(c.Label(), c.ID, c.Text)
	for _, e := range v.Evidence {
		f.evidence += wordsOf(e.Text)
	}
	next := (*rubric.Level)(nil)
	if v.Value != nil {
		f.score(*v.Value)
		next = result.NextLevel(c, *v.Value)
	}
	native := v.Verdict().Native
	switch native.Kind {
	case rubric.KindMet:
		f.levels, words = []string{native.String()}, []string{"met", "unmet"}
		if !c.Penalty() { // whose pass rule is unknown
			f.result = map[bool]string{true: passed, false: failed}[native.Met]
		}
	case rubric.KindNumber:
		f.plain = append(f.plain, native.Number)
	}
	for i := range c.Answer.Levels {
		l := &c.Answer.Levels[i]
		names := []string{lower(l.ID), lower(l.Label)}
		words = append(words, names...)
		switch {
		case v.Value != nil && native.Kind == rubric.KindLevel && l.ID == native.Level:
			f.levels = names
			f.say(l.Description)
		case next != nil && l.ID == next.ID:
			f.aims = names
			f.say(l.Description)
		}
	}
	return f, words
}

// score adds a score in [0, 1], as the deterministic text shows it.
func (f *fact) score(x float64) {
	f.plain = append(f.plain, rounded(x, 2))
	f.percent = append(f.percent, rounded(x*100, 0))
}

func rounded(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	if err != nil { // it was just written
		return x
	}
	return y
}

func (f *fact) say(texts ...string) {
	for _, text := range texts {
		f.words += wordsOf(text)
		for _, t := range token().FindAllString(text, -1) {
			if x, percent, ok := numberOf(t); ok && !percent {
				f.numbers = append(f.numbers, x)
			}
		}
	}
}

func (f *facts) add(one fact, names ...string) {
	if len(f.list) >= markLevel-markFact {
		return // no rubric has so many criteria
	}
	for _, name := range names {
		if text := []rune(lower(name)); len(text) > 0 {
			f.phrases = append(f.phrases, phrase{text, markFact + rune(len(f.list))})
		}
	}
	f.list = append(f.list, one)
}

// level adds a word for a level, but for those that no sentence can do without.
func (f *facts) level(word string) {
	text, mark := []rune(word), markLevel+rune(len(f.phrases))
	if len(text) > 1 && mark < markQuote && !everyday[word] {
		f.phrases = append(f.phrases, phrase{text, mark})
	}
}

// marked puts marks in place of the phrases, and of quotations that are more than a word
// or a phrase; those are returned.
func (f *facts) marked(s string) (text string, quotes []string) {
	s = quotation().ReplaceAllStringFunc(s, func(q string) string {
		m := quotation().FindStringSubmatch(q)
		if inner := m[2] + m[4]; strings.Contains(strings.TrimSpace(inner), " ") && !f.isPhrase(inner) {
			quotes = append(quotes, inner)
			return m[1] + m[3] + string(markQuote) + m[5]
		}
		return q
	})
	in := []rune(s)
	word := func(i int) bool {
		return i >= 0 && i < len(in) && (unicode.IsLetter(in[i]) || unicode.IsDigit(in[i]))
	}
	var out []rune
next:
	for i := 0; i < len(in); i++ {
		if word(i) && !word(i-1) {
			for _, p := range f.phrases {
				if end := i + len(p.text); end <= len(in) && !word(end) && slices.EqualFunc(in[i:end], p.text, func(a, lowered rune) bool { return unicode.ToLower(a) == lowered }) {
					out = append(out, p.mark)
					i = end - 1
					continue next
				}
			}
		}
		out = append(out, in[i])
	}
	return string(out), quotes
}

func (f *facts) isPhrase(s string) bool {
	return slices.ContainsFunc(f.phrases, func(p phrase) bool { return string(p.text) == lower(s) })
}

func isName(t string) bool {
	r := []rune(t)[0]
	return r >= markFact && r < markLevel
}

func (f *facts) of(name string) *fact { return &f.list[[]rune(name)[0]-markFact] }

// levelOf is the level that a mark stands for.
func (f *facts) levelOf(t string) (level string, ok bool) {
	r := []rune(t)[0]
	i := slices.IndexFunc(f.phrases, func(p phrase) bool { return p.mark == r && r >= markLevel })
	if i < 0 {
		return "", false
	}
	return string(f.phrases[i].text), true
}

func lower(s string) string {
	return strings.Map(unicode.ToLower, strings.Join(strings.Fields(s), " "))
}

// wordsOf is a text as words in lower case, with blanks between and around them.
func wordsOf(s string) string {
	return " " + strings.Join(strings.FieldsFunc(lower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ") + " "
}
