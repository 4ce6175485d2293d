package metric

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// KindReads asks a script, and no module, which keys of its configuration a
// function reads.
const KindReads = "reads"

// CheckReads refuses keys of a configuration that a script's function does not
// read: a misspelt key that is passed over is a wrong number. A function that is
// given the configuration as a whole may read any. An error has class
// fault.Invalid, or says that the script was not called.
func CheckReads(ctx context.Context, g Guest, plugin, export string, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	o := Options{Plugin: plugin, Export: export}
	b, _, err := g.Call(ctx, export, []byte(`{"contract":1,"kind":"`+KindReads+`","config":{},"case":{}}`), nil)
	if err != nil {
		return err
	}
	var answer struct {
		Reads *[]string `json:"reads"`
	}
	if err := json.Unmarshal(b, &answer); err != nil || answer.Reads == nil {
		return nil //nolint:nilerr // a script that says nothing of it may read any
	}
	for _, key := range slices.Sorted(slices.Values(keys)) {
		if slices.Contains(*answer.Reads, key) {
			continue
		}
		known := make([]string, len(*answer.Reads))
		for k, name := range *answer.Reads {
			known[k] = clipWithSize(diag.Plain(name), 60)
		}
		hint := "no key is read; take it out of the configuration, or give the function a parameter of that name"
		if s := diag.Suggest(key, known); s != "" {
			hint = diag.DidYouMean(key, known)
		} else if len(known) > 0 {
			hint = "it reads: " + strings.Join(known, ", ")
		}
		return o.place(fault.WithHint(fault.New(fault.Invalid, "nothing reads the key %q of its configuration", key), "%s", hint))
	}
	return nil
}
