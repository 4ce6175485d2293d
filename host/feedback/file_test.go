package feedback_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/feedback"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func note(caseID, criterion, by string) feedback.Note {
	return feedback.Note{Run: "r1", Case: caseID, Criterion: criterion, By: by, At: noon, Agree: new(true)}
}

func mustAppend(t testing.TB, dir string, notes ...feedback.Note) []feedback.Note {
	t.Helper()
	added, err := feedback.Append(dir, notes)
	must(t, err)
	return added
}

func mustRead(t testing.TB, dir string) []feedback.Note {
	t.Helper()
	notes, problems, err := feedback.Read(dir)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return notes
}

func TestAppend_IsReadAgain(t *testing.T) {
	dir := t.TempDir()
	if notes := mustRead(t, dir); notes != nil {
		t.Errorf("a run without notes has %v", notes)
	}
	n := note("c1", "tone", "ann")
	n.Comment = "line one\nline \u202etwo"
	n.At = time.Date(2026, 11, 23, 12, 0, 0, 123456789, time.FixedZone("", 3600))
	added := mustAppend(t, dir, n, note("c2", "", "bob"))
	if diff := cmp.Diff(added, mustRead(t, dir)); diff != "" {
		t.Errorf("added and read differ:\n%s", diff)
	}
	if got := added[0]; got.Repeat != 1 || got.At.Location() != time.UTC || got.At.Nanosecond() != 123456000 || !strings.HasPrefix(got.ID, "note_") || len(got.ID) != 17 {
		t.Errorf("%+v", got)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, feedback.File)); strings.Contains(string(b), "\u202e") {
		t.Error("the file holds a character that turns text around")
	}
}

func TestAppend_RefusesNotes(t *testing.T) {
	text, half, beyond, long := "pass", 0.5, 1.5, strings.Repeat("x", 1<<20)
	for name, change := range map[string]func(*feedback.Note){
		"no case":             func(n *feedback.Note) { n.Case = "" },
		"no run":              func(n *feedback.Note) { n.Run = "" },
		"nobody":              func(n *feedback.Note) { n.By = " " },
		"no time":             func(n *feedback.Note) { n.At = time.Time{} },
		"nothing said":        func(n *feedback.Note) { n.Agree = nil },
		"label and value":     func(n *feedback.Note) { n.Agree, n.Label, n.Value = nil, &text, &half },
		"agrees with another": func(n *feedback.Note) { n.Label = &text },
		"value above 1":       func(n *feedback.Note) { n.Agree, n.Value = nil, &beyond },
		"repeat -1":           func(n *feedback.Note) { n.Repeat = -1 },
		"long comment":        func(n *feedback.Note) { n.Comment = strings.Repeat("x", feedback.MaxComment+1) },
		"long label":          func(n *feedback.Note) { n.Agree, n.Label = nil, &long },
		"not UTF-8":           func(n *feedback.Note) { n.Comment = "\xff" },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			n := note("c1", "tone", "ann")
			change(&n)
			if _, err := feedback.Append(dir, []feedback.Note{note("c0", "", "ann"), n}); !fault.Is(err, fault.Invalid) {
				t.Errorf("error %v", err)
			}
			if _, err := os.Stat(filepath.Join(dir, feedback.File)); !errors.Is(err, os.ErrNotExist) {
				t.Error("a part of the notes was written")
			}
		})
	}
}

// TestAppend_WritersDoNotMix lets many write at once: every note is there, whole.
func TestAppend_WritersDoNotMix(t *testing.T) {
	dir := t.TempDir()
	const writers, each = 8, 5
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				n := note(fmt.Sprintf("c%d", i), "tone", fmt.Sprintf("person %d", w))
				n.Comment = strings.Repeat("x", 5000)
				if _, err := feedback.Append(dir, []feedback.Note{n}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(mustRead(t, dir)); n != writers*each {
		t.Errorf("%d notes, want %d", n, writers*each)
	}
}

// TestAppend_AfterAKill cuts the file anywhere, as a process that is killed leaves
// it: whole lines stay, and the next note is whole.
func TestAppend_AfterAKill(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir := t.TempDir()
	for i := range 3 {
		mustAppend(t, dir, note(fmt.Sprint("c", i), "tone", "ann"))
	}
	path := filepath.Join(dir, feedback.File)
	whole, err := os.ReadFile(path)
	must(t, err)
	for size := range len(whole) + 1 {
		must(t, os.WriteFile(path, whole[:size], 0o600))
		text := string(whole[:size])
		kept := strings.Count(text, "\n")
		if strings.HasSuffix(text, "}") { // it lacks only its line break
			kept++
		}
		if notes, problems, err := feedback.Read(dir); len(notes) != kept || err != nil || len(problems) != 0 && problems[0].Code != "note-torn" {
			t.Fatalf("%d bytes: %d notes, want %d; %v %v", size, len(notes), kept, problems, err)
		}
		mustAppend(t, dir, note("next", "tone", "ann"))
		if notes := mustRead(t, dir); len(notes) != kept+1 || notes[kept].Case != "next" {
			t.Fatalf("%d bytes: %d notes after another, want %d", size, len(notes), kept+1)
		}
	}
}

func TestRead_HostileLinesAreDiagnostics(t *testing.T) {
	dir := t.TempDir()
	good := `{"id":"note_other","run":"r1","case":"c1","by":"ann","at":"2026-11-23T12:00:00Z","agree":true}`
	lines := []string{
		good, "", `{`, `[]`, `null`, "\x00\xff", `{"case":"c1","case":"c2"}`, `{"run":"r1","case":"c1","by":"ann","at":"2026-11-23T12:00:00Z","value":7}`,
		`{"run":"r1","case":"c1","by":"ann","at":"yesterday","agree":true}`, `{"run":"r1","case":7}`,
		`{"run":"r1","case":"` + strings.Repeat("c", feedback.MaxLine) + `"}`,
		strings.Replace(good, "c1", "c2", 1),
	}
	must(t, os.WriteFile(filepath.Join(dir, feedback.File), []byte(strings.Join(lines, "\n")), 0o600))
	notes, problems, err := feedback.Read(dir)
	if err != nil || len(notes) != 2 || notes[0].ID == "note_other" || notes[1].Case != "c2" {
		t.Errorf("%v, %v", notes, err)
	}
	var at []int
	for _, d := range problems {
		at = append(at, d.Pos.Line)
	}
	if want := []int{3, 4, 5, 6, 7, 8, 9, 10, 11}; !slices.Equal(at, want) || problems.Err() != nil {
		t.Errorf("lines %v, want %v: %v", at, want, problems)
	}
}

func TestRead_RefusesOtherThanFiles(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, feedback.File), 0o700))
	if _, _, err := feedback.Read(dir); !fault.Is(err, fault.Invalid) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := feedback.Append(filepath.Join(dir, "gone"), []feedback.Note{note("c", "", "a")}); !fault.Is(err, fault.NotFound) {
		t.Errorf("no directory: %v", err)
	}
}

