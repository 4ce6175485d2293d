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

// frame returns a message in a frame.
func frame(k kind, m message) []byte {
	var c coder
	appendFrame(&c, k, m)
	return c.b
}

// opaque is a message of any bytes.
type opaque []byte

func (m opaque) fields(c *coder) { c.b = append(c.b, m...) }

// TestFrameReader_ReturnsWhatWasWritten cuts a stream of frames into reads of any size.
func TestFrameReader_ReturnsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type written struct {
			kind kind
			body []byte
		}
		var stream []byte
		var want []written
		for range rapid.IntRange(0, 20).Draw(t, "frames") {
			k, size := kind(rapid.Byte().Draw(t, "kind")), rapid.SampledFrom([]int{0, 1, 7, 500, 70_000, 200_000}).Draw(t, "size")
			f := written{k, bytes.Repeat([]byte{byte(len(want)), 1, 2, 3, 5, 8, 13}, size/7+1)[:size]}
			want = append(want, f)
			stream = append(stream, frame(f.kind, opaque(f.body))...)
		}
		var in io.Reader = bytes.NewReader(stream)
		if rapid.Bool().Draw(t, "slow") && len(stream) < 5000 {
			in = iotest.OneByteReader(in)
		}
		r := newFrameReader(in, 200_000)
		for n, f := range want {
			k, b, err := r.next()
			if err != nil || k != f.kind || !bytes.Equal(b, f.body) {
				t.Fatalf("frame %d: %s, %d bytes, %v; want %s, %d bytes", n, k, len(b), err, f.kind, len(f.body))
			}
		}
		if _, _, err := r.next(); !errors.Is(err, io.EOF) {
			t.Fatalf("at the end: %v", err)
		}
	})
}

