package worker

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// TestFramesComeOutAsTheyWentIn cuts a stream of frames into reads of any size.
func TestFramesComeOutAsTheyWentIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type frame struct {
			kind kind
			body []byte
		}
		var stream []byte
		var want []frame
		for range rapid.IntRange(0, 20).Draw(t, "frames") {
			k, size := kind(rapid.Byte().Draw(t, "kind")), rapid.SampledFrom([]int{0, 1, 7, 500, 70_000, 200_000}).Draw(t, "size")
			f := frame{k, bytes.Repeat([]byte{byte(len(want)), 1, 2, 3, 5, 8, 13}, size/7+1)[:size]}
			want = append(want, f)
			stream = appendFrame(stream, f.kind, f.body)
		}
		var in io.Reader = bytes.NewReader(stream)
		if rapid.Bool().Draw(t, "slow") && len(stream) < 5000 {
			in = iotest.OneByteReader(in)
		}
		r := newFrameReader(in, 200_000)
		for n, f := range want {
			k, b, err := r.next()
			if err != nil || k != f.kind || !bytes.Equal(b, f.body) {
				t.Fatalf("frame %d: kind %d, %d bytes, %v; want kind %d, %d bytes", n, k, len(b), err, f.kind, len(f.body))
			}
		}
		if _, _, err := r.next(); !errors.Is(err, io.EOF) {
			t.Fatalf("at the end: %v", err)
		}
	})
}

func TestWhatIsNoFrameIsRefusedBeforeItIsRead(t *testing.T) {
	for name, stream := range map[string]string{
		"too long":   "\x66\x00\x00\x00\x01",
		"four GiB":   "\xff\xff\xff\xff\x01",
		"no kind":    "\x00\x00\x00\x00\x00",
		"text":       "fatal error: all goroutines are asleep",
		"cut length": "\x01\x00",
		"cut body":   "\x09\x00\x00\x00\x01abc",
	} {
		r := newFrameReader(strings.NewReader(stream), 100)
		_, _, err := r.next()
		if cut := strings.HasPrefix(name, "cut"); errors.Is(err, errFrame) == cut || errors.Is(err, io.ErrUnexpectedEOF) != cut {
			t.Errorf("%s: %v", name, err)
		}
		if cap(r.buf) > readAhead {
			t.Errorf("%s: %d bytes were made room for", name, cap(r.buf))
		}
	}
}

func TestAnErrorKeepsClassHintAndText(t *testing.T) {
	for _, err := range []error{
		fault.New(fault.Fuel, "plugin p: used 5 of 5 fuel"),
		fault.WithHint(fault.New(fault.Trap, "plugin p: trap"), "do this"),
		fault.New(fault.Refused, "%s", strings.Repeat("é", mostMessage)),
		fault.WithTrace(fault.New(fault.Depth, "plugin p: too deep"), []string{"inner", "func[7]", "outer"}),
	} {
		got, bad := readError(appendError(nil, err))
		if bad != nil {
			t.Fatal(bad)
		}
		if fault.Of(got) != fault.Of(err) || fault.Hint(got) != fault.Hint(err) || !strings.HasPrefix(err.Error(), got.Error()) || len(got.Error()) < min(len(err.Error()), mostMessage-1) || !slices.Equal(fault.Trace(got), fault.Trace(err)) {
			t.Errorf("%v, %q became %v, %q", err, fault.Hint(err), got, fault.Hint(got))
		}
	}
}

