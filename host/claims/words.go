package claims

import (
	"regexp"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/xslices"
)

var (
	markup      = lazy("https?:|www\\.|[<>\\[\\]{}#|\\\\*`=~^@$&+]")
	sentenceEnd = lazy(`[.!?]+["')]*(?:\s+|$)|\n+`)
	token       = lazy(`[\x{E000}-\x{F8FF}]|[0-9]+(?:[.,][0-9]+)*%?|[\pL\pM]+(?:'\pL+)*|\pN`)
	quotation   = lazy(`()"([^"]{1,200})"|(^|[^\pL\pN])'([^']{1,200})'($|[^\pL\pN])`)
	quantified  = lazy(`(?i)\b(?:all|every|each|most|several|many|few|some|any|half|other|another|remaining|various|multiple)\b(?:\W+\w+){0,2}?\W+(?:criteria|criterion|aspects?|areas?|requirements?|levels?|categor(?:y|ies)|dimensions?|scores?)\b`)
)

// lazy compiles an expression on first use: few commands need one, and all start sooner.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

func set(words string) map[string]bool { return xslices.Set(strings.Fields(words)) }

// everyday are levels of some rubrics and words of every text.
var everyday = set("an as at be by do for from he if in is it its most more no of on or so some the this to up was with yes")

var outcomes = func() map[string]string {
	m := map[string]string{}
	for w := range set("pass passes passed passing succeed succeeds succeeded succeeding success successful successfully satisfied satisfies satisfactory acceptable accepted approved") {
		m[w] = passed
	}
	for w := range set("fail fails failed failing failure failures unsuccessful unsuccessfully unsatisfactory unsatisfied unacceptable rejected") {
		m[w] = failed
	}
	return m
}()

// sides are the words for lying above or below a number.
var sides = map[string]string{
	"above": "above", "exceeds": "above", "exceed": "above", "exceeded": "above", "exceeding": "above", "over": "above", "surpasses": "above", "beyond": "above", "clears": "above", "meets": "above", "reaches": "above", "met": "above",
	"below": "below", "under": "below", "beneath": "below", "short": "below", "misses": "below", "missed": "below",
}

var (
	// counts are numbers in words, and words for all, none, extremes and change.
	counts = set("zero two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen half third quarter double twice triple percent percentage all both none neither everything nothing everyone nobody majority minority perfect perfectly flawless flawlessly full fully maximum minimum max min best worst top bottom ideal average median increased decreased improved declined worsened")

	// positives end like superlatives.
	positives = set("interest request suggest honest modest contest forest earnest harvest invest protest digest manifest dishonest disinterest pretest retest attest")

	joins       = set("and or like as well plus with nor both including")
	kinds       = set("criterion criteria dimension dimensions category categories") // the word before one is a name
	determiners = set("the a an this that these those its your their each every one for of on in by and or with single following same named given")
	negations   = set("not no never without cannot hardly barely neither nor none far short almost nearly lacks lacking despite instead rather")
	aims        = set("aim aims aiming reach reaching toward towards achieve achieving attain attaining become strive striving")
	aimNouns    = set("next target")
	done        = set("does did do has have had already is was are were")
	scores      = set("score scores scored scoring rated rating rates mark marks marked grade graded grades earned earns got gets received receives value points overall")
	thresholds  = set("threshold thresholds bar mark score minimum cutoff")

	// starters may begin a sentence.
	starters = set(`a an the this that these those it its to for in on at by with without while although though however but and or so as since because when if where given
		despite besides also additionally further furthermore moreover meanwhile therefore thus hence still yet next first finally instead likewise similarly overall one
		consider focus aim try add improve improving provide include revise work use using keep make making ensure rewrite expand reduce remove clarify address strengthen
		raise raising bring build your you please here there review check explain support start continue maintain move moving reach reaching adding giving write rework give
		show describe state name replace shorten lengthen see note`)
)
