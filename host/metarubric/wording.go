package metarubric

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Bounds on the comparison of texts.
const (
	similar    = 0.6  // from this Jaccard index on two criteria overlap
	fewestWord = 4    // a criterion with fewer different words overlaps with none, unless all are the same
	mostWords  = 300  // different words of a criterion that are looked at
	mostTexts  = 2000 // different texts that are compared with each other
)

// wording finds criteria that say the same, or nearly. Their similarity is the Jaccard
// index of the sets of words of name and text - words of both ÷ words of either -
// without words such as "the" and "of", in lower case. Of scripts without spaces a word
// is a pair of characters.
func (b *reviewer) wording() {
	texts := b.texts()
	for _, t := range texts {
		if len(t.ids) > 1 {
			b.of(Finding{Severity: diag.Warning, Code: "wording-same", Figure: exact("jaccard", 1, len(t.words)),
				Message: fmt.Sprintf("criteria %s have the same words", b.quoted(t.ids)), Hint: "remove all but one, or say how they differ"}, t.ids...)
		}
	}
	if len(texts) > mostTexts {
		b.skip("wording-overlap", nil, "only the first %d of %d criteria are compared", mostTexts, len(texts))
		texts = texts[:mostTexts]
	}
	for _, p := range overlaps(texts) {
		ids := slices.Concat(p.x.ids, p.y.ids)
		b.of(Finding{Severity: diag.Warning, Code: "wording-overlap", Figure: exact("jaccard", p.similarity, p.n),
			Message: fmt.Sprintf("criteria %s share %.0f %% of their words", b.quoted(ids), 100*p.similarity),
			Hint:    "criteria that overlap count the same fault twice: merge them, or say how they differ"}, ids...)
	}
}

// wordSet is a set of words that criteria consist of.
type wordSet struct {
	words []int    // ascending
	ids   []string // of the criteria
}

// texts returns the sets of words of the criteria, each once.
func (b *reviewer) texts() []*wordSet {
	var texts []*wordSet
	known, same := map[string]int{}, map[string]*wordSet{}
	for _, c := range b.Rubric.Leaves() {
		words := wordsOf(c.Name+"\n"+c.Text, known)
		if len(words) == 0 {
			continue
		}
		key := fmt.Sprint(words)
		t := same[key]
		if t == nil {
			t = &wordSet{words: words}
			same[key], texts = t, append(texts, t)
		}
		t.ids = append(t.ids, c.ID)
	}
	return texts
}

// overlap is two sets of words that are similar.
type overlap struct {
	x, y       *wordSet
	similarity float64
	n          int // words of either
}

// overlaps returns the similar pairs of sets, the most similar first.
func overlaps(texts []*wordSet) []overlap {
	var pairs []overlap
	for i, x := range texts {
		for _, y := range texts[:i] {
			short, long := len(x.words), len(y.words)
			if short > long {
				short, long = long, short
			}
			if short < fewestWord || float64(short) < similar*float64(long) {
				continue
			}
			both := shared(x.words, y.words)
			n := short + long - both
			if s := float64(both) / float64(n); s >= similar {
				pairs = append(pairs, overlap{y, x, s, n})
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y overlap) int { return cmp.Compare(y.similarity, x.similarity) })
	return pairs
}

// exact is a figure that is not an estimate.
func exact(name string, value float64, n int) *Figure { return &Figure{Name: name, Value: value, N: n} }

// shared counts the common elements of two ascending lists.
func shared(a, b []int) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			n, a, b = n+1, a[1:], b[1:]
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return n
}

// unspaced are scripts that write words without spaces between them.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// function words of English, which say nothing about the subject of a criterion.
// Words that turn a sentence around, such as "not", are none.
var function = xslices.Set(strings.Fields("a an and any are as at be been by does do for from has have if in into is it its of on or that the their there these this those to was were which will with"))