// FuzzWhatAWorkerWrites reads anything as a parent does: no panic, no room made
// for what is not there, and what is read is what was written.
func FuzzWhatAWorkerWrites(f *testing.F) {
	f.Add(appendAnswer(nil, 7, wasm.Usage{Fuel: 1, Guest: 5, Log: []byte("log")}, []byte(`{"score":1}`)))
	f.Add(appendFault(nil, 1<<60, wasm.Usage{}, fault.New(fault.Trap, "no")))
	f.Add(appendFrame(nil, kindReady, []byte(`{"version":1}`)))
	f.Add([]byte("\xff\xff\xff\xff\x83"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		const most = 4096
		r := newFrameReader(bytes.NewReader(stream), most)
		for {
			k, b, err := r.next()
			if err != nil {
				break
			}
			if len(b) > most || cap(r.buf) > readAhead {
				t.Fatalf("%d bytes, room for %d", len(b), cap(r.buf))
			}
			o, err := readOutcome(b)
			if err != nil {
				continue
			}
			if k == kindFault {
				if failure, err := readError(o.rest); err == nil && (fault.Of(failure) == fault.None || strings.ContainsAny(failure.Error(), "\x1b\r")) {
					t.Fatalf("%q", failure)
				}
			}
			again := appendAnswer(nil, o.id, wasm.Usage{Fuel: o.fuel, PeakMemoryBytes: o.memory, Guest: o.guest, Log: o.log}, o.rest)
			if !bytes.Equal(again[headBytes:], b) {
				t.Fatalf("%x became %x", b, again)
			}
		}
	})
}

// FuzzWhatAParentWrites reads anything as a worker does.
func FuzzWhatAParentWrites(f *testing.F) {
	f.Add(appendCall(nil, 7, "bleu", []byte("{}"))[headBytes:])
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, frame []byte) {
		c, err := readCall(frame)
		if err != nil {
			return
		}
		if again := appendCall(nil, c.id, string(c.export), c.request); len(c.export) <= mostExport && !bytes.Equal(again[headBytes:], frame) {
			t.Fatalf("%x became %x", frame, again)
		}
	})
}

// FuzzWhatAWorkerAsks reads anything as what a worker asks for: no panic, nothing
// beyond the bounds, and what is read is what was written.
func FuzzWhatAWorkerAsks(f *testing.F) {
	for _, a := range []*ask{
		{id: 7, op: askOpen, name: "sub/file"}, {id: 7, released: []uint32{1, 2}, op: askRead, file: 3, at: 1 << 40, size: 100}, {op: askList, file: 1, at: 9},
		{op: askSend, left: 5, request: grant.Request{Method: "PUT", URL: "http://host/", Header: map[string]string{"a": "b", "c": ""}, Body: []byte("body")}},
	} {
		f.Add(appendAsk(nil, a)[headBytes:])
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		a, err := readAsk(frame)
		if err != nil {
			return
		}
		if a.size > mostRead || len(a.name) > grant.MaxPath || len(a.released) > mostFiles || int64(a.at) < 0 {
			t.Fatalf("%+v", a)
		}
		whole := appendAsk(nil, a)
		again, err := readAsk(whole[headBytes:])
		if err != nil || !reflect.DeepEqual(a, again) {
			t.Fatalf("%+v became %+v, %v", a, again, err)
		}
	})
}

// TestWhatIsToldIsReadAsItWasWritten takes entries in pieces, and a response.
func TestWhatIsToldIsReadAsItWasWritten(t *testing.T) {
	var all, got []grant.Entry
	for n := range 5_000 {
		all = append(all, grant.Entry{Name: strings.Repeat("n", n%300), Dir: n%3 == 0})
	}
	pieces := 0
	for more := true; more; pieces++ {
		r := body{b: appendEntries(nil, all[len(got):])}
		var list []grant.Entry
		if list, more = r.entries(); r.whole() != nil || len(list) == 0 {
			t.Fatalf("%d entries, %v", len(list), r.whole())
		}
		got = append(got, list...)
	}
	if !slices.Equal(got, all) || pieces < 3 {
		t.Errorf("%d entries of %d in %d pieces", len(got), len(all), pieces)
	}
	want := &grant.Response{Status: 418, Header: map[string]string{"a": "b", "empty": ""}, Body: []byte("body")}
	r := body{b: appendResponse(nil, want)}
	if resp := r.response(); !reflect.DeepEqual(resp, want) || r.whole() != nil {
		t.Errorf("%+v", resp)
	}
	for _, err := range []error{fault.WithHint(fault.New(fault.Refused, "no \x1b request"), "grant it"), fault.New(fault.Deadline, "late")} {
		if got := readTrusted(&body{b: appendError(nil, err)}); !same(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
}
