package llm

import (
	"strings"
	"testing"
)

// The text of an error body is the endpoint's: it may repeat the key in any form and at any place, also across the cut.
func TestSays_RedactsBeforeItCuts(t *testing.T) {
	const key = "sk-abcdefgh12345678"
	for name, body := range map[string]string{
		"a plain body":                    "bad key " + key + " sent",
		"an error as text":                `{"error": "bad key ` + key + ` sent"}`,
		"an error as an object":           `{"error": {"message": "bad key ` + key + ` sent"}}`,
		"an error with an escaped key":    `{"error": {"message": "bad key ` + strings.ReplaceAll(key, "-", `\u002d`) + ` sent"}}`,
		"a body of no known form":         `{"reason": "bad key ` + strings.ReplaceAll(key, "1", `\u0031`) + ` sent"}`,
		"a list with an escaped key":      `{"error": ["bad key ` + strings.ReplaceAll(key, "-", `\u002D`) + ` sent"]}`,
		"JSON in a message":               `{"message": "{\"reason\": \"bad key ` + strings.ReplaceAll(key, "-", `\\u002d`) + ` sent\"}"}`,
		"a body that is not JSON":         `data: {"reason": "bad key ` + strings.ReplaceAll(key, "-", `\u002d`) + ` sent"}`,
		"a header's value with escapes":   `["bad key tenant\/\"secret\" sent"]`,
		"a detail":                        `{"detail": "bad key ` + key + ` sent"}`,
		"a message":                       `{"message": "bad key ` + key + ` sent"}`,
		"an error that is a list":         `{"error": ["bad key ` + key + ` sent"]}`,
		"a header's value in its message": `{"message": "bad key tenant-secret-1 sent"}`,
	} {
		t.Run(name, func(t *testing.T) {
			e := &Endpoint{Key: key, Headers: map[string]Secret{"X-Tenant": "tenant-secret-1", "X-Odd": `tenant/"secret"`}}
			x := &exchange{endpoint: e, raw: []byte(body)}
			for limit := range len(body) + 20 {
				got := x.says(limit)
				if len(got) > limit {
					t.Fatalf("%d bytes, at most %d allowed", len(got), limit)
				}
				for _, part := range []string{"sk-a", "abcdefgh", "12345678", "tenant-"} {
					if strings.Contains(got, part) {
						t.Fatalf("limit %d: %q has a part of a secret", limit, got)
					}
				}
			}
			if got := x.says(1 << 10); !strings.Contains(got, "bad key [secret] sent") {
				t.Errorf("%q", got)
			}
		})
	}
}
