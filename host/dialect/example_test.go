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
