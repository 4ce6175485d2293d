// Recall is a scorer written with Extism's kit for Go: the share of the
// reference's words that the output has. The key fold of its configuration says
// whether case counts.
package main

import (
	"strings"

	pdk "github.com/extism/go-pdk"
)

type request struct {
	Contract int `json:"contract"`
	Case     struct {
		Output     string   `json:"output"`
		References []string `json:"references"`
	} `json:"case"`
}

type details struct {
	Found int `json:"found"`
	Words int `json:"words"`
	Calls int `json:"calls"` // as a variable counts them, and a global: 1, if state is put back
}

var calls int

//go:wasmexport recall
func recall() int32 {
	var r request
	if err := pdk.InputJSON(&r); err != nil {
		pdk.SetErrorString("cannot read the request: " + err.Error())
		return 1
	}
	if r.Contract != 1 {
		pdk.SetErrorString("only contract 1 is known")
		return 1
	}
	if len(r.Case.References) == 0 {
		return answer(map[string]string{"unscored": "the case has no references"})
	}
	calls++
	pdk.SetVarInt("calls", pdk.GetVarInt("calls")+calls)
	fold := func(s string) string { return s }
	if v, ok := pdk.GetConfig("fold"); ok && v == "true" {
		fold = strings.ToLower
	}
	has := map[string]bool{}
	for _, w := range strings.Fields(fold(r.Case.Output)) {
		has[w] = true
	}
	words := strings.Fields(fold(r.Case.References[0]))
	found := 0
	for _, w := range words {
		if has[w] {
			found++
		}
	}
	if len(words) == 0 {
		pdk.Log(pdk.LogWarn, "the reference has no words")
		return answer(map[string]string{"unscored": "the reference has no words"})
	}
	return answer(map[string]any{
		"score":   float64(found) / float64(len(words)),
		"details": details{found, len(words), pdk.GetVarInt("calls")},
	})
}

func answer(v any) int32 {
	if err := pdk.OutputJSON(v); err != nil {
		pdk.SetError(err)
		return 1
	}
	return 0
}

func main() {}
