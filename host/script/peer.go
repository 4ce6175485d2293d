package script

import (
	"errors"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// Prefixes of the driver's answer in a peer.
const (
	peerAnswered = '0' // then the payload
	peerThrew    = '1' // then a message
	peerNoMemory = '2'
)

// peerAnswer returns the payload of the driver's answer in a peer, which may be anything: the
// code that a peer runs may have replaced the driver.
func peerAnswer(g wasm.Guest, name string, answer []byte) ([]byte, error) {
	if len(answer) > 0 {
		switch answer[0] {
		case peerAnswered:
			return append(answer[:0], answer[1:]...), nil
		case peerThrew:
			return answer[:0], fault.As(fault.Trap, errors.New(wasm.Printable(answer[1:])))
		case peerNoMemory:
			return answer[:0], g.OutOfMemory(name)
		}
	}
	return answer[:0], g.Fault(fault.Output, name, "the driver's answer in a peer is not of its form")
}
