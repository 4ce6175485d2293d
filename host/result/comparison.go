package result

import (
	"cmp"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/stats"
)

// A Comparison holds the changes over the cases that are in both runs. Repeats of a case count as their mean;
// a case without a score enters counts and never a difference.
type Comparison struct {
	Schema    int  `json:"schema"`
	Base      Side `json:"base"`
	Candidate Side `json:"candidate"`

	// ByProblem: the runs have different samples of problems, so Paired, LostScore to Unscored,
	// Regressions to Same, and Cases are of problems. One passes if more than half of its scored samples do.
	ByProblem bool `json:"by_problem,omitzero"`

	Common        int `json:"common"`         // cases in both runs
	Paired        int `json:"paired"`         // of them, cases with a score in both
	OnlyBase      int `json:"only_base"`      // cases in the base only
	OnlyCandidate int `json:"only_candidate"` // cases in the candidate only
	LostScore     int `json:"lost_score"`     // scored in the base, unscored in the candidate
	GainedScore   int `json:"gained_score"`   // the other way round
	Unscored      int `json:"unscored"`       // unscored in both
	Clusters      int `json:"clusters,omitzero"`

	Regressions  *int `json:"regressions"`  // paired cases that passed in the base and do not now; null: no pass rule
	Improvements *int `json:"improvements"` // the other way round
	Worse        int  `json:"worse"`        // paired cases with a lower score
	Better       int  `json:"better"`       // paired cases with a higher score
	Same         int  `json:"same"`         // paired cases with the same score

	Total    Change         `json:"total"`
	PassAtK  []PassAtChange `json:"pass_at_k,omitzero"` // by k, where problems have several samples
	Criteria []Change       `json:"criteria"`           // in the order of the rubric
	Metrics  []Change       `json:"metrics"`
	Corpus   []CorpusChange `json:"corpus"`
	Slices   []SliceChange  `json:"slices,omitzero"` // by field, then value

	Cases []CaseChange `json:"cases"`         // that changed, the most important first
	More  int          `json:"more,omitzero"` // that changed and are not in Cases

	Resamples int      `json:"resamples"` // of every bootstrap and permutation test
	Seed      uint64   `json:"seed"`
	Sentence  string   `json:"sentence"` // the result in words
	Notes     []string `json:"notes"`    // limits of the comparison
}

// Counted is what the counts are of: cases or problems.
func (c *Comparison) Counted() string {
	if c.ByProblem {
		return "problem"
	}
	return "case"
}

// A Side is a run that was compared.
type Side struct {
	Run     string   `json:"run,omitzero"`
	Source  string   `json:"source,omitzero"` // run directory or file
	Rubric  string   `json:"rubric,omitzero"` // digest
	Dataset string   `json:"dataset,omitzero"`
	Rows    int      `json:"rows"`
	Cases   int      `json:"cases"`
	Scored  int      `json:"scored"` // cases with a score
	Mean    *float64 `json:"mean"`   // over those
}

// Name is that of the run's directory, which a user may have changed, or else its id or file.
func (s *Side) Name() string {
	if s.Run != "" && s.Source != "" {
		return filepath.Base(s.Source)
	}
	return cmp.Or(s.Run, s.Source)
}

// A ChangeVerdict interprets a difference: whether its interval excludes 0, and on
// which side.
type ChangeVerdict string

// The verdicts.
const (
	GotBetter ChangeVerdict = "better"
	GotWorse  ChangeVerdict = "worse"
	NoChange  ChangeVerdict = "no detectable change"
	Identical ChangeVerdict = "identical"
	TooFew    ChangeVerdict = "too few cases"
)

// A Change is the difference of one quantity, the score or a criterion, between
// two runs. P-values are two-sided; those that the data do not allow are null.
type Change struct {
	ID   string `json:"id,omitzero"`   // of the criterion; empty for the score
	Name string `json:"name,omitzero"` // for people

	N           int      `json:"n"`            // cases with a number in both runs
	LostScore   int      `json:"lost_score"`   // a number in the base only
	GainedScore int      `json:"gained_score"` // a number in the candidate only
	Base        *float64 `json:"base"`         // means over the N cases
	Candidate   *float64 `json:"candidate"`
	Delta       *float64 `json:"delta"` // candidate - base

	// Interval is that of the difference: paired t, cluster-robust where rows have clusters, with half a
	// unit of -1 and half a one of 1 more if it is of zeros and ones, or of pass@k. SE, Detectable and P agree with it.
	Interval   *Interval `json:"interval"`
	Bootstrap  *Interval `json:"bootstrap"`  // of the difference: percentiles over resampled cases or clusters
	SE         *float64  `json:"se"`         // standard error of the difference
	Detectable *float64  `json:"detectable"` // smallest difference that would be noticed four times out of five; null: none, or none that scores can have

	P           *float64 `json:"p"`           // paired t-test
	Q           *float64 `json:"q,omitzero"`  // P adjusted over all criteria (Benjamini-Hochberg); Permutation, where no t-test exists
	Permutation *float64 `json:"permutation"` // sign-flip test of the mean; clusters flip as one
	Sign        *float64 `json:"sign"`        // sign test; a cluster counts once, by its sum
	Better      int      `json:"better"`      // cases whose value rose (fell, for a penalty)
	Worse       int      `json:"worse"`

	Pass    *PassChange   `json:"pass"` // null: no pass rule
	Verdict ChangeVerdict `json:"verdict"`
}

