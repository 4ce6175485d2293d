package worker

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// What a guest was granted, its worker asks the parent for, who does it: one ask
// at a time for each call that is under way, answered in a told. The worker holds
// nothing but numbers of files.

// An op is what is asked for.
type op byte

// The ops. Zero is none.
const (
	askOpen op = 1 + iota // a file, by its name; told is its number, what it is and its size
	askRead               // so many bytes of a file from a place on; told are those that there are
	askList               // the entries of a directory from one on; told are some, and whether there are more
	askSend               // a request; told is the response
)

// How an ask ended.
const (
	toldDone     = iota // the answer
	toldNotExist        // grant.ErrNotExist
	toldDenied          // grant.ErrDenied
	toldFailed          // see appendError
)

// Bounds on what is asked for and told.
const (
	mostRead  = 256 << 10         // bytes of a file, and of entries
	mostFiles = grant.MaxOpen + 2 // of a call: those of the guest, one that it looks at, one that is being listed
)

// mostAsk is how long an ask can be.
func mostAsk(b grant.Bounds) int {
	// A header has a byte at least, and eight for lengths.
	return mostFixed + 4*mostFiles + max(grant.MaxPath, 10*b.HeaderBytes+b.RequestBytes)
}

// mostTold is how long the answer to an ask can be.
func mostTold(b grant.Bounds) int {
	return mostFixed + max(mostRead, mostError, 10*b.HeaderBytes+b.ResponseBytes)
}

// mostError is how long an error can be.
const mostError = 4 * (mostMessage + 2)

// An ask is one thing that a call asks for.
type ask struct {
	id       uint64   // of the call
	released []uint32 // files that it needs no more
	op       op
	name     string        // askOpen
	file     uint32        // askRead, askList
	at       uint64        // askRead: place; askList: number of an entry
	size     uint32        // askRead
	left     time.Duration // askSend: of the call's time
	request  grant.Request // askSend
}

// appendAsk appends a frame: the number of the call, how many files it needs no
// more in one byte and their numbers, the op, and what belongs to that.
func appendAsk(b []byte, a *ask) []byte {
	start := len(b)
	b = binary.LittleEndian.AppendUint64(begin(b, kindAsk), a.id)
	b = append(b, byte(len(a.released)))
	for _, n := range a.released {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	b = append(b, byte(a.op))
	switch a.op {
	case askOpen:
		b = append(b, a.name...)
	case askRead:
		b = binary.LittleEndian.AppendUint32(b, a.file)
		b = binary.LittleEndian.AppendUint64(b, a.at)
		b = binary.LittleEndian.AppendUint32(b, a.size)
	case askList:
		b = binary.LittleEndian.AppendUint32(b, a.file)
		b = binary.LittleEndian.AppendUint64(b, a.at)
	case askSend:
		b = binary.LittleEndian.AppendUint64(b, uint64(a.left))
		b = appendLong(b, a.request.Method)
		b = appendLong(b, a.request.URL)
		b = appendHeaders(b, a.request.Header)
		b = append(b, a.request.Body...)
	}
	return end(b, start)
}

// readAsk reads what appendAsk wrote; nothing of it is part of the frame. It is
// the bounds that are checked here, not whether anything was granted.
func readAsk(frame []byte) (*ask, error) {
	r := body{b: frame}
	a := &ask{id: r.number(8)}
	for n := r.number(1); n > 0 && !r.short; n-- {
		a.released = append(a.released, uint32(r.number(4)))
	}
	a.op = op(r.number(1))
	switch a.op {
	case askOpen:
		a.name, r.b = string(r.b), nil
	case askRead:
		a.file, a.at, a.size = uint32(r.number(4)), r.number(8), uint32(r.number(4))
	case askList:
		a.file, a.at = uint32(r.number(4)), r.number(8)
	case askSend:
		a.left = time.Duration(r.number(8))
		a.request = grant.Request{Method: string(r.long()), URL: string(r.long()), Header: r.headers()}
		a.request.Body, r.b = slices.Clone(r.b), nil
	}
	if r.short || len(r.b) > 0 || a.op == 0 || a.op > askSend || len(a.released) > mostFiles || len(a.name) > grant.MaxPath || a.size > mostRead || a.at > math.MaxInt64 {
		return nil, fmt.Errorf("%w: unknown request of %d bytes", errFrame, len(frame))
	}
	return a, nil
}

// appendEntries appends entries, as many as fit into mostRead bytes and one at
// least, after a byte that says whether there are more.
func appendEntries(b []byte, list []grant.Entry) []byte {
	more := len(b)
	b = append(b, 0)
	for k, e := range list {
		if k > 0 && len(b)-more+3+len(e.Name) > mostRead {
			b[more] = 1
			return b
		}
		dir := byte(0)
		if e.Dir {
			dir = 1
		}
		b = appendText(append(b, dir), e.Name, math.MaxUint16)
	}
	return b
}

// entries reads what appendEntries wrote.
func (r *body) entries() (list []grant.Entry, more bool) {
	more = r.number(1) == 1
	for len(r.b) > 0 {
		list = append(list, grant.Entry{Dir: r.number(1) == 1, Name: string(r.text())})
	}
	return list, more
}

// appendResponse appends the status, the headers and the body of a response.
func appendResponse(b []byte, resp *grant.Response) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(resp.Status))
	return append(appendHeaders(b, resp.Header), resp.Body...)
}

// response reads what appendResponse wrote.
func (r *body) response() *grant.Response {
	resp := &grant.Response{Status: int(r.number(4)), Header: r.headers()}
	resp.Body, r.b = slices.Clone(r.b), nil
	return resp
}

// appendLong appends a text with its length in four bytes.
func appendLong(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

func (r *body) long() []byte { return r.take(int(r.number(4))) }

// appendHeaders appends how many there are in four bytes, and names and values.
func appendHeaders(b []byte, h map[string]string) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(h)))
	for _, name := range slices.Sorted(maps.Keys(h)) {
		b = appendLong(appendLong(b, name), h[name])
	}
	return b
}

func (r *body) headers() map[string]string {
	h := map[string]string{}
	for n := r.number(4); n > 0 && !r.short; n-- {
		name := string(r.long())
		h[name] = string(r.long())
	}
	return h
}