// wordsOf returns the numbers of the different words of a text, ascending.
func wordsOf(text string, known map[string]int) []int {
	set := map[int]bool{}
	add := func(word string) {
		if len(set) >= mostWords || function[word] {
			return
		}
		n, ok := known[word]
		if !ok {
			n = len(known)
			known[word] = n
		}
		set[n] = true
	}
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
	for _, field := range fields {
		runes := []rune(field)
		if len(runes) < 2 || !unicode.In(runes[0], unspaced...) {
			add(field)
			continue
		}
		for i := 1; i < len(runes); i++ {
			add(string(runes[i-1 : i+1]))
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// An Opinion is a judge's opinion on the wording of a criterion.
type Opinion struct {
	ID         string
	Double     bool // it asks for two things at once
	Leading    bool // it suggests the answer
	Why        string
	Suggestion string
}

// opinions reports the judge's opinions; without a judge, the criteria that might be
// worth a question, which are not findings.
func (b *reviewer) opinions() {
	if !b.Asked {
		var double []string
		for _, c := range Asked(b.Rubric) {
			if joins().MatchString(c.Text) || suggests().MatchString(c.Text) || strings.Count(c.Text, "?") > 1 {
				double = append(double, c.ID)
			}
		}
		reason := "a judge decides this"
		if len(double) > 0 {
			reason += fmt.Sprintf("; the words of %s make it worth asking", b.quoted(double))
		}
		b.lacks(NeedsJudge, "wording-double, wording-leading", double, reason)
		return
	}
	for _, o := range b.Wording {
		say := func(code, what string) {
			b.of(Finding{Severity: diag.Warning, Code: code, Message: fmt.Sprintf("criterion %s %s, says the judge: %s", b.quoted([]string{o.ID}), what, diag.Plain(o.Why)),
				Hint: diag.Plain(o.Suggestion)}, o.ID)
		}
		if o.Double {
			say("wording-double", "asks for two things at once")
		}
		if o.Leading {
			say("wording-leading", "suggests its answer")
		}
	}
}

// Words that often join two requirements, and that often suggest an answer. They only
// select criteria for the question.
var (
	joins    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(and|and/or|as well as|or)\b`) })
	suggests = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(clearly|obviously|of course|surely|undoubtedly|as everyone knows|don't you|isn't it|doesn't it|wouldn't you)\b`)
	})
)

// Asked returns the criteria whose wording a judge is asked about: those that a judge
// grades by their text.
func Asked(r *rubric.Rubric) []*rubric.Criterion {
	return xslices.Filter(r.Leaves(), func(c *rubric.Criterion) bool {
		return c.Scorer.WayOrJudge() == rubric.ByJudge && strings.TrimSpace(c.Text) != ""
	})
}

// A Reading is how hard the texts of criteria are to read. It is of English.
type Reading struct {
	ID    string  // of the criterion; empty: of all together
	Grade float64 // Flesch-Kincaid grade, in years of school
	Words int
}

// ReadingText returns the text of a criterion that people read: its own and those of
// its levels.
func ReadingText(c *rubric.Criterion) string {
	levels := xslices.Map(c.Answer.Levels, func(l rubric.Level) string { return sentence(l.Description) })
	return strings.TrimSpace(strings.Join(append([]string{sentence(c.Text)}, levels...), " "))
}

// sentence ends a text, so that the next one is not of the same sentence.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?:;") {
		text += "."
	}
	return text
}

// Bounds on readability: an index of few words is mostly chance.
const (
	FewestWords     = 30  // of a criterion
	FewestWordsAll  = 100 // of all criteria together
	hardest         = 16.0
	hardestTogether = 14.0
)

// reading finds texts that are hard to read.
func (b *reviewer) reading() {
	for _, r := range b.Reading {
		switch {
		case r.ID == "" && r.Words >= FewestWordsAll && r.Grade > hardestTogether:
			b.find(Finding{Severity: diag.Note, Code: "reading-level", Figure: exact("grade", r.Grade, r.Words),
				Message: fmt.Sprintf("the criteria together need %.0f years of school to read (Flesch-Kincaid, %d words)", r.Grade, r.Words),
				Hint:    "write shorter sentences and plainer words"}, "criteria")
		case r.ID != "" && r.Words >= FewestWords && r.Grade > hardest:
			b.of(Finding{Severity: diag.Note, Code: "reading-level", Figure: exact("grade", r.Grade, r.Words),
				Message: fmt.Sprintf("criterion %s needs %.0f years of school to read (Flesch-Kincaid, %d words)", b.quoted([]string{r.ID}), r.Grade, r.Words),
				Hint:    "write shorter sentences and plainer words"}, r.ID)
		}
	}
}

