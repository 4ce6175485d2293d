package script_test

import (
	"fmt"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
)

// BenchmarkPeer measures a call that asks its peer so many times: the peer is started once, and
// restored with the judge.
func BenchmarkPeer(b *testing.B) {
	for _, language := range []struct {
		name         string
		rt           func(testing.TB) *wasm.Runtime
		file, source string
	}{
		{"JavaScript", func(t testing.TB) *wasm.Runtime { return openRuntime(t, "") }, "score.js", `
export const servePeer = (request) => request;
export function score(c) { for (let k = 0; k < c.metadata.asks; k++) if (peer.call("42").payload !== "42") throw 1; return 1; }`},
		{"Python", python, "score.py", `
import rubric_host_peer as peer

def serve_peer(request):
    return request

def score(case, config):
    for _ in range(case["metadata"]["asks"]):
        assert peer.call(b"42")[1] == b"42"
    return 1
`},
	} {
		for _, asks := range []int{0, 1, 100} {
			b.Run(fmt.Sprintf("%s/asks=%d", language.name, asks), func(b *testing.B) {
				m := mustLoad(b, language.rt(b), peerBundle(b, language.file, language.source))
				request := fmt.Appendf(nil, `{"kind":"metric","case":{"metadata":{"asks":%d}},"config":{}}`, asks)
				var answer []byte
				var usage wasm.Usage
				var err error
				for b.Loop() {
					if answer, usage, err = m.Call(b.Context(), "score", request, answer); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(usage.Fuel), "fuel")
				b.ReportMetric(float64(usage.PeerFuel), "peer-fuel")
			})
		}
	}
}
