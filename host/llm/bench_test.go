package llm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

// BenchmarkComplete is one attempt over loopback HTTP against a server in the
// same process that answers at once.
func BenchmarkComplete(b *testing.B) {
	c := llmtest.Instant(b, `{"reason": "It says so in its second sentence.", "verdict": "MET"}`).Client(b)
	req := llm.Request{System: strings.Repeat("You are a judge. ", 100), User: strings.Repeat("The response is this. ", 60), Temperature: new(0.0), Schema: schema}
	b.ReportAllocs()
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := c.Complete(context.Background(), req); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func BenchmarkDigest(b *testing.B) {
	req := llm.Request{System: strings.Repeat("You are a judge. ", 100), User: strings.Repeat("The response is this. ", 60), Temperature: new(0.0), Schema: schema}
	b.ReportAllocs()
	for b.Loop() {
		llm.Digest(req)
	}
}
