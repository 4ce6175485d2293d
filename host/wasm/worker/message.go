package worker

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// version is the version of these messages. Both ends must have the same.
const version = 11

// A kind says which message a frame holds.
type kind byte

// Messages to a worker.
const (
	kindLoadRequest kind = 1 + iota // the first
	kindCallRequest
	kindCancel
	kindHostResponse
)

// Messages from a worker.
const (
	kindReady kind = 0x80 + iota // the first: the worker is confined, and has read nothing of the module
	kindLoadResponse
	kindCallResponse
	kindHostRequest // while it loads, and for calls
)

func (k kind) String() string {
	name, ok := map[kind]string{
		kindLoadRequest: "load request", kindCallRequest: "call request", kindCancel: "cancel", kindHostResponse: "host response",
		kindReady: "ready", kindLoadResponse: "load response", kindCallResponse: "call response", kindHostRequest: "host request",
	}[k]
	if !ok {
		return fmt.Sprintf("kind %d", byte(k))
	}
	return name
}

// Bounds that are not part of wasm.Limits, in bytes.
const (
	mostLoading = 1 << 20 // of a message of a worker that loads
	mostText    = 4 << 10 // of an error
	mostName    = 1 << 10 // of an export, a language, a step
	mostFixed   = 128     // of a message's other fields
	mostFailure = 4 * (mostText + 4)
	mostTrusted = 2<<30 - 64              // of a message from the parent
	mostRead    = 256 << 10               // of a file, and of entries
	mostPiece   = mostLoading - mostFixed // of an image

	mostFiles = grant.MaxOpen + 2 // open for a call: the guest's, one that it looks at, one that is being listed

	// Of a host request of a call: in JSON a byte of a text may take six, a header six more, and a body is base64.
	mostHostRequest = mostFixed + 11*mostFiles + 6*grant.MaxPath + 20*grant.MaxHeader + grant.MaxRequest/3*4 + 4

	// Of the headers and the body of a host response of a call. A header has a byte at least.
	mostHostResponse = mostFixed + 10*grant.MaxHeader + grant.MaxResponse
)

type loadRequest struct {
	Version     int         `json:"version"`
	Meter       int         `json:"meter"` // version of the cost table
	Name        string      `json:"name"`
	Digest      string      `json:"digest"`
	Script      bool        `json:"script,omitzero"`
	Peer        bool        `json:"peer,omitzero"` // the script may have one in each call
	Limits      wasm.Limits `json:"limits"`
	Interpreter bool        `json:"interpreter"`
	Parallel    int         `json:"parallel"` // calls at once
	CacheDir    string      `json:"cache_dir,omitzero"`
	Key         private.Key `json:"key,omitzero"`       // of the module's artifacts
	Compile     bool        `json:"compile,omitzero"`   // for CacheDir, and end
	ImageDir    string      `json:"image_dir,omitzero"` // entry with the image of the script
	KeepImage   bool        `json:"keep_image,omitzero"`
	FrontDir    string      `json:"front_dir,omitzero"` // entry of the front of the script
	FrontKey    private.Key `json:"front_key,omitzero"`
	Granted     *granted    `json:"granted,omitzero"` // to calls; nil: nothing
	Data        []string    `json:"data,omitzero"`    // names of the data files of the module

	// CompileBytes is the memory that compiling may take. Zero: a GiB.
	CompileBytes uint64 `json:"compile_bytes,omitzero"`
}

func (m *loadRequest) fields(c *coder) { c.json(m) }

// granted lists the host requests that calls may send.
type granted struct {
	Files  bool `json:"files"`
	HTTP   bool `json:"http"`
	Clock  bool `json:"clock"`
	Random bool `json:"random"`
}

// grantedBy returns the grants of an access; nil without one.
func grantedBy(a *grant.Access) *granted {
	if a == nil {
		return nil
	}
	return &granted{Files: a.Tree != nil, HTTP: a.Sends(), Clock: a.Clock, Random: a.Random}
}

// A ready is the first message of a worker.
type ready struct {
	Version  int       `json:"version"`
	Meter    int       `json:"meter"`
	Limits   string    `json:"limits"` // digest of those that it decoded
	Confined []Finding `json:"confined"`
}

func (m *ready) fields(c *coder) { c.json(m) }

// A loadResponse describes the module, or says why it cannot be loaded.
type loadResponse struct {
	failure *failure

	Keeps       bool   `json:"keeps"`
	CacheMiss   bool   `json:"cache_miss"`   // its entry of the store was of no use
	FrontMiss   bool   `json:"front_miss"`   // that of its front was of no use
	MemoryPages uint32 `json:"memory_pages"` // limit; that of a script depends on its language
}

func (m *loadResponse) fields(c *coder) {
	if c.failure(&m.failure); m.failure == nil {
		c.json(m)
	}
}

// A callRequest is a call.
type callRequest struct {
	id      uint64
	export  string
	request []byte
}

func (m *callRequest) fields(c *coder) {
	number(c, &m.id, 8)
	c.text(&m.export, mostName)
	c.bytes(&m.request)
}

// A cancel stops a call.
type cancel struct{ id uint64 }

func (m *cancel) fields(c *coder) { number(c, &m.id, 8) }

// A callResponse is the outcome of a call.
type callResponse struct {
	id      uint64
	usage   wasm.Usage
	failure *failure
	answer  []byte
}

func (m *callResponse) fields(c *coder) {
	number(c, &m.id, 8)
	number(c, &m.usage.Fuel, 8)
	number(c, &m.usage.PeerFuel, 8)
	number(c, &m.usage.PeakMemoryBytes, 8)
	c.bytes(&m.usage.Log)
	c.failure(&m.failure)
	c.bytes(&m.answer)
}

