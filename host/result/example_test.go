package result_test

import (
	"fmt"
	"strings"

	"github.com/rubric-host/rubric-host/host/result"
)

func ExampleParseGate() {
	g, err := result.ParseGate("pass_rate >= 95%")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := result.NewSummarizer(result.SummaryOptions{})
	rows := `{"schema":1,"case":"a","status":"scored","score":0.9,"passed":true}
{"schema":1,"case":"b","status":"scored","score":0.2,"passed":false}
{"schema":1,"case":"c","status":"unscored","score":null,"passed":false}
`
	for row, err := range result.ReadRows(strings.NewReader(rows)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		s.Add(row)
	}
	o := g.Evaluate(s.Summary())
	fmt.Println(o.Passed, o.Why)

	_, err = result.ParseGate("pasrate>=95%")
	fmt.Println(err)
	// Output:
	// false 50% (1 of 2; 1 unscored)
	// gate:1:1: error: pasrate>=95%: unknown figure "pasrate" [figure-unknown]
	// 	hint: did you mean "pass_rate"?
}