// PerQuestion is the number of criteria that a judge is asked about at once.
const PerQuestion = 20

// The question to a judge about the wording of criteria. The criteria are untrusted,
// and stand apart; see judge.Query.
const (
	System = "You edit rubrics that language models and people grade texts with. You judge only how a criterion is worded, not whether it is a good one."
	Task   = `For each criterion decide two things.
double_barrelled: it asks for two or more things of which a text can have one and lack the other, so that one answer cannot be right for both. Two words for one thing, or examples of one thing, are not double-barrelled.
leading: its wording suggests which answer is expected, or praises or blames before the text is read. A requirement that is plainly stated is not leading.`
	Form = `Answer with one JSON object: {"criteria": [{"number": 1, "double_barrelled": false, "leading": false, "why": "", "suggestion": ""}]}, with one entry for each criterion, by its number. Where both are false, why and suggestion are empty; else why says in one sentence what is wrong, and suggestion is a better wording.`
)

// Schema is the JSON Schema of the answer.
var Schema = jsontext.Value(`{"type":"object","additionalProperties":false,"required":["criteria"],"properties":{"criteria":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["number","double_barrelled","leading","why","suggestion"],"properties":{"number":{"type":"integer"},"double_barrelled":{"type":"boolean"},"leading":{"type":"boolean"},"why":{"type":"string"},"suggestion":{"type":"string"}}}}}}`)

// Question is the part of the message about one criterion.
func Question(number int, c *rubric.Criterion) string {
	text := fmt.Sprintf("number: %d\n", number)
	if c.Name != "" {
		text += "name: " + fault.Clip(c.Name, 500) + "\n"
	}
	return text + "text: " + fault.Clip(strings.TrimSpace(c.Text), 4000)
}

// Opinions reads the answer about criteria. problem lists its errors for the judge;
// empty: none.
func Opinions(asked []*rubric.Criterion, object jsontext.Value) (list []Opinion, problem string) {
	var answer struct {
		Criteria []struct {
			Number     *int   `json:"number"`
			Double     *bool  `json:"double_barrelled"`
			Leading    *bool  `json:"leading"`
			Why        string `json:"why"`
			Suggestion string `json:"suggestion"`
		} `json:"criteria"`
	}
	if err := json.Unmarshal(object, &answer); err != nil {
		return nil, "it is not of the form that was asked for: " + fault.Clip(err.Error(), 200)
	}
	seen := make([]bool, len(asked)+1)
	for _, a := range answer.Criteria {
		switch {
		case a.Number == nil || *a.Number < 1 || *a.Number > len(asked):
			return nil, fmt.Sprintf("an entry has no number from 1 to %d", len(asked))
		case seen[*a.Number]:
			return nil, fmt.Sprintf("number %d occurs twice", *a.Number)
		case a.Double == nil || a.Leading == nil:
			return nil, fmt.Sprintf("the entry of number %d lacks double_barrelled or leading", *a.Number)
		case (*a.Double || *a.Leading) && strings.TrimSpace(a.Why) == "":
			return nil, fmt.Sprintf("the entry of number %d does not say why", *a.Number)
		}
		seen[*a.Number] = true
		list = append(list, Opinion{asked[*a.Number-1].ID, *a.Double, *a.Leading, fault.Clip(strings.TrimSpace(a.Why), 500), fault.Clip(strings.TrimSpace(a.Suggestion), 500)})
	}
	if len(list) < len(asked) {
		return nil, fmt.Sprintf("%d of %d criteria have no entry", len(asked)-len(list), len(asked))
	}
	return list, ""
}
