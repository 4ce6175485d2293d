package strict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
)

func ExampleReader() {
	r := strict.New(document.Read("ferry.yaml", []byte("name: 7\nfare: 4.5\ntags: [fast, yes]\nharbor: Porto\n"), document.Options{}))
	o := r.Object(r.Doc.Root, "", "ferry")
	o.Word(strict.Must, "name")
	fare, _ := o.Number(strict.Must, "fare")
	o.Texts("tags")
	o.Text(strict.May, "harbour")
	o.Close()
	fmt.Println(fare)
	fmt.Println(r.Err())
	// Output:
	// 4.5
	// ferry.yaml:1:7: error: name must be text, not a number 7 [wrong-type]
	// 	hint: quote it: "7"
	// ferry.yaml:3:14: error: yes is text to some YAML readers and a boolean to others [ambiguous-word]
	// 	hint: quote it: "yes"
	// ferry.yaml:4:1: error: unknown key "harbor" in the document [unknown-key]
	// 	hint: did you mean "harbour"?
}

func TestObject_HintsNameAKeyOnce(t *testing.T) {
	r := strict.New(document.Read("judge.yaml", []byte("address: x\n"), document.Options{}))
	o := r.Object(r.Doc.Root, "", "judge")
	o.Ask("model")
	o.Text(strict.May, "model")
	o.Close()
	if got := fmt.Sprint(r.Err()); strings.Count(got, "model") != 1 {
		t.Error(got)
	}
}
