package host_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// TestTheProgramSaysTheSame puts the rows to the program itself, as a script
// would.
func TestTheProgramSaysTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	seedModules = filepath.Join(t.TempDir(), "modules")
	program := buildProgram(t)
	t.Run("grade", func(t *testing.T) { gradeRows(t, program) })
	t.Run("validate", func(t *testing.T) { validateRows(t, program) })
}

// gradeRows puts the rows of the systems that --verdicts can say to `grade RUBRIC
// --input case.json --verdicts v.jsonl --json`. What it prints must be what the
// library gives and what the system did; a row that the library refuses or
// leaves without a score must end with the exit code for that.
func gradeRows(t *testing.T, program string) {
	asked := map[string]func(*testing.T, *seedRow) *asking{
		agentevalsSeeds.name: func(_ *testing.T, row *seedRow) *asking { return row.agentevals() },
		agentvSeeds.name:     func(t *testing.T, row *seedRow) *asking { return row.agentv(t) },
		rubricSeeds.name:     func(_ *testing.T, row *seedRow) *asking { return row.rubricList() },
	}
	for _, s := range []*seedSystem{&agentevalsSeeds, &agentvSeeds, &rubricSeeds} {
		t.Run(s.name, func(t *testing.T) {
			for _, row := range readSeeds(t, s.name) {
				if !sayable(s, row) {
					continue
				}
				t.Run(row.ID, func(t *testing.T) {
					t.Parallel()
					a := asked[s.name](t, row)
					if _, worst := agentvWorst[row.ID]; worst {
						a.unscored = score.Worst
					}
					if overall, clamped := rubricClamped[row.ID]; clamped {
						a.script, a.given = nil, []scorer.Line{{Overall: pointer(overall)}}
					}
					a.compare(t, s, row, program)
				})
			}
		})
	}
}

// sayable reports whether a row is about a graded case.
func sayable(s *seedSystem, row *seedRow) bool {
	_, skip := s.skipped[row.ID]
	_, places := row.Expected["applies"]
	return !skip && !places && row.Input["strategy"] != "load"
}

// buildProgram builds the program once.
func buildProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rubric-host")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	build := exec.Command("go", "build", "-o", path, "./cmd/rubric-host")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the program does not build: %v\n%s", err, out)
	}
	return path
}

// compare grades a row by the library, and by the program with the verdicts that
// came of it.
func (a *asking) compare(t *testing.T, s *seedSystem, row *seedRow, program string) {
	t.Helper()
	got := a.grade(t)
	if got.row == nil {
		code, _ := a.runProgram(t, program, row, []scorer.Line{{Criterion: "x", Met: pointer(true)}})
		if want := fault.ExitCode(got.err); code != want {
			t.Errorf("exit code %d, want %d", code, want)
		}
		return
	}
	lines, sayable := verdictsOf(got.row)
	if !sayable {
		return
	}
	code, printed := a.runProgram(t, program, row, lines)
	if printed == nil {
		t.Fatalf("exit code %d, and no row", code)
	}
	want := rowFacts(got.row)
	for _, free := range []string{"class", "error", "warned", "tokens_in", "feedback"} { // of how a verdict came about
		delete(want, free)
	}
	for name := range want {
		base, about := name, ""
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			base, about = name[:i], name[i+1:]
		}
		switch {
		case about == "note", about == "status", about == "fallback", about == "reason" && want[base] == nil:
			delete(want, name)
		}
	}
	f := rowFacts(printed)
	if missed := want.missed(f); len(missed) > 0 {
		t.Errorf("the program is not of one mind with the library:\n\t%s", strings.Join(missed, "\n\t"))
	}
	if _, departs := s.ours[row.ID]; !departs && got.row.Score != nil {
		a.follow(t, s, row, f)
	}
	if want := exitOf(got.row); code != want {
		t.Errorf("exit code %d, want %d", code, want)
	}
}

// follow holds what the program printed to what the system did, or to what its
// document demands where the two differ.
func (a *asking) follow(t *testing.T, s *seedSystem, row *seedRow, printed facts) {
	t.Helper()
	expected := row.Expected
	if row.Agrees == false {
		expected = sparse(row.Demanded)
	}
	want := s.upstream(row, expected)
	for name := range want {
		switch {
		case name == "calls", strings.HasPrefix(name, "calls."), strings.HasPrefix(name, "loaded."), name == "error":
			delete(want, name) // no judge is asked here, and the row has no document
		}
	}
	printed.and(agentvStatus(printed))
	printed["refused"], printed["required_failed"] = nil, printed["gates"] != ""
	if missed := want.missed(printed); len(missed) > 0 {
		t.Errorf("the program does not follow:\n\t%s", strings.Join(missed, "\n\t"))
	}
}

// exitOf is the exit code for a graded case (CLI.md).
func exitOf(row *result.Row) int {
	switch {
	case row.Score == nil:
		return 3
	case row.Fails():
		return 1
	}
	return 0
}

