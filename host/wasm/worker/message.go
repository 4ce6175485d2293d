package worker

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// version is that of what is said here. Both ends must have the same.
const version = 5

// A hello says what a worker is to be.
type hello struct {
	Version     int         `json:"version"`
	Meter       int         `json:"meter"` // version of the cost table
	Name        string      `json:"name"`  // of the module
	Limits      wasm.Limits `json:"limits"`
	Interpreter bool        `json:"interpreter"`
	Timed       bool        `json:"timed,omitzero"`
	Parallel    int         `json:"parallel"` // calls at once
	Size        int         `json:"size"`     // bytes of the module
	CacheDir    string      `json:"cache_dir,omitzero"`
	Key         private.Key `json:"key,omitzero"`       // of the module's artifacts
	Fill        bool        `json:"fill,omitzero"`      // compile for CacheDir, and end
	Script      bool        `json:"script,omitzero"`    // the module is one
	Kept        string      `json:"kept,omitzero"`      // digest of the module, whose bytes come only if CacheDir does not have it
	ImageDir    string      `json:"image_dir,omitzero"` // entry with the image of the script
	Keep        bool        `json:"keep,omitzero"`      // an image that is made is to be sent
	Granted     *granted    `json:"granted,omitzero"`   // to calls; nil: nothing
	Compile     uint64      `json:"compile,omitzero"`   // bytes that compiling may take; zero: a GiB
}

// A ready is a worker's answer to a hello, before it has read any of the module.
type ready struct {
	Version  int     `json:"version"`
	Meter    int     `json:"meter"`
	Limits   string  `json:"limits"` // digest of those that it understood
	Hardened []given `json:"hardened"`
}

// A given is a Finding on its way.
type given struct {
	Name string `json:"name"`
	Note string `json:"note,omitzero"`
	Why  string `json:"why,omitzero"`
}

// A loaded says what the module is.
type loaded struct {
	Exports []string `json:"exports"`
	Keeps   bool     `json:"keeps"`

	CacheMiss   bool   `json:"cache_miss"`   // its entry of the store was of no use
	MemoryPages uint32 `json:"memory_pages"` // its limit: a script has one of its own
}

// wire is how JSON is written and read: strictly, times in nanoseconds.
var wire = json.JoinOptions(json.Deterministic(true), json.RejectUnknownMembers(true),
	json.WithMarshalers(json.MarshalToFunc(func(e *jsontext.Encoder, d time.Duration) error {
		return e.WriteToken(jsontext.Int(int64(d)))
	})),
	json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, to *time.Duration) error {
		return json.UnmarshalDecode(d, (*int64)(to))
	})))

// Bounds on what is not bounded by wasm.Limits.
const (
	mostJSON    = 1 << 20
	mostMessage = 4 << 10 // of an error
	mostExport  = 1 << 10 // of an export's name that is sent
	mostFixed   = 64      // numbers around an answer
	mostRequest = 1 << 31 // that a frame has room for

	mostInterpreter = 256 << 20
	mostLanguage    = 100 // bytes of its name
)

// appendCall appends a frame: the number of the call, the length of the export's
// name in two bytes, the name, the request.
func appendCall(b []byte, id uint64, export string, request []byte) []byte {
	start := len(b)
	b = begin(b, kindCall)
	b = binary.LittleEndian.AppendUint64(b, id)
	b = appendText(b, export, mostExport)
	return end(append(b, request...), start)
}

func appendCancel(b []byte, id uint64) []byte {
	start := len(b)
	return end(binary.LittleEndian.AppendUint64(begin(b, kindCancel), id), start)
}

// appendAnswer appends a frame: the number of the call, what it used, the
// answer.
func appendAnswer(b []byte, id uint64, u wasm.Usage, answer []byte) []byte {
	start := len(b)
	b = appendUsage(begin(b, kindAnswer), id, u)
	return end(append(b, answer...), start)
}

// appendFault appends a frame: the number of the call, what it used, the error.
func appendFault(b []byte, id uint64, u wasm.Usage, err error) []byte {
	start := len(b)
	return end(appendError(appendUsage(begin(b, kindFault), id, u), err), start)
}

// appendUsage appends the number of a call, its fuel, its memory, its time in the
// guest, and the length of its log in four bytes with the log.
func appendUsage(b []byte, id uint64, u wasm.Usage) []byte {
	b = binary.LittleEndian.AppendUint64(b, id)
	b = binary.LittleEndian.AppendUint64(b, u.Fuel)
	b = binary.LittleEndian.AppendUint64(b, u.PeakMemoryBytes)
	b = binary.LittleEndian.AppendUint64(b, uint64(u.Guest))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(u.Log)))
	return append(b, u.Log...)
}

// appendError appends class, hint, message and trace, a function a line, each
// with its length in two bytes.
func appendError(b []byte, err error) []byte {
	b = appendText(b, string(fault.Of(err)), mostMessage)
	b = appendText(b, fault.Hint(err), mostMessage)
	b = appendText(b, err.Error(), mostMessage)
	return appendText(b, strings.Join(fault.Trace(err), "\n"), mostMessage)
}

// appendText appends at most so many bytes of a text, no character cut in half.
func appendText(b []byte, s string, most int) []byte {
	if len(s) > most {
		for most > 0 && !utf8.RuneStart(s[most]) {
			most--
		}
		s = s[:most]
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(s)))
	return append(b, s...)
}

// A body is what is left to read of a frame. What is not there reads as zero,
// and short says so.
type body struct {
	b     []byte
	short bool
}

func (r *body) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.short, r.b = true, nil
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *body) number(size int) (n uint64) {
	for i, b := range r.take(size) {
		n |= uint64(b) << (8 * i)
	}
	return n
}

func (r *body) text() []byte { return r.take(int(r.number(2))) }

// A called is what a worker reads of a call.
type called struct {
	id              uint64
	export, request []byte // parts of the frame
}

func readCall(frame []byte) (called, error) {
	r := body{b: frame}
	c := called{id: r.number(8), export: r.text(), request: r.b}
	if r.short {
		return called{}, fmt.Errorf("%w: a call of %d bytes", errFrame, len(frame))
	}
	return c, nil
}

// An outcome is what a worker says of a call. Its texts are hostile, and parts of
// the frame.
type outcome struct {
	id, fuel, memory uint64
	guest            time.Duration
	log              []byte
	rest             []byte // the answer, or the error
}

func readOutcome(frame []byte) (outcome, error) {
	r := body{b: frame}
	o := outcome{id: r.number(8), fuel: r.number(8), memory: r.number(8), guest: time.Duration(r.number(8))}
	o.log = r.take(int(r.number(4)))
	o.rest = r.b
	if r.short {
		return outcome{}, fmt.Errorf("%w: an outcome of %d bytes", errFrame, len(frame))
	}
	return o, nil
}

// classes are those that a module in a worker may fail with.
var classes = []fault.Class{
	fault.Refused, fault.Load, fault.Trap, fault.Fuel, fault.Depth, fault.Deadline, fault.Memory, fault.Input, fault.Output,
	fault.Protocol, fault.PluginError, fault.Internal, fault.NotFound, fault.Invalid, fault.Mismatch, fault.Interrupted, fault.Timeout,
}