// TestAppend_ReadsAsAModel holds the file to a list in memory, without what a person said last, too.
func TestAppend_ReadsAsAModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "notes")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		type about struct {
			caseID, criterion, by string
			repeat                int
		}
		last := map[about]feedback.Note{}
		var model []feedback.Note
		for range rapid.IntRange(1, 8).Draw(rt, "appends") {
			var batch, want []feedback.Note
			for range rapid.IntRange(1, 3).Draw(rt, "notes") {
				n := note(rapid.SampledFrom([]string{"a", "é\n"}).Draw(rt, "case"), rapid.SampledFrom([]string{"", "x"}).Draw(rt, "criterion"), rapid.SampledFrom([]string{"ann", "bob"}).Draw(rt, "by"))
				n.Repeat = rapid.IntRange(1, 2).Draw(rt, "repeat")
				n.Agree = new(rapid.Bool().Draw(rt, "agree"))
				n.At = noon.Add(time.Duration(len(model)+len(want)) * time.Second)
				key := about{n.Case, n.Criterion, n.By, n.Repeat}
				batch = append(batch, n)
				if old, ok := last[key]; !ok || *old.Agree != *n.Agree {
					last[key], want = n, append(want, n)
				}
			}
			if added := mustAppend(t, dir, batch...); len(added) != len(want) {
				rt.Fatalf("%d added, want %d", len(added), len(want))
			}
			model = append(model, want...)
		}
		got := mustRead(t, dir)
		for i := range got {
			got[i].ID = ""
		}
		if diff := cmp.Diff(model, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestImport_NamesEveryBadLine(t *testing.T) {
	for line, want := range map[string]string{
		`{"case":"c1","agree":true}`: "", `  {"case":7,"value":0.5}`: "", `{"case":"c1","criterion":"tone","level":"warm","reason":"kind"}`: "", "\xEF\xBB\xBF{\"case\":\"c1\",\"met\":false}": "",
		`{"case":"c1"}`:                           "the note says nothing: it has no agree, label, value or comment",
		`{"agree":true}`:                          "the note names no case",
		`{"case":"c1","value":2}`:                 "value 2 is not in 0..1",
		`{"case":"c1","met":true,"level":"warm"}`: "the line gives several of label, level and met",
		`{"case":"c1","agreed":true}`:             `unknown key "agreed"`,
		`{"case":"c1","agree":1}`:                 "agree is a number, not true or false",
		`{"case":"c1","agree":true,"repeat":1.5}`: "repeat is a number, not a whole number",
		`{"case":"c1","agree":true,"at":"now"}`:   "at is text, not a time",
		`{"case":"c1","case":"c2"}`:               `duplicate key "case"`,
		`"c1"`:                                    "the line is text, not an object",
		`c1`:                                      "not JSON: invalid character 'c' at start of value",
		`[{"case":"c1","agree":true}]`:            "the file begins a list",
		"":                                        "the file holds no note",
		strings.Repeat("x", feedback.MaxLine+2):   "the line has more than 1048576 bytes",
		`{"case":"c1","value":1e999}`:             "value is beyond what a float64 holds",
		`{"case":"c1","by":["ann"],"agree":true}`: "by is a list, not text",
	} {
		notes, err := feedback.Import("n.jsonl", strings.NewReader(line), "r1", "ann", noon)
		if got := diag.In(err); want == "" && (err != nil || len(notes) != 1) || want != "" && (len(got) != 1 || got[0].Message != want) {
			t.Errorf("%.60s: %v, %v; want %q", line, notes, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"run":"r1","case":"c1","by":"ann","at":"2026-11-23T12:00:00Z","agree":true}` + "\n{"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, feedback.File), text, 0o600))
		notes, _, err := feedback.Read(dir)
		must(t, err)
		for i := range notes {
			if err := notes[i].Check(); err != nil {
				t.Errorf("a note that cannot be kept was read: %v", err)
			}
		}
		mustAppend(t, dir, note("next", "", "ann"))
		after, _, err := feedback.Read(dir)
		if err != nil || len(after) < len(notes) || len(after) > len(notes)+1 {
			t.Errorf("%d notes became %d: %v", len(notes), len(after), err)
		}
	})
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
