package tools_test

import (
	"fmt"

	"github.com/rubric-host/rubric-host/host/dialect/tools"
)

func ExampleMigrate() {
	old := []byte("name: old\ndomain: coding\nscale: {min: 0, max: 10}\ncriteria:\n  - {name: right, description: Is it right?, weight: 3}\n  - {name: fast, description: Is it fast?, weight: 1}\n")
	m, err := tools.Migrate("old.yaml", old, "2.0.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range m.Changes {
		fmt.Printf("%s: %q -> %q\n", c.Path, c.Before, c.After)
	}
	fmt.Println(len(m.Remaining), "problems remain")
	// Output:
	// version: "" -> "2.0.0"
	// domain: "coding" -> "code"
	// criteria[0].weight: "3" -> "0.75"
	// criteria[1].weight: "1" -> "0.25"
	// 0 problems remain
}