// verdictsOf are the verdicts of a row, as lines. A whole rubric that is unscored
// cannot be said.
func verdictsOf(row *result.Row) (lines []scorer.Line, ok bool) {
	for _, c := range row.Criteria {
		l := scorer.Line{Criterion: c.ID, Reason: c.Reason}
		switch {
		case c.Value == nil:
			l.Unscored = pointer("the judge gave no answer that can be used")
		case c.ID == result.OverallID && c.Native != nil && c.Native.Number != nil:
			l.Criterion, l.Overall = rubric.Overall, c.Native.Number
		case c.Native == nil:
			l.Value = c.Value
		default:
			l.Met, l.Level, l.Number = c.Native.Met, c.Native.Level, c.Native.Number
		}
		if c.Value == nil && c.ID == result.OverallID {
			return nil, false
		}
		lines = append(lines, l)
	}
	return lines, true
}

// runProgram runs `grade` on the row, and returns its exit code and the row that
// it printed, nil if it printed an error.
func (a *asking) runProgram(t *testing.T, program string, row *seedRow, lines []scorer.Line) (int, *result.Row) {
	t.Helper()
	write := func(name string, b []byte) {
		if err := os.WriteFile(filepath.Join(a.dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("case.json", encoded(t, a.fields))
	args := []string{"grade", a.file, "--input", "case.json", "--json"}
	if len(lines) > 0 {
		write("verdicts.jsonl", verdictLines(lines))
		args = append(args, "--verdicts", "verdicts.jsonl")
	}
	args = append(args, gradeFlags(row, a)...)
	code, out := execute(t, program, a.dir, args...)
	var failed struct {
		Error *result.Failure `json:"error"`
	}
	if err := json.Unmarshal(out, &failed, json.RejectUnknownMembers(true)); err == nil && failed.Error != nil && code != 0 {
		return code, nil
	}
	printed := &result.Row{}
	if err := json.Unmarshal(out, printed, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("exit code %d, and neither a row nor an error: %v\n%s", code, err, out)
	}
	return code, printed
}

// gradeFlags are the flags for the settings of a row.
func gradeFlags(row *seedRow, a *asking) []string {
	var flags []string
	if a.unscored != "" {
		flags = append(flags, "--unscored", string(a.unscored))
	}
	options := row.Input["options"]
	if normalize, ok := dig(options, "normalize"); ok && normalize == false {
		flags = append(flags, "--no-normalize")
	}
	if p, ok := dig(options, "length_penalty"); ok {
		parts := []string{}
		for _, key := range []string{"free_budget", "max_cap", "penalty_at_cap", "exponent"} {
			parts = append(parts, rubric.FormatNumber(numberAt(p, key)))
		}
		if textAt(p, "penalty_type") == "OUTPUT_ONLY" {
			parts = append(parts, "output")
		}
		flags = append(flags, "--length-penalty", strings.Join(parts, ":"))
	}
	return flags
}

// execute runs the program without any settings from outside.
func execute(t *testing.T, program, dir string, args ...string) (code int, out []byte) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.ExitCode(), stdout.Bytes()
	case err != nil:
		t.Fatalf("%v: %v\n%s", args, err, stderr.Bytes())
	}
	return 0, stdout.Bytes()
}

// validateRows puts the document of every row to `rubric validate --json`, which
// must find what the library finds: the dialect, and the same diagnostics at the
// same places.
func validateRows(t *testing.T, program string) {
	for _, s := range seedSystems() {
		t.Run(s.name, func(t *testing.T) {
			seen := map[string]bool{}
			for _, row := range readSeeds(t, s.name) {
				if row.Rubric == nil || seen[row.Rubric.text()] || strings.HasPrefix(row.Rubric.text(), `[{"id"`) {
					continue // several rubrics of one registry are no document
				}
				seen[row.Rubric.text()] = true
				t.Run(row.ID, func(t *testing.T) {
					t.Parallel()
					a := &asking{file: row.fileName(), source: row.Rubric.text(), speaks: s.name}
					_, err := a.load(t)
					validated(t, program, a, err)
				})
			}
		})
	}
}

// validated runs `rubric validate` on a document that the library read or
// refused.
func validated(t *testing.T, program string, a *asking, refused error) {
	t.Helper()
	code, out := execute(t, program, a.dir, "rubric", "validate", a.file, "--json")
	var said struct {
		Valid       bool   `json:"valid"`
		Dialect     string `json:"dialect"`
		Diagnostics []struct {
			Severity string `json:"severity"`
			Code     string `json:"code"`
			Path     string `json:"path"`
			Line     int    `json:"line"`
			Column   int    `json:"column"`
			Message  string `json:"message"`
			Hint     string `json:"hint"`
		} `json:"diagnostics"`
	}
	if err := json.Unmarshal(out, &said, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := fault.ExitCode(refused); code != want || said.Valid != (refused == nil) || said.Dialect != a.speaks {
		t.Errorf("exit code %d, valid %v, dialect %s; want %d, %v, %s", code, said.Valid, said.Dialect, want, refused == nil, a.speaks)
	}
	want := diag.In(refused).Errors()
	for _, d := range said.Diagnostics {
		if d.Severity != string(diag.Error) {
			continue
		}
		if len(want) == 0 || want[0].Code != d.Code || want[0].Pos.Line != d.Line || want[0].Pos.Column != d.Column || want[0].Message != d.Message {
			t.Errorf("the program reports %+v, the library %v", d, want)
			return
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Errorf("the program does not report %v", want)
	}
}
