package wasm

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/tetratelabs/wazero/api"
)

// now returns the time that a guest sees: its own, unless it was granted ours.
func (i *instance) now() uint64 {
	if i.access != nil && i.access.Clock {
		return uint64(time.Now().UnixNano())
	}
	return i.world.tick()
}

// fillRandom fills b with random bytes: those of the call, unless real ones were
// granted.
func (i *instance) fillRandom(b []byte) {
	if i.access == nil || !i.access.Random {
		i.world.fill(b)
		return
	}
	// It never fails, says its documentation.
	_, _ = rand.Read(b)
}

// send sends a request of the guest within what is left of its time. If that is
// not enough the call ends: an answer would tell how quick a stranger's host was.
func (i *instance) send(r *grant.Request) (*grant.Response, error) {
	if i.began.IsZero() {
		i.began = time.Now()
	}
	end := i.began.Add(i.deadline)
	ctx, cancel := context.WithDeadline(i.caller, end)
	defer cancel()
	resp, err := i.access.Send(ctx, r)
	switch {
	case err == nil:
	case i.caller.Err() != nil:
		panic(flight.Stopped(i.caller))
	case !time.Now().Before(end):
		panic(errDeadline)
	}
	return resp, err
}

// ownModule is the name of the imports that are ours.
const ownModule = "rubric-host"

// own is what guests of the direct ABI may import beside WASI.
var own = hostModule{ownModule, []hostFunction{
	{"http", "ii:i", api.GoModuleFunc(ownHTTP)},
	{"http_response", "ii:i", api.GoModuleFunc(ownResponse)},
}}

// A wireRequest is a request as a guest writes it.
type wireRequest struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Base64  bool              `json:"base64"` // Body is the standard base64 of the bytes
}

// A wireResponse is what it reads: a status and what came with it, or an error.
type wireResponse struct {
	Status  int               `json:"status,omitzero"`
	Headers map[string]string `json:"headers,omitzero"`
	Body    string            `json:"body"`
	Base64  bool              `json:"base64,omitzero"` // Body is base64, for it is no UTF-8
	Error   string            `json:"error,omitzero"`
	Class   fault.Class       `json:"class,omitzero"`
}

func (w *wireRequest) request() (*grant.Request, error) {
	r := &grant.Request{Method: w.Method, URL: w.URL, Header: w.Headers, Body: []byte(w.Body)}
	if w.Base64 {
		b, err := base64.StdEncoding.DecodeString(w.Body)
		if err != nil {
			return nil, fault.New(fault.Input, "the body is not base64: %w", err)
		}
		r.Body = b
	}
	return r, nil
}

// ownHTTP sends the request at (pointer, length), waits, and returns how many
// bytes the response has, which http_response hands out. Host functions never
// call guests, so it is the guest that makes the room.
func ownHTTP(ctx context.Context, mod api.Module, stack []uint64) {
	i := instanceOf(ctx)
	text, ok := mod.Memory().Read(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		panic(ended{i.outside("the request", stack)})
	}
	i.spend(len(text))
	out, err := json.Marshal(i.exchange(text), json.Deterministic(true))
	if err != nil {
		panic(ended{fault.New(fault.Internal, "plugin %s: http: %w", i.m.name, err)})
	}
	i.exchanged.response = out
	stack[0] = uint64(len(out))
}

// ownResponse writes the response to (pointer, length), as much of it as there
// is room for, and returns how many bytes that is. What was handed out is gone.
func ownResponse(ctx context.Context, mod api.Module, stack []uint64) {
	i := instanceOf(ctx)
	room, ok := mod.Memory().Read(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		panic(ended{i.outside("the room for a response", stack)})
	}
	n := copy(room, i.exchanged.response)
	i.spend(n)
	i.exchanged.response = i.exchanged.response[n:]
	stack[0] = uint64(n)
}

// outside says that a guest named what is not its memory.
func (i *instance) outside(what string, stack []uint64) error {
	return i.fault(fault.Protocol, "http", "%s, %d bytes at %d, is outside of the memory of %d bytes", what, uint32(stack[1]), uint32(stack[0]), i.size())
}

// exchange sends what a guest wrote. What goes wrong is the guest's to handle.
func (i *instance) exchange(text []byte) *wireResponse {
	var w wireRequest
	err := json.Unmarshal(text, &w, json.RejectUnknownMembers(true))
	if err != nil {
		err = fault.New(fault.Input, "the request is not an object of method, url, headers, body and base64: %w", err)
	}
	var r *grant.Request
	if err == nil {
		r, err = w.request()
	}
	var resp *grant.Response
	if err == nil {
		resp, err = i.send(r)
	}
	if err != nil {
		return &wireResponse{Error: printable(err.Error(), 300), Class: fault.Of(err)}
	}
	out := &wireResponse{Status: resp.Status, Headers: clean(resp.Header), Body: string(resp.Body)}
	if !utf8.Valid(resp.Body) {
		out.Body, out.Base64 = base64.StdEncoding.EncodeToString(resp.Body), true
	}
	return out
}

// clean leaves out headers that JSON cannot say.
func clean(headers map[string]string) map[string]string {
	for k, v := range headers {
		if !utf8.ValidString(k) || !utf8.ValidString(v) {
			delete(headers, k)
		}
	}
	return headers
}

// An exchange is what is left of the last request of a call.
type exchange struct {
	response []byte // of the direct ABI, that is not handed out yet
	status   int    // of the Extism ABI
	headers  []byte
}

// extismHTTP sends the request of one block with the body of another, and
// returns the block of what came back.
func extismHTTP(i *instance, a []uint64) error {
	if !i.access.Sends() {
		return grant.ErrNoNetwork
	}
	text, err := i.kernel.Text(a[0], "a request")
	if err != nil {
		return err
	}
	var w struct {
		URL     string            `json:"url"`
		Method  string            `json:"method"`
		Headers map[string]string `json:"headers"`
	}
	if err := json.Unmarshal(text, &w); err != nil {
		return fault.New(fault.Protocol, "plugin %s: the request is not an object of url, method and headers: %w", i.m.name, err)
	}
	body, err := i.kernel.Text(a[1], "the body of a request")
	if err != nil {
		return err
	}
	resp, err := i.send(&grant.Request{Method: w.Method, URL: w.URL, Header: w.Headers, Body: body})
	if err != nil {
		return err
	}
	headers, err := json.Marshal(clean(resp.Header), json.Deterministic(true))
	if err != nil {
		return fault.As(fault.Internal, err)
	}
	i.exchanged = exchange{status: resp.Status, headers: headers}
	a[0], err = i.kernel.Place(resp.Body)
	return err
}

func extismStatus(i *instance, a []uint64) error {
	a[0] = uint64(i.exchanged.status)
	return nil
}

func extismHeaders(i *instance, a []uint64) (err error) {
	a[0] = 0
	if len(i.exchanged.headers) > 0 {
		a[0], err = i.kernel.Place(i.exchanged.headers)
	}
	return err
}
