package dataset_test

import (
	"fmt"
	"strings"

	"github.com/rubric-host/rubric-host/host/dataset"
)

func ExampleOpen() {
	rows := `{"id":"q1","question":"How long?","response":"14 days","reference":"Two weeks"}
{"id":"q2","question":"How much?"}
{"id":"q3","response":"Nothing"}
`
	r, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(rows)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for c, err := range r.Cases() {
		if err != nil {
			fmt.Println(err) // the row is named, and the next one is read
			continue
		}
		fmt.Printf("%s: %q %q\n", c.Place(), c.Output, c.References)
	}
	// Output:
	// case "q1" (<stdin>:1): "14 days" ["Two weeks"]
	// <stdin>:2:1: error: case "q2" has no output [output-missing]
	// 	hint: add the field output, name the one that holds it with dataset.Options.Map output=FIELD, or join rows of id and output with dataset.Options.Outputs; the row has id, question, input
	// case "q3" (<stdin>:3): "Nothing" []
}