func TestFrameReader_RefusesBeforeItAllocates(t *testing.T) {
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
		if cut := strings.HasPrefix(name, "cut"); errors.Is(err, errProtocol) == cut || errors.Is(err, io.ErrUnexpectedEOF) != cut {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFailure_KeepsClassHintTextAndTrace(t *testing.T) {
	for _, err := range []error{
		fault.New(fault.Fuel, "plugin p: used 5 of 5 fuel"),
		fault.WithHint(fault.New(fault.Trap, "plugin p: trap"), "do this"),
		fault.New(fault.Refused, "%s", strings.Repeat("é", mostText)),
		fault.WithTrace(fault.New(fault.Depth, "plugin p: too deep"), []string{"inner", "func[7]", "outer"}),
	} {
		var m callResponse
		if err := read(&m, &callResponse{failure: failureOf(err)}); err != nil {
			t.Fatal(err)
		}
		got, violation := m.failure.untrusted()
		if violation != nil {
			t.Fatal(violation)
		}
		if fault.Of(got) != fault.Of(err) || fault.Hint(got) != fault.Hint(err) || !strings.HasPrefix(err.Error(), got.Error()) || len(got.Error()) < min(len(err.Error()), mostText-1) || !slices.Equal(fault.Trace(got), fault.Trace(err)) {
			t.Errorf("%v, %q became %v, %q", err, fault.Hint(err), got, fault.Hint(got))
		}
	}
	for _, err := range []error{fault.WithHint(fault.New(fault.Refused, "no \x1b request"), "grant it"), fault.New(fault.Deadline, "late")} {
		if got := failureOf(err).trusted(); !same(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
}

// read writes a message, and reads it as another of the same type.
func read(to, from message) error {
	f := frame(kindReady, from)
	return newFrameReader(bytes.NewReader(f), len(f)).receive(kindReady, to)
}

// messages returns an example of each message, and empty ones to read them as.
func messages(from bool) map[kind][]message {
	seeds := map[kind][]message{
		kindLoadRequest:  {&loadRequest{Name: "bleu", Granted: &granted{Files: true}, Key: []byte("key")}},
		kindCallRequest:  {&callRequest{7, "bleu", []byte("{}")}},
		kindCancel:       {&cancel{7}},
		kindReady:        {&ready{Version: 1, Confined: []Finding{{Name: "seccomp", Why: "no"}}}},
		kindLoadResponse: {&loadResponse{Keeps: true}, &loadResponse{failure: &failure{"load", "hint", "message", "a\nb"}}},
		kindCallResponse: {
			&callResponse{id: 7, usage: wasm.Usage{Fuel: 1, Log: []byte("log")}, answer: []byte(`{"score":1}`)},
			&callResponse{id: 1 << 60, failure: &failure{class: "trap", message: "no"}},
		},
		kindHostRequest: {
			&hostRequest{id: 7, Op: opOpen, Name: "sub/file"}, &hostRequest{id: 7, Released: []uint32{1, 2}, Op: opRead, File: 3, Offset: 1 << 40, Size: 100},
			&hostRequest{Op: opList, File: 1, Offset: 9}, &hostRequest{Op: opModule}, &hostRequest{Op: opStep, Name: "compile"}, &hostRequest{Op: opImage, data: []byte("image")},
			&hostRequest{Op: opSend, Timeout: 5, Request: grant.Request{Method: "PUT", URL: "http://host/", Header: map[string]string{"a": "b", "c": ""}, Body: []byte("body")}},
		},
		kindHostResponse: {
			&hostResponse{id: 7, File: 3, Dir: true, Size: 1 << 40}, &hostResponse{data: []byte("data")},
			&hostResponse{More: true, Entries: []grant.Entry{{Name: "a", Dir: true}, {Name: "b"}}},
			&hostResponse{Response: grant.Response{Status: 418, Header: map[string]string{"a": "b", "empty": ""}, Body: []byte("body")}},
			&hostResponse{failure: &failure{class: classDenied}}, &hostResponse{failure: &failure{class: "refused", hint: "grant it"}},
		},
	}
	for _, list := range seeds {
		for n, m := range list {
			if !from {
				list[n] = reflect.New(reflect.TypeOf(m).Elem()).Interface().(message)
			}
		}
	}
	return seeds
}

func TestMessages_AreReadAsTheyWereWritten(t *testing.T) {
	to := messages(false)
	for k, list := range messages(true) {
		for n, from := range list {
			if err := read(to[k][n], from); err != nil || !bytes.Equal(frame(k, to[k][n]), frame(k, from)) {
				t.Errorf("%s: %+v became %+v, %v", k, from, to[k][n], err)
			}
		}
	}
}

// FuzzMessages reads any bytes as a parent and as a worker do: no panic, no
// allocation for missing bytes, nothing beyond the bounds, and a message that was
// read is written as the same bytes.
func FuzzMessages(f *testing.F) {
	for k, list := range messages(true) {
		for _, m := range list {
			f.Add(frame(k, m))
		}
	}
	f.Add([]byte("\xff\xff\xff\xff\x83"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		const most = 4096
		r := newFrameReader(bytes.NewReader(stream), most)
		for {
			k, body, err := r.next()
			if err != nil {
				return
			}
			if len(body) > most {
				t.Fatalf("%d bytes", len(body))
			}
			list := messages(false)[k]
			if len(list) == 0 {
				continue
			}
			m := list[0]
			if err := r.decode(body, k, m); err != nil {
				if !errors.Is(err, errProtocol) {
					t.Fatal(err)
				}
				continue
			}
			switch m := m.(type) {
			case *hostRequest:
				if m.Size > mostRead || len(m.Name) > grant.MaxPath || len(m.Released) > mostFiles || int64(m.Offset) < 0 {
					t.Fatalf("%+v", m)
				}
			case *callResponse:
				if m.failure != nil {
					if failed, violation := m.failure.untrusted(); violation == nil && (fault.Of(failed) == fault.None || strings.ContainsAny(failed.Error(), "\x1b\r")) {
						t.Fatalf("%q", failed)
					}
				}
			}
			again := reflect.New(reflect.TypeOf(m).Elem()).Interface().(message)
			whole := frame(k, m)
			if err := r.decode(whole[headBytes:], k, again); err != nil || !bytes.Equal(frame(k, again), whole) {
				t.Fatalf("%+v became %+v, %v", m, again, err)
			}
		}
	})
}

func TestHostResponse_PagesOfEntries(t *testing.T) {
	var all, got []grant.Entry
	for n := range 5_000 {
		all = append(all, grant.Entry{Name: strings.Repeat("n", n%300), Dir: n%3 == 0})
	}
	pages := 0
	for more := true; more; pages++ {
		from, to := hostResponse{}, hostResponse{}
		from.page(all[len(got):])
		if err := read(&to, &from); err != nil || len(to.Entries) == 0 {
			t.Fatalf("%d entries, %v", len(to.Entries), err)
		}
		got, more = append(got, to.Entries...), to.More
	}
	if !slices.Equal(got, all) || pages < 3 {
		t.Errorf("%d entries of %d in %d pages", len(got), len(all), pages)
	}
}