// An operation is the kind of a host request.
type operation byte

// Operations while a module is loaded.
const (
	opModule      operation = 1 + iota // its bytes
	opInterpreter                      // that of the language in name
	opStep                             // name is a slow step that the worker takes next
	opImage                            // data is a piece of the script's image, to be kept
	opData                             // the data file in name
)

// Operations of a call, on granted files and network.
const (
	opOpen operation = 0x40 + iota // a file, by its name
	opRead                         // size bytes of a file from offset
	opList                         // entries of a directory, from number offset
	opSend                         // an HTTP request
)

// A hostRequest asks the parent for something that the worker has no access to. Its operation says which fields count.
type hostRequest struct {
	id   uint64 // of the call; zero while the module is loaded
	data []byte // a piece of an image

	Op       operation     `json:"op"`
	Released []uint32      `json:"released,omitempty"` // files that the call closed
	Name     string        `json:"name,omitzero"`
	File     uint32        `json:"file,omitzero"`
	Offset   uint64        `json:"offset,omitzero"`
	Size     uint32        `json:"size,omitzero"`
	Timeout  time.Duration `json:"timeout,omitzero"`
	Request  grant.Request `json:"request,omitzero"`
}

func (m *hostRequest) fields(c *coder) {
	number(c, &m.id, 8)
	c.bytes(&m.data)
	c.json(m)
	c.check(len(m.Released) <= mostFiles && len(m.Name) <= grant.MaxPath && m.Offset <= math.MaxInt64 && m.Size <= mostRead)
}

// A hostResponse is the outcome of a host request.
type hostResponse struct {
	id      uint64
	failure *failure
	data    []byte // opModule, opInterpreter, opRead, opData

	File     uint32         `json:"file,omitzero"` // opOpen
	Dir      bool           `json:"dir,omitzero"`
	Size     int64          `json:"size,omitzero"`
	Entries  []grant.Entry  `json:"entries,omitempty"` // opList
	More     bool           `json:"more,omitzero"`     // entries follow
	Response grant.Response `json:"response,omitzero"`
}

func (m *hostResponse) fields(c *coder) {
	number(c, &m.id, 8)
	if c.failure(&m.failure); m.failure == nil {
		c.bytes(&m.data)
		c.json(m)
	}
}

// Classes of failures of a host request that the guest handles.
const (
	classNotExist = "not-exist" // grant.ErrNotExist
	classDenied   = "denied"    // grant.ErrDenied
)

func (m *hostResponse) fail(err error) {
	m.failure = failureOf(err)
	switch {
	case errors.Is(err, grant.ErrNotExist):
		m.failure.class = classNotExist
	case errors.Is(err, grant.ErrDenied):
		m.failure.class = classDenied
	}
}

// error returns the error of a response that the parent sent.
func (m *hostResponse) error() error {
	switch {
	case m.failure == nil:
		return nil
	case m.failure.class == classNotExist:
		return grant.ErrNotExist
	case m.failure.class == classDenied:
		return grant.ErrDenied
	}
	return m.failure.trusted()
}

// page takes as many entries as fit into mostRead bytes, and one at least.
func (m *hostResponse) page(list []grant.Entry) {
	size := 0
	for k, e := range list {
		if size += 5 + len(e.Name); size > mostRead && k > 0 {
			m.Entries, m.More = list[:k], true
			return
		}
	}
	m.Entries = list
}

// A failure is an error in a message.
type failure struct {
	class, hint, message string
	trace                string // a function a line
}

func failureOf(err error) *failure {
	return &failure{string(fault.Of(err)), fault.Hint(err), err.Error(), strings.Join(fault.Trace(err), "\n")}
}

// failure is an error that may be nil.
func (c *coder) failure(v **failure) {
	failed := *v != nil
	if c.flag(&failed); !failed {
		*v = nil
		return
	}
	if c.reading {
		*v = new(failure)
	}
	f := *v
	for _, text := range []*string{&f.class, &f.hint, &f.message, &f.trace} {
		c.text(text, mostText)
	}
}

// trusted returns the error that the parent sent.
func (f *failure) trusted() error {
	err := fault.As(fault.Class(f.class), errors.New(f.message))
	if f.hint != "" {
		err = fault.WithHint(err, "%s", f.hint)
	}
	return err
}

// untrusted returns the error that a worker sent, its texts fit for a terminal. It
// reports a protocol violation for a class that no module in a worker fails with.
func (f *failure) untrusted() (failed, violation error) {
	class := fault.Class(f.class)
	if !slices.Contains(classes, class) {
		return nil, fmt.Errorf("%w: an error of class %q", errProtocol, diag.Plain(f.class))
	}
	failed = fault.New(class, "%s", diag.PlainLines(f.message)) // a script's error has lines
	if f.hint != "" {
		failed = fault.WithHint(failed, "%s", diag.Plain(f.hint))
	}
	if f.trace != "" {
		failed = fault.WithTrace(failed, strings.Split(diag.PlainLines(f.trace), "\n"))
	}
	return failed, nil
}

// classes are those of a module in a worker.
var classes = []fault.Class{
	fault.Refused, fault.Load, fault.Trap, fault.Fuel, fault.Depth, fault.Deadline, fault.Memory, fault.Input, fault.Output,
	fault.Protocol, fault.PluginError, fault.Internal, fault.NotFound, fault.Invalid, fault.Mismatch, fault.Interrupted, fault.Timeout,
}
