package wasm

import (
	"context"
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// A network sends the requests of a guest and holds the rest of the last response. One
// goroutine uses it at a time.
type network struct {
	budget *callBudget
	access *grant.Access // nil: nothing is granted

	response []byte // of the direct ABI: not yet handed out
	status   int    // of the Extism ABI
	headers  []byte // of the Extism ABI: JSON
}

// forget drops the last response.
func (n *network) forget() { n.response, n.status, n.headers = nil, 0, nil }

// send sends a request within the rest of the call's time. If that is too short, the call
// ends: an error that the guest handles would tell it how fast the server was.
func (n *network) send(r *grant.Request) (*grant.Response, error) {
	caller, end := n.budget.Context(), n.budget.expiry()
	ctx, cancel := context.WithDeadline(caller, end)
	defer cancel()
	resp, err := n.access.Send(ctx, r)
	switch {
	case err == nil:
	case caller.Err() != nil:
		panic(flight.Stopped(caller))
	case !time.Now().Before(end):
		panic(errDeadline)
	}
	return resp, err
}

// directModule is the module name of our own imports.
const directModule = "rubric-host"

// directImports are the imports of the direct ABI beside WASI.
var directImports = hostModule{directModule, []hostFunction{
	{"http", "ii:i", api.GoModuleFunc(directHTTP)},
	{"http_response", "ii:i", api.GoModuleFunc(directResponse)},
}}

// A wireRequest is the JSON of a guest's request.
type wireRequest struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Base64  bool              `json:"base64"` // Body is the standard base64 of the bytes
}

// A wireResponse is the JSON of a response: a status and its content, or an error.
type wireResponse struct {
	Status  int               `json:"status,omitzero"`
	Headers map[string]string `json:"headers,omitzero"`
	Body    string            `json:"body"`
	Base64  bool              `json:"base64,omitzero"` // Body is base64: the bytes are not UTF-8
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

// directHTTP sends the request at (pointer, length), waits, and returns the size of the
// response in bytes; http_response hands it out. Host functions never call guests, so
// the guest allocates the room itself.
func directHTTP(ctx context.Context, mod api.Module, stack []uint64) {
	i := instanceOf(ctx)
	text, ok := mod.Memory().Read(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		panic(hostError{i.outside("the request", stack)})
	}
	i.budget.Spend(parseCost * len(text))
	out, err := json.Marshal(i.net.exchange(text), json.Deterministic(true))
	if err != nil {
		panic(hostError{fault.New(fault.Internal, "plugin %s: http: %w", i.proto.name, err)})
	}
	i.net.response = out
	stack[0] = uint64(len(out))
}

// directResponse writes the next bytes of the response to (pointer, length) and returns
// their number. Each byte is handed out once.
func directResponse(ctx context.Context, mod api.Module, stack []uint64) {
	i := instanceOf(ctx)
	room, ok := mod.Memory().Read(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		panic(hostError{i.outside("the room for a response", stack)})
	}
	n := copy(room, i.net.response)
	i.budget.Spend(n)
	i.net.response = i.net.response[n:]
	stack[0] = uint64(n)
}

// outside returns the error for addresses beyond the guest's memory.
func (i *instance) outside(what string, stack []uint64) error {
	return i.fault(fault.Protocol, "http", "%s, %d bytes at %d, is outside of the memory of %d bytes", what, uint32(stack[1]), uint32(stack[0]), i.size())
}

// Bounds on the JSON of a request, of which each byte may take six, and what parsing it costs, in bytes moved.
const (
	maxRequestText = 6 * (grant.MaxRequest + 2*grant.MaxHeader)
	parseCost      = 64
)

// parseRequest reads the JSON of a request. Without a grant, it is not read.
func (n *network) parseRequest(text []byte) (*grant.Request, error) {
	switch {
	case !n.access.Sends():
		return nil, grant.ErrNoNetwork
	case len(text) > maxRequestText:
		return nil, fault.New(fault.Input, "the request has %d bytes, at most %d", len(text), maxRequestText)
	}
	var w wireRequest
	if err := json.Unmarshal(text, &w, json.RejectUnknownMembers(true)); err != nil {
		return nil, fault.New(fault.Input, "the request is not an object of method, url, headers, body and base64: %w", err)
	}
	return w.request()
}

// exchange sends a guest's request. Errors are part of the response: the guest handles
// them.
func (n *network) exchange(text []byte) *wireResponse {
	r, err := n.parseRequest(text)
	var resp *grant.Response
	if err == nil {
		resp, err = n.send(r)
	}
	if err != nil {
		return &wireResponse{Error: plain(err.Error(), 300), Class: fault.Of(err)}
	}
	out := &wireResponse{Status: resp.Status, Headers: resp.Header, Body: string(resp.Body)}
	if !utf8.Valid(resp.Body) {
		out.Body, out.Base64 = base64.StdEncoding.EncodeToString(resp.Body), true
	}
	return out
}

// extismHTTP sends the request in one block with the body in another, and returns the
// block of the response's body.
func extismHTTP(i *instance, a []uint64) error {
	if !i.net.access.Sends() {
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
		return fault.New(fault.Protocol, "plugin %s: the request is not an object of url, method and headers: %w", i.proto.name, err)
	}
	body, err := i.kernel.Text(a[1], "the body of a request")
	if err != nil {
		return err
	}
	resp, err := i.net.send(&grant.Request{Method: w.Method, URL: w.URL, Header: w.Headers, Body: body})
	if err != nil {
		return err
	}
	headers, err := json.Marshal(resp.Header, json.Deterministic(true))
	if err != nil {
		return fault.As(fault.Internal, err)
	}
	i.net.status, i.net.headers = resp.Status, headers
	a[0], err = i.kernel.Place(resp.Body)
	return err
}

func extismStatus(i *instance, a []uint64) error {
	a[0] = uint64(i.net.status)
	return nil
}

func extismHeaders(i *instance, a []uint64) (err error) {
	a[0] = 0
	if len(i.net.headers) > 0 {
		a[0], err = i.kernel.Place(i.net.headers)
	}
	return err
}