// A PassChange is how many cases pass now and did not, and the reverse. A case
// with repeats passes if more than half of its scored repeats do.
type PassChange struct {
	N            int            `json:"n"`
	Base         *float64       `json:"base"` // share of cases that pass
	Candidate    *float64       `json:"candidate"`
	Delta        *float64       `json:"delta"`
	Interval     *Interval      `json:"interval"` // as that of Change for zeros and ones
	Regressions  int            `json:"regressions"`
	Improvements int            `json:"improvements"`
	McNemar      *stats.McNemar `json:"mcnemar"`     // null where rows have clusters, of which it knows nothing
	Permutation  *float64       `json:"permutation"` // sign-flip test; with single cases it is McNemar's exact test

	// Agreement is the share of cases that pass, or do not, in both runs; Kappa is Cohen's, which takes
	// chance into account, as for two judges. Kappa is nil if all cases of both runs pass, or none.
	Agreement *float64 `json:"agreement,omitzero"`
	Kappa     *float64 `json:"kappa,omitzero"`
}

// PassAtChange is the difference of pass@k and pass^k over the problems that have k scored samples in both
// runs. LostScore and GainedScore count those that have them in one.
type PassAtChange struct {
	K        int    `json:"k"`
	Problems int    `json:"problems"` // in both runs
	PassAt   Change `json:"pass_at"`
	PassHat  Change `json:"pass_hat"`
}

// A CorpusChange is the difference of a score over whole sets, from the summed
// statistics of the cases that are in both runs, as sacrebleu compares systems.
type CorpusChange struct {
	Name          string    `json:"name"`
	N             int       `json:"n"` // cases
	Base          *float64  `json:"base"`
	Candidate     *float64  `json:"candidate"`
	Delta         *float64  `json:"delta"`
	Interval      *Interval `json:"interval"`      // of the difference: percentiles of the paired bootstrap
	Bootstrap     *float64  `json:"bootstrap_p"`   // paired bootstrap; null where the sets score the same
	Randomization *float64  `json:"randomization"` // approximate randomization; null where the sets score the same
	Error         *Failure  `json:"error,omitzero"`
}

// A SliceChange is the difference of the score, the criteria and the metrics over
// the cases with one value of a field. Q of the score is adjusted over all slices,
// Q of a criterion or metric over all criteria and metrics of all slices.
type SliceChange struct {
	Field   string `json:"field"`
	Value   string `json:"value"`            // empty if Missing is set
	Missing bool   `json:"missing,omitzero"` // the cases have no such field
	Change  Change `json:"change"`           // of the score

	Criteria []Change `json:"criteria"` // in the order of the rubric
	Metrics  []Change `json:"metrics"`
}

// A CaseState is the outcome of a case.
type CaseState string

// The states, the most important first.
const (
	Regressed   CaseState = "regressed" // passed, and does not now
	LostScore   CaseState = "lost score"
	Improved    CaseState = "improved" // did not pass, and does now
	GainedScore CaseState = "gained score"
	WorseCase   CaseState = "worse"  // a lower score, the same verdict
	BetterCase  CaseState = "better" // a higher score, the same verdict
)

// A CaseChange is the change of one case.
type CaseChange struct {
	Case      string            `json:"case"`
	State     CaseState         `json:"state"`
	Base      *float64          `json:"base"` // mean over scored repeats
	Candidate *float64          `json:"candidate"`
	Criteria  []CriterionChange `json:"criteria,omitzero"` // that changed, the largest difference first

	BaseDigest      string `json:"base_digest,omitzero"` // of the case's content
	CandidateDigest string `json:"candidate_digest,omitzero"`
}

// A CriterionChange is the change of one criterion of a case.
type CriterionChange struct {
	ID        string   `json:"id"`
	Base      *float64 `json:"base"`
	Candidate *float64 `json:"candidate"`
}
