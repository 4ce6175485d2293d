package result

import (
	"cmp"
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// SummedUp reports whether Summary is that of the rows. It is not while rows are graded again, nor
// after the process that did so was killed.
func (r *Run) SummedUp() bool { return r.Summary != nil && !r.Finished.IsZero() }

// Baseline returns the comparison that the run was made with, nil if there is none.
func (r *Run) Baseline() *Comparison {
	if r.Summary == nil {
		return nil
	}
	return r.Summary.Baseline
}

// SliceFields returns the fields of cases that the run was summed up by.
func (r *Run) SliceFields() []string {
	if r.Summary == nil {
		return nil
	}
	return xslices.Map(r.Summary.Slices, func(s Slice) string { return s.Field })
}

// Took returns how long the executions of the run took.
func (r *Run) Took() time.Duration { return time.Duration(r.Seconds * float64(time.Second)) }

// A Run is run.json, the record of one execution of a plan: rubric, dataset, scorers,
// outcome, and enough to repeat it.
type Run struct {
	Schema   int       `json:"schema"`
	ID       string    `json:"id"`
	Status   RunStatus `json:"status"`
	Started  time.Time `json:"started"`
	By       string    `json:"by,omitzero"`       // who started it
	Finished time.Time `json:"finished,omitzero"` // zero while it runs
	Seconds  float64   `json:"seconds,omitzero"`  // that its executions took, without pauses between them and without those that were killed
	Command  []string  `json:"command"`           // the arguments that repeat it, the program first

	Plan       jsontext.Value `json:"plan,omitzero"`
	PlanDigest string         `json:"plan_digest,omitzero"`

	RescoredFrom string   `json:"rescored_from,omitzero"` // id of the run whose cases were graded again
	MergedFrom   []string `json:"merged_from,omitzero"`   // ids of the runs of the shards, in whose order its cases are

	Rubric  Rubric   `json:"rubric"`
	Rubrics []Rubric `json:"case_rubrics,omitzero"` // of cases that bring their own
	Dataset Dataset  `json:"dataset"`
	Repeats int      `json:"repeats,omitzero"` // evaluations of each case; 0 means 1
	Plugins []Plugin `json:"plugins"`
	Judges  []Judge  `json:"judges"`

	Versions    Versions          `json:"versions"`
	Seeds       map[string]uint64 `json:"seeds,omitzero"` // by purpose, such as "sample"
	Environment Environment       `json:"environment"`

	Retrying bool `json:"retrying,omitzero"` // rows without a score are being graded again

	Counts      Counts    `json:"counts"`
	Usage       Usage     `json:"usage"`          // of all executions together; that in Summary is of the rows
	Cache       string    `json:"cache,omitzero"` // reuse of earlier answers as it began, such as "off"
	Gates       []Outcome `json:"gates"`
	MaxUnscored string    `json:"max_unscored,omitzero"` // rows without a score that do not fail the run: a number or a percentage; empty: none
	Summary     *Summary  `json:"summary,omitzero"`      // once there is one
	Error       *Failure  `json:"error,omitzero"`        // why it stopped before its end
	RowsKept    *int      `json:"rows_kept,omitzero"`    // of a run that could not be written as a whole: the rows that a resume finds
	Exit        *int      `json:"exit,omitzero"`         // exit code of the program; nil until the run has ended
}

// End notes the exit code of a run that has ended.
func (r *Run) End(code int) { r.Exit = &code }

// EndsWith reports whether the run has ended with an exit code.
func (r *Run) EndsWith(code int) bool { return r.Exit != nil && *r.Exit == code }

// System is who evaluates where no name is given: dataknobs' documented default of
// evaluated_by.
const System = "system"

// EvaluatedBy returns who started the run, else System.
func (r *Run) EvaluatedBy() string { return cmp.Or(r.By, System) }

// A RunStatus says how far a run has come.
type RunStatus string

// The statuses. A run that still says Running and is not, was killed.
const (
	Running       RunStatus = "running"
	Finished      RunStatus = "finished"
	Interrupted   RunStatus = "interrupted" // by a signal
	OverBudget    RunStatus = "budget"
	OutOfTime     RunStatus = "timeout"
	StoppedEarly  RunStatus = "stopped" // at the first case without a score, as asked
	FailedToScore RunStatus = "failed"  // nothing more could be scored
)

// StatusOf returns the status of a run that ended with err.
func StatusOf(err error) RunStatus {
	switch fault.Of(err) {
	case fault.None, fault.Gate, fault.Incomparable:
		return Finished
	case fault.Interrupted, fault.Terminated:
		return Interrupted
	case fault.Budget:
		return OverBudget
	case fault.Timeout:
		return OutOfTime
	case fault.Unscored:
		return StoppedEarly
	}
	return FailedToScore
}

// A Rubric names a rubric.
type Rubric struct {
	ID      string `json:"id"`
	Name    string `json:"name,omitzero"`
	Version string `json:"version,omitzero"`
	Dialect string `json:"dialect,omitzero"`
	File    string `json:"file,omitzero"`
	Digest  string `json:"digest"` // of its meaning, "sha256:<hex>"
}

// A Dataset names a dataset and the selected part of it.
type Dataset struct {
	Paths      []string          `json:"paths,omitzero"`  // as they were asked for
	Format     string            `json:"format,omitzero"` // as it was asked for; empty: found out
	Map        []string          `json:"map,omitzero"`    // field=path, as --map has it
	Outputs    string            `json:"outputs,omitzero"`
	Preset     string            `json:"preset,omitzero"`
	Problems   string            `json:"problems,omitzero"`    // file of the preset's problems that the rubric names
	Samples    bool              `json:"samples,omitzero"`     // rows of one id are samples of one problem
	FromRubric bool              `json:"from_rubric,omitzero"` // the rubric's file brought cases of its own
	Audit      bool              `json:"audit,omitzero"`       // the grader was tested
	Sources    []dataset.Source  `json:"sources"`
	Digest     string            `json:"digest,omitzero"` // of the rows that were read
	Rows       int               `json:"rows"`            // read
	Cases      int               `json:"cases"`           // selected
	Selection  dataset.Selection `json:"selection,omitzero"`
	NoContent  bool              `json:"no_content,omitzero"` // cases.jsonl has digests only
}

// DatasetOf returns the record of a Reader's dataset.
func DatasetOf(t dataset.Totals, s dataset.Selection) Dataset {
	if t.Sources == nil {
		t.Sources = []dataset.Source{}
	}
	s.Listed = len(s.IDs)
	return Dataset{Sources: t.Sources, Digest: t.Digest, Rows: t.Rows, Cases: t.Cases, Selection: s}
}

// A Plugin names a plugin that scored, pinned.
type Plugin struct {
	Name    string   `json:"name"`
	Version string   `json:"version,omitzero"`
	Digest  string   `json:"digest"`           // of the module
	Source  string   `json:"source,omitzero"`  // where it came from
	Wall    Wall     `json:"wall,omitzero"`    // isolation from the host; empty if not known
	Exports []string `json:"exports,omitzero"` // those that were called
	Grants  []string `json:"grants,omitzero"`  // rights beyond the sandbox
}

// A Wall says where a plugin ran, beside in its sandbox. No number depends on it.
type Wall string

// The walls.
const (
	Process Wall = "process" // in the process of the program
	Worker  Wall = "worker"  // in a process of its own
)

// A Judge names a language model that scored, with everything that its answers
// depend on.
type Judge struct {
	Name     string            `json:"name"`
	Model    string            `json:"model"`
	Prompts  map[string]string `json:"prompts,omitzero"` // digests by the name of the template
	Settings jsontext.Value    `json:"settings,omitzero"`
}

// Versions are those of the programs behind a number.
type Versions struct {
	RubricHost string `json:"rubric_host"`
	Go         string `json:"go"`
	Wazero     string `json:"wazero,omitzero"`
	FuelTable  string `json:"fuel_table,omitzero"` // version of the meter's cost table
}

// Environment is the machine that a run ran on. No number depends on it.
type Environment struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
}

