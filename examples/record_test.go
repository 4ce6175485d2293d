package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

// An opinion is what the recorded judge thinks of one output by one criterion:
// both are known by a piece of their text.
type opinion struct{ criterion, output, verdict, reason string }

// opinions are those of the quickstart's judge.
var opinions = []opinion{
	{"follows from the policy", "within the 14 days, and the lamp", "MET", "The 14 days, the unused item, the card and the five working days are all in the policy."},
	{"follows from the policy", "sorry that the parcel was late", "MET", "The 14 days for unused items and the five working days are in the policy; nothing else is claimed."},
	{"follows from the policy", "no questions asked", "UNMET", "The answer promises 30 days and a refund of everything; the policy gives 14 days and excludes opened software."},
	{"follows from the policy", "more careful", "MET", "The policy refunds unused items only, which is what the answer says."},
	{"follows from the policy", "To the card that was charged", "MET", "The card, the 14 days and the five working days are those of the policy."},
	{"follows from the policy", "Pursuant to", "MET", "The 14 days and the condition that the item is unused are those of the policy."},

	{"speak to the customer", "within the 14 days, and the lamp", "neutral", "It is polite and complete, and says nothing about the customer's situation."},
	{"speak to the customer", "sorry that the parcel was late", "warm", "It says sorry for the late parcel before it explains what to do."},
	{"speak to the customer", "no questions asked", "neutral", "It is friendly, and does not acknowledge anything in particular."},
	{"speak to the customer", "more careful", "cold", "It reproaches the customer and refuses without a kind word."},
	{"speak to the customer", "To the card that was charged", "neutral", "It answers the question and no more."},
	{"speak to the customer", "Pursuant to", "cold", "It is written like a statute, not like an answer to a person."},

	{"Blames the customer", "within the 14 days, and the lamp", "UNMET", "Nothing in it speaks of fault."},
	{"Blames the customer", "sorry that the parcel was late", "UNMET", "It takes the fault for the delay upon itself."},
	{"Blames the customer", "no questions asked", "UNMET", "Nothing in it speaks of fault."},
	{"Blames the customer", "more careful", "MET", "\"You should have been more careful\" puts the fault on the customer."},
	{"Blames the customer", "To the card that was charged", "UNMET", "Nothing in it speaks of fault."},
	{"Blames the customer", "Pursuant to", "UNMET", "Nothing in it speaks of fault."},
}

// TestRecording plays the opinions through a real endpoint with -update, and
// writes the recording that the quickstart replays. Without it, the recording
// must still fit: the prompts have not changed under it.
func TestRecording(t *testing.T) {
	dir, err := filepath.Abs("quickstart")
	if err != nil {
		t.Fatal(err)
	}
	recording := filepath.Join(dir, "calls.jsonl")
	if !*update {
		text, err := os.ReadFile(recording)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n != len(opinions) {
			t.Errorf("%d recorded calls, %d opinions: run go test ./examples -run Recording -update", n, len(opinions))
		}
		return
	}
	server := llmtest.New(t, func(c llmtest.Call) llmtest.Answer {
		for _, o := range opinions {
			if strings.Contains(c.User(), o.criterion) && strings.Contains(c.User(), o.output) {
				text, err := json.Marshal(struct {
					Reason  string `json:"reason"`
					Verdict string `json:"verdict"`
				}{o.reason, o.verdict})
				if err != nil {
					t.Error(err)
				}
				return llmtest.Answer{Text: string(text), Model: "example-judge"}
			}
		}
		t.Errorf("no opinion on:\n%s", c.User())
		return llmtest.Answer{Status: 500}
	})
	if err := os.RemoveAll(recording); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "eval", "rubric.yaml", "cases.jsonl", "--judge", "openai:example-judge", "--replay", "",
		"--record", recording, "--runs", t.TempDir(), "--fresh", "-j", "1", "-q")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "OPENAI_BASE_URL="+server.URL+"/v1", "OPENAI_API_KEY=none")
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 1 { // two of the answers are bad on purpose
		t.Fatalf("exit %d: %v\n%s", code, err, out)
	}
}
