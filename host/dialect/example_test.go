package dialect_test

import (
	"fmt"

	"github.com/rubric-host/rubric-host/host/dialect"
)

func ExampleDecode() {
	src := []byte("- {weight: 10, requirement: Names the pier}\n- {wieght: -5, requirement: Blames the visitor}\n")
	_, err := dialect.Decode("ferry.yaml", src, dialect.Options{})
	fmt.Println(err)
	// Output:
	// ferry.yaml:2:3: error: the criterion needs "weight" [key-missing]
	// ferry.yaml:2:4: error: unknown key "wieght" in the criterion [unknown-key]
	// 	hint: did you mean "weight"?
}

func ExampleEncode() {
	src := []byte("- {weight: 10, requirement: Names the pier}\n- {weight: -5, requirement: Blames the visitor}\n")
	doc, err := dialect.Decode("ferry.yaml", src, dialect.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	native, losses, err := dialect.Encode(doc, dialect.Native, dialect.YAML)
	fmt.Print(string(native))
	fmt.Println(len(losses), err)
	// Output:
	// # yaml-language-server: $schema=rubric.schema.json
	// rubric: rubric
	// raw: points
	// criteria:
	//   - id: "#1"
	//     weight: 10
	//     judge: Names the pier
	//   - id: "#2"
	//     weight: -5
	//     judge: Blames the visitor
	// 0 <nil>
}

func ExampleMigrate() {
	old := []byte("name: old\ndomain: coding\nscale: {min: 0, max: 10}\ncriteria:\n  - {name: right, description: Is it right?, weight: 3}\n  - {name: fast, description: Is it fast?, weight: 1}\n")
	m, err := dialect.Migrate("old.yaml", old, dialect.MigrateOptions{ToVersion: "2.0.0"})
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