// Counts are how many rows there are of each kind.
type Counts struct {
	Cases       int  `json:"cases"`        // different ones
	Rows        int  `json:"rows"`         // cases times repeats
	Scored      int  `json:"scored"`       // rows with a score
	Unscored    int  `json:"unscored"`     // rows without one
	Passed      *int `json:"passed"`       // rows that passed; null: no pass rule
	FailedGates int  `json:"failed_gates"` // scored rows with a gate that does not hold
	Failed      int  `json:"failed"`       // scored rows that did not pass, for whatever reason
}

// Undecided returns how many scored rows neither passed nor failed, for want of a pass rule.
func (c *Counts) Undecided() int {
	n := c.Scored - c.Failed
	if c.Passed != nil {
		n -= *c.Passed
	}
	return n
}

// WriteRun writes run.json: indented, members in the order of Run, lists that
// are nil as empty ones.
func WriteRun(w io.Writer, r *Run) error {
	b, err := json.Marshal(r, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true)) // names of files and arguments may be anything
	if err != nil {
		return err
	}
	_, err = w.Write(append(diag.EscapeJSON(b), '\n'))
	return err
}

// ReadRun reads run.json. An error has class fault.Invalid.
func ReadRun(in io.Reader) (*Run, error) {
	var r Run
	if err := json.UnmarshalRead(in, &r); err != nil {
		return nil, fault.New(fault.Invalid, "run.json: %w", err)
	}
	return &r, checkSchema("run", r.Schema)
}
