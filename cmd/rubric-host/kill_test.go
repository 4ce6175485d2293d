package main

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

const killRubric = `rubric: killed
version: 1.0.0
pass: 0.5
criteria:
  - {id: kind, judge: The answer is friendly.}
  - {id: correct, judge: The answer is true.}
  - {id: word, metric: contains, with: {texts: [a]}}
`

// moody is a judge whose answers depend on the request only. Some answers are unusable
// at first, some requests fail, and some are slow.
func moody(c llmtest.Call) llmtest.Answer {
	h := crc32.ChecksumIEEE(c.Body)
	time.Sleep(time.Duration(rand.IntN(12)) * time.Millisecond)
	if h%17 == 0 {
		time.Sleep(150 * time.Millisecond)
	}
	switch {
	case rand.IntN(30) == 0:
		return llmtest.Answer{Status: 500, Error: "busy"}
	case rand.IntN(30) == 0:
		return llmtest.Answer{Status: 429, Error: "slow down", Header: map[string]string{"Retry-After": "0.01"}}
	case h%7 == 0 && len(c.Messages) < 4:
		return llmtest.Answer{Text: "I am not sure."}
	case h%2 == 0:
		return llmtest.Answer{Text: `{"reason":"it is there","verdict":"MET"}`}
	}
	return llmtest.Answer{Text: `{"reason":"it is missing","verdict":"UNMET"}`}
}

// TestEval_KilledRunsLoseNothing kills runs with a judge at random moments and resumes
// them until they are finished. Finished rows and recorded answers are not repeated, and
// the rows equal those of an undisturbed run, byte for byte. RUBRIC_HOST_KILLS sets
// the number of kills.
func TestEval_KilledRunsLoseNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	kills := 6
	if n, err := strconv.Atoi(os.Getenv("RUBRIC_HOST_KILLS")); err == nil {
		kills = n
	}
	const cases = 60
	var left atomic.Int64 // requests until the process is killed: a time would let none through on a busy machine
	var process atomic.Pointer[os.Process]
	kill := func() {
		p := process.Load()
		time.AfterFunc(time.Duration(rand.IntN(30))*time.Millisecond, func() { _ = p.Kill() })
	}
	server := llmtest.New(t, func(c llmtest.Call) llmtest.Answer {
		if left.Add(-1) == 0 {
			kill()
		}
		return moody(c)
	})
	dir := t.TempDir()
	var data strings.Builder
	for i := range cases {
		fmt.Fprintf(&data, `{"id":"c%02d","output":"answer %d"}`+"\n", i, i%(cases/2)) // prompts come twice
	}
	for name, text := range map[string]string{"rubric.yaml": killRubric, "data.jsonl": data.String()} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	program := func(ctx context.Context, args ...string) (*exec.Cmd, *bytes.Buffer) {
		cmd := exec.CommandContext(ctx, "rubric-host", args...)
		cmd.Dir = dir
		cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "RUBRIC_HOST_") }), "HOME="+dir, "OPENAI_BASE_URL="+server.URL+"/v1", "OPENAI_API_KEY=sk-x")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		return cmd, &out
	}
	eval := func(runs string) []string {
		return []string{"eval", "rubric.yaml", "data.jsonl", "--judge", "openai:m", "--runs", runs, "--display", "json", "-g", "mean>=0", "--attempts", "6", "--cache", "off"}
	}
	if cmd, out := program(t.Context(), eval("calm")...); cmd.Run() != nil {
		t.Fatalf("%s", out)
	}
	want := rowsOfRun(t, filepath.Join(dir, "calm"))
	done, lost, again, chains, read := 0, 0, 0, 0, false
	for ; done < kills; chains++ {
		runs := fmt.Sprintf("r%d", chains)
		for finished := false; !finished; {
			cmd, out := program(t.Context(), eval(runs)...)
			must(t, cmd.Start())
			process.Store(cmd.Process)
			left.Store(rand.Int64N(cases))
			if left.Load() == 0 { // before it asks anything
				kill()
			}
			err := cmd.Wait()
			switch {
			case err == nil:
				finished = true
			case cmd.ProcessState.ExitCode() >= 0:
				t.Fatalf("%v\n%s", err, out)
			default:
				done++
				record := theRun(t, filepath.Join(dir, runs), "run.json")
				finished = bytes.Contains(record, []byte(`"status": "finished"`)) // killed after its end
				if len(record) > 0 && !finished && !read {                        // the report of the first is enough
					read = true
					cmd, out := program(t.Context(), "report", "latest", "--runs", runs)
					if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "the run is not finished (interrupted): the figures are of the ") {
						t.Errorf("report of a run that was killed: %v\n%s", err, out)
					}
				}
			}
			lost += missingRows(t, filepath.Join(dir, runs), out.String())
		}
		if got := rowsOfRun(t, filepath.Join(dir, runs)); !bytes.Equal(got, want) {
			t.Errorf("the rows differ:\n%s\nwant\n%s", got, want)
		}
		again += paidTwice(t, filepath.Join(dir, runs))
		if cmd, out := program(t.Context(), "verify", "latest", "--runs", runs); cmd.Run() != nil {
			t.Errorf("%s", out)
		}
	}
	t.Logf("%d kills in %d runs of %d cases: %d finished rows lost, %d paid answers asked for again", done, chains, cases, lost, again)
	if lost+again > 0 {
		t.Errorf("%d finished rows were lost, %d answers were paid for twice", lost, again)
	}
}

func theRun(t *testing.T, runs, file string) []byte {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(runs, "*", file))
	found = slices.DeleteFunc(found, func(path string) bool { // killed before it had begun: empty
		_, err := os.Stat(filepath.Join(filepath.Dir(path), "run.json"))
		return err != nil
	})
	if err != nil || len(found) > 1 {
		t.Fatalf("%d files %s in %s: %v", len(found), file, runs, err)
	}
	if len(found) == 0 {
		return nil
	}
	b, err := os.ReadFile(found[0])
	must(t, err)
	return b
}

func rowsOfRun(t *testing.T, runs string) []byte {
	t.Helper()
	return theRun(t, runs, "rows.jsonl")
}

// missingRows counts the rows that the program reported but did not write.
func missingRows(t *testing.T, runs, told string) (missing int) {
	t.Helper()
	have := map[string]bool{}
	for line := range bytes.Lines(rowsOfRun(t, runs)) {
		var row struct {
			Case string `json:"case"`
		}
		if json.Unmarshal(line, &row) == nil {
			have[row.Case] = true
		}
	}
	for line := range strings.Lines(told) {
		var e struct {
			Event string `json:"event"`
			Case  string `json:"case"`
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Event == "row" && !have[e.Case] {
			missing++
		}
	}
	return missing
}

// paidTwice counts the answers that were recorded and asked for again.
func paidTwice(t *testing.T, runs string) (twice int) {
	t.Helper()
	seen := map[string]bool{}
	n := 0
	for line := range bytes.Lines(theRun(t, runs, "calls.jsonl")) {
		var c struct {
			llm.CallID
			Digest string         `json:"digest"`
			Answer jsontext.Value `json:"answer"`
		}
		must(t, json.Unmarshal(line, &c))
		if c.Answer == nil {
			continue
		}
		n++
		key := fmt.Sprint(c.Case, c.Criteria, c.Attempt, c.Digest)
		if seen[key] {
			twice++
		}
		seen[key] = true
	}
	if n == 0 {
		t.Error("no answer was recorded")
	}
	return twice
}
