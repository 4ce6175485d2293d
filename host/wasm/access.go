package wasm

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/rubric-host/rubric-host/host/fault"
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

// fillRandom fills b with random bytes, if they were granted.
func (i *instance) fillRandom(b []byte) bool {
	if i.access == nil || !i.access.Random {
		return false
	}
	// It never fails, says its documentation.
	_, _ = rand.Read(b)
	return true
}

// send sends a request of the guest within what is left of its time.
func (i *instance) send(r *grant.Request) (*grant.Response, error) {
	if i.began.IsZero() {
		i.began = time.Now()
	}
	ctx, cancel := context.WithDeadline(i.caller, i.began.Add(i.deadline))
	defer cancel()
	return i.access.Send(ctx, r)
}

// ownModule is the name of the imports that are ours.
const ownModule = "rubric-host"

// own is what guests of the direct ABI may import beside WASI.
var own = hostModule{ownModule, []hostFunction{{"http", "ii:I", api.GoModuleFunc(ownHTTP)}}}

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
			return nil, fault.New(fault.Input, "the body is no base64: %w", err)
		}
		r.Body = b
	}
	return r, nil
}

// ownHTTP takes a request at (pointer, length) and returns where the response
// is, packed as an answer is. The guest's alloc gives the room for it.
func ownHTTP(ctx context.Context, mod api.Module, stack []uint64) {
	i := instanceOf(ctx)
	text, ok := mod.Memory().Read(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		panic(ended{i.fault(fault.Protocol, "http", "the request, %d bytes at %d, lies outside of the memory", uint32(stack[1]), uint32(stack[0]))})
	}
	i.spend(len(text))
	out, err := json.Marshal(i.exchange(text), json.Deterministic(true))
	if err != nil {
		panic(ended{fault.New(fault.Internal, "plugin %s: http: %w", i.m.name, err)})
	}
	i.spend(len(out))
	if i.allocating {
		panic(ended{i.fault(fault.Protocol, "http", "alloc sends a request")})
	}
	i.allocating = true
	defer func() { i.allocating = false }()
	room := [1]uint64{uint64(len(out))}
	if err := i.alloc.CallWithStack(i, room[:]); err != nil {
		panic(ended{i.failure("http: "+allocExport, err)})
	}
	if !mod.Memory().Write(uint32(room[0]), out) {
		panic(ended{i.fault(fault.Memory, "http", "alloc gives no room for a response of %d bytes", len(out))})
	}
	stack[0] = uint64(uint32(room[0]))<<32 | uint64(len(out))
}

// exchange sends what a guest wrote. What goes wrong is the guest's to handle.
func (i *instance) exchange(text []byte) *wireResponse {
	var w wireRequest
	err := json.Unmarshal(text, &w, json.RejectUnknownMembers(true))
	if err != nil {
		err = fault.New(fault.Input, "the request is no object of method, url, headers, body and base64: %w", err)
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

// An extismExchange is the last response of an Extism plugin's requests.
type extismExchange struct {
	status  int
	headers []byte
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
		return fault.New(fault.Protocol, "plugin %s: the request is no object of url, method and headers: %w", i.m.name, err)
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
	i.exchanged = extismExchange{resp.Status, headers}
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
