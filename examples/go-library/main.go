// Go-library grades with package host: one answer, then a dataset, with a judge
// and a scorer of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, w io.Writer) error {
	doc, err := host.Load("rubric.yaml") // any of the dialects
	if err != nil {
		return err
	}
	ev, err := host.New(ctx, host.Options{
		Judge:   &host.Judge{Name: "example-judge", Model: llm.Func(judge)},
		Scorers: map[string]host.Scorer{"brevity": brevity},
	})
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the program ends

	c, err := host.Case(`{"id": "one", "output": "Thank you for asking: yes, it ships today."}`)
	if err != nil {
		return err
	}
	row, err := ev.Grade(ctx, doc, c, host.GradeOptions{})
	if err != nil {
		return err
	}
	show(w, row)

	done, err := ev.Evaluate(ctx, doc, host.EvaluateOptions{
		Dataset:  dataset.Options{Paths: []string{"cases.jsonl"}},
		InFlight: 1, // rows are observed as they finish: one at a time keeps their order
		Observe:  func(row *result.Row) { show(w, row) },
	})
	if err != nil {
		return err
	}
	total := done.Run.Summary.Total
	fmt.Fprintf(w, "mean %.3f, passed %d of %d\n", *total.Mean, total.Pass.Passed, total.Pass.Of)
	return nil
}

// show prints a row. A number is true or it is absent: then the row says why.
func show(w io.Writer, row *result.Row) {
	if row.Score == nil {
		fmt.Fprintf(w, "%s  no score: %s\n", row.Case, row.Reason)
		return
	}
	fmt.Fprintf(w, "%s  %.3f  passed %t\n", row.Case, *row.Score, row.Passes())
	for _, c := range row.Criteria {
		if c.Value != nil {
			fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("  %-5s  %.3f  %s", c.ID, *c.Value, c.Reason), " "))
		}
	}
}

// judge stands in for a language model: host.Judge takes an Endpoint as well.
func judge(_ context.Context, req llm.Request) (llm.Response, error) {
	if strings.Contains(req.User, "Thank you") {
		return llm.Response{Text: `{"reason": "It says thank you.", "verdict": "MET"}`}, nil
	}
	return llm.Response{Text: `{"reason": "There is no kind word in it.", "verdict": "UNMET"}`}, nil
}

// brevity is a scorer in Go: 1 for as many words as the rubric allows, less for
// more.
func brevity(_ context.Context, q host.Question) (host.Answer, error) {
	most, ok := q.Config["words"].(float64)
	if !ok {
		return host.Answer{}, errors.New("brevity needs a number of words")
	}
	n := len(strings.Fields(q.Case.Output))
	return host.Score(min(1, most/float64(max(1, n)))), nil
}
