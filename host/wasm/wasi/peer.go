package wasi

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
)

// A Peer is another guest that this one sends requests to.
type Peer interface {
	// Ask sends a request and waits for the reply. The request is valid until Ask
	// returns, the payload of the reply until the next Ask or Restart. An error ends the
	// call of the guest that asks.
	Ask(request []byte) (Reply, error)

	// Compute is Ask of a new peer that serves this request only, whose reply may be
	// remembered. It ends the peer.
	Compute(request []byte) (Reply, error)

	// Restart ends the peer. The next request goes to a new one, which may use so much
	// fuel: zero, as much as is left of the call's. An error ends the call of the guest
	// that asks.
	Restart(fuel uint64) error

	// Leave notes the answer to the call of the guest if that uses up its fuel; empty: none.
	// An error ends the call.
	Leave(answer []byte) error
}

// A Reply is the result of a request.
type Reply struct {
	End     string // why the peer stopped: EndAnswer, or why it ended
	Payload []byte
	Fuel    uint64 // used for this request
}

// EndAnswer is the End of a peer that answered and is still there.
const EndAnswer = "answer"

// A guest with a peer writes to its standard input, which carries requests: that to the guest,
// those to its peer, and the replies. (There is no other descriptor that each interpreter
// passes on.) A write is one operation, in one buffer: "call" or "compute", a newline and the request, or
// "restart" with an optional number of fuel behind a space, or "leave", a newline and an answer. A call leaves a reply to be read: a line
// of End, Fuel and the payload's length, separated by spaces, and the payload. With " marshal" before the
// newline, the reply is the tuple (End, Fuel, payload) in the form of Python's module marshal,
// which Python reads in a fraction of the time.
const (
	peerCall    = "call"
	peerCompute = "compute"
	peerRestart = "restart"
	peerLeave   = "leave"
	peerMarshal = " marshal"
)

// A mailbox is the reply that a guest has not yet read, and the buffer of its head.
type mailbox struct {
	head, payload []byte
	buffer        [64]byte
}

// put replaces the reply. Nobody can confuse two replies: a guest that reads too little of
// one loses the rest.
func (m *mailbox) put(r *Reply, marshal bool) {
	if marshal {
		m.head, m.payload = r.marshalHead(m.buffer[:0]), r.Payload
		return
	}
	b := append(append(m.buffer[:0], r.End...), ' ')
	b = append(strconv.AppendUint(b, r.Fuel, 10), ' ')
	b = append(strconv.AppendInt(b, int64(len(r.Payload)), 10), '\n')
	m.head, m.payload = b, r.Payload
}

// marshalHead appends a tuple in Python's form, but for the bytes of its last item, the payload.
func (r *Reply) marshalHead(b []byte) []byte {
	b = append(b, ')', 3, 'Z', byte(len(r.End))) // a small tuple, a short interned ASCII string
	b = append(append(b, r.End...), 'l', 0, 0, 0, 0)
	digits := len(b) - 4
	for n := r.Fuel; n > 0; n >>= 15 {
		b = binary.LittleEndian.AppendUint16(b, uint16(n&(1<<15-1)))
		b[digits]++
	}
	return binary.LittleEndian.AppendUint32(append(b, 's'), uint32(len(r.Payload)))
}

// left returns how many bytes there are.
func (m *mailbox) left() int { return len(m.head) + len(m.payload) }

func (m *mailbox) clear() { m.head, m.payload = nil, nil }

// take moves the next bytes of the reply to b.
func (m *mailbox) take(b []byte) int {
	n := copy(b, m.head)
	more := copy(b[n:], m.payload)
	m.head, m.payload = m.head[n:], m.payload[more:]
	return n + more
}

// writePeer performs the operation in n buffers of a list.
func (w *World) writePeer(list, n uint32) (int, error) {
	message, err := w.only(list, n)
	if err != nil {
		return 0, err
	}
	w.mail.clear()
	w.Budget.Spend(len(message))
	if verb, request, found := bytes.Cut(message, []byte{'\n'}); found {
		if string(verb) == peerLeave {
			return len(message), w.Peer.Leave(request)
		}
		name, marshal := bytes.CutSuffix(verb, []byte(peerMarshal))
		switch string(name) {
		case peerCall:
			reply, err := w.Peer.Ask(request)
			return len(message), w.replied(reply, marshal, err)
		case peerCompute:
			reply, err := w.Peer.Compute(request)
			return len(message), w.replied(reply, marshal, err)
		}
	}
	fuel, ok := restartFuel(message)
	if !ok {
		return 0, errInval
	}
	return len(message), w.Peer.Restart(fuel)
}

// replied leaves a reply to be read.
func (w *World) replied(reply Reply, marshal bool, err error) error {
	if err != nil {
		return err
	}
	w.Budget.Spend(len(reply.Payload))
	w.mail.put(&reply, marshal)
	return nil
}

// restartFuel returns the fuel of a restart. It reports false for any other message.
func restartFuel(message []byte) (uint64, bool) {
	const most = len(peerRestart) + 1 + 20 // digits of a number
	if len(message) > most {
		return 0, false
	}
	verb, number, limited := strings.Cut(string(message), " ")
	if verb != peerRestart || !limited {
		return 0, verb == peerRestart
	}
	fuel, err := strconv.ParseUint(number, 10, 64)
	return fuel, err == nil && fuel > 0
}

// only returns the content of the only buffer of a list that is not empty.
func (w *World) only(list, n uint32) (content []byte, err error) {
	mem := w.memory()
	for k := range n {
		b, err := mem.buffer(list, k)
		switch {
		case err != nil:
			return nil, err
		case len(b) > 0 && len(content) > 0:
			return nil, errInval
		case len(b) > 0:
			content = b
		}
	}
	return content, nil
}
