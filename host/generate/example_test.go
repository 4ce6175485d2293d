package generate_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/generate"
	"github.com/rubric-host/rubric-host/host/llm"
)

// A model drafts criteria for the cases of an eval file; they are written into it, and
// everything else stays.
func ExampleFill() {
	ctx := context.Background()
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: `{"criteria": [
			{"id": "lines", "text": "Has exactly three lines.", "weight": 1, "required": true},
			{"id": "syllables", "text": "Counts five, seven and five syllables.", "weight": 1, "required": false},
			{"id": "season", "text": "Names a season of the year.", "weight": 0.5, "required": false}]}`}, nil
	})
	ev, err := host.New(ctx, host.Options{Judge: &host.Judge{Model: model}})
	if err != nil {
		log.Fatal(err)
	}
	defer ev.Close(ctx)
	evals := `evalcases:
  - id: haiku  # style counts
    expected_outcome: Writes a haiku
    input_messages: [{role: user, content: A haiku please}]
`
	done, err := generate.Fill(ctx, ev, "evals.yaml", []byte(evals), generate.FillOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(done.Count(generate.Drafted), "case")
	fmt.Print(strings.Join(strings.SplitAfter(string(done.Text), "\n")[1:9], ""))
	// Output:
	// 1 case
	//   - id: haiku  # style counts
	//     expected_outcome: Writes a haiku
	//     input_messages: [{role: user, content: A haiku please}]
	//     rubrics:
	//       - id: lines
	//         expected_outcome: Has exactly three lines.
	//         weight: 1
	//         required: true
}
