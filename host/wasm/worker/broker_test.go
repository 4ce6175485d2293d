//go:build unix

package worker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// madAsk sends the parent a request that no honest worker sends, and returns the
// response.
func madAsk(s *server, j *job, how string) (heard []byte) {
	try := func(a *hostRequest) {
		_, err := s.request(j, a)
		heard = fmt.Appendf(heard, "%v;", err)
	}
	send := func(frames ...*hostRequest) {
		var b []byte
		for _, a := range frames {
			b = append(b, frame(kindHostRequest, a)...)
		}
		s.out.w.Write(b)
		select {}
	}
	how, url, _ := strings.Cut(how, " ")
	slow := &hostRequest{id: j.call.id, Op: opSend, Timeout: time.Hour, Request: grant.Request{URL: url}}
	switch how {
	case "read":
		try(&hostRequest{Op: opRead, File: 7, Size: 1})
	case "list":
		try(&hostRequest{Op: opList})
	case "release":
		j.released = []uint32{9}
		try(&hostRequest{Op: opOpen, Name: "f"})
	case "twice":
		try(&hostRequest{Op: opOpen, Name: "f"})
		j.released = []uint32{1, 1}
		try(&hostRequest{Op: opOpen, Name: "f"})
	case "send":
		send(slow)
	case "open":
		try(&hostRequest{Op: opOpen, Name: "f"})
	case "more":
		try(&hostRequest{Op: opOpen, Name: "f"})
		try(&hostRequest{Op: opRead, File: 1, Size: mostRead + 1})
	case "name":
		send(&hostRequest{id: j.call.id, Op: opOpen, Name: strings.Repeat("a/", grant.MaxPath)})
	case "op":
		try(&hostRequest{Op: operation(99)})
	case "away":
		for _, name := range []string{"..", "../secret", "sub/../../secret", "/etc/passwd", "out", "f\x00", "pipe"} {
			try(&hostRequest{Op: opOpen, Name: name})
		}
	case "thousand":
		for range 1000 {
			try(&hostRequest{Op: opOpen, Name: "."})
		}
	case "finished":
		s.out.w.Write(frame(kindCallResponse, &callResponse{id: j.call.id, answer: []byte("done")}))
		send(&hostRequest{id: j.call.id, Op: opOpen, Name: "f"})
	case "stranger":
		send(&hostRequest{id: j.call.id + 1<<40, Op: opOpen, Name: "f"})
	case "two":
		send(slow, slow)
	case "wait":
		try(slow)
		select {}
	case "leave":
		s.out.w.Write(frame(kindHostRequest, slow))
		return []byte("left")
	case "sit":
		try(&hostRequest{Op: opOpen, Name: "f"})
		select {}
	case "die":
		try(&hostRequest{Op: opOpen, Name: "f"})
		s.out.w.Write(frame(kindHostRequest, slow))
		die()
	}
	return heard
}

// lent returns the grants of these tests: a directory with the files f and big in it beside a
// secret, and requests to a server.
func lent(t testing.TB, url string) *grant.Access {
	t.Helper()
	dir := t.TempDir()
	tree := filepath.Join(dir, "tree")
	err := errors.Join(os.MkdirAll(filepath.Join(tree, "sub"), 0o700), os.WriteFile(filepath.Join(tree, "f"), []byte("file"), 0o600),
		os.WriteFile(filepath.Join(tree, "big"), make([]byte, mostRead), 0o600), os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o600), os.Symlink("../secret", filepath.Join(tree, "out")))
	if err != nil {
		t.Fatal(err)
	}
	var list []grant.Grant
	if url != "files" {
		list = append(list, grant.Grant{Kind: grant.HTTP, Target: strings.TrimPrefix(url, "http://")})
	}
	if url != "" {
		list = append(list, grant.Grant{Kind: grant.Files, Target: tree})
	}
	return wasmtest.Access(t, list...)
}

func loadGranted(t testing.TB, o Options, l wasm.Limits, a *grant.Access) *Module {
	t.Helper()
	rt := isolated(t, o)
	m, err := rt.Load(t.Context(), wasm.Source{Name: "mad", Module: bleu(t), Access: a}, l)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// never serves a request until it is given up, and counts those.
func never(t testing.TB) (url string, begun, ended chan struct{}) {
	t.Helper()
	begun, ended = make(chan struct{}, 100), make(chan struct{}, 100)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-r.Context().Done()
		ended <- struct{}{}
	}))
	t.Cleanup(s.Close)
	return s.URL, begun, ended
}

// TestHostRequest_ViolationKillsTheWorker has workers send requests that no honest
// one sends: the call fails, and the request has no effect.
func TestHostRequest_ViolationKillsTheWorker(t *testing.T) {
	t.Parallel() // it waits
	url, _, _ := never(t)
	for how, says := range map[string]string{
		"read":       "it requests file 7, which the call does not have",
		"list":       "it requests file 0, which the call does not have",
		"release":    "it closes file 9, which the call does not have",
		"twice":      "it closes file 1, which the call does not have",
		"more":       "invalid fields",
		"name":       "invalid fields",
		"op":         "not granted",
		"thousand":   "it has 66 files open, and requests another",
		"stranger":   "a host request for a call that was not made",
		"two " + url: "a host request before the last one was answered",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			m := loadGranted(t, madOptions(), wasm.Limits{}, lent(t, url))
			tt := crash{class: fault.Worker, says: says}
			tt.check(t, m, "#ask "+how)
			if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil || m.Workers() != 3 {
				t.Errorf("the next call: %v, %d workers", err, m.Workers())
			}
		})
	}
}

// TestHostRequest_NeedsItsGrant asks for the one where only the other was
// granted, and for both where nothing was.
func TestHostRequest_NeedsItsGrant(t *testing.T) {
	url, begun, _ := never(t)
	for _, tt := range []struct {
		name string
		a    *grant.Access
		how  string
	}{
		{"a request for files", lent(t, "files"), "send " + url},
		{"a file for requests", wasmtest.Access(t, grant.Grant{Kind: grant.HTTP, Target: strings.TrimPrefix(url, "http://")}), "open"},
		{"a request for the time", wasmtest.Access(t, grant.Grant{Kind: grant.Clock}), "send " + url},
		{"a file for nothing", nil, "open"},
		{"a request for nothing", nil, "send " + url},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := loadGranted(t, madOptions(), wasm.Limits{}, tt.a)
			fails := crash{class: fault.Worker, says: "it requests something that was not granted"}
			fails.check(t, m, "#ask "+tt.how)
		})
	}
	if len(begun) > 0 {
		t.Error("a request was sent")
	}
}

// TestHostRequest_StaysInTheGrantedTree asks for paths past every check of the
// worker.
func TestHostRequest_StaysInTheGrantedTree(t *testing.T) {
	m := loadGranted(t, madOptions(), wasm.Limits{}, lent(t, "files"))
	answer, _, err := m.Call(t.Context(), "bleu", request("#ask away"), nil)
	if want := strings.Repeat(grant.ErrDenied.Error()+";", 6) + grant.ErrNotExist.Error() + ";"; err != nil || string(answer) != want {
		t.Errorf("%s, %v", answer, err)
	}
	if n := m.Workers(); n != 1 {
		t.Errorf("%d workers", n)
	}
}

// TestHostRequest_NotAfterTheResponse has a worker ask after its answer.
func TestHostRequest_NotAfterTheResponse(t *testing.T) {
	m := loadGranted(t, madOptions(), wasm.Limits{}, lent(t, "files"))
	if answer, _, err := m.Call(t.Context(), "bleu", request("#ask finished"), nil); err != nil || string(answer) != "done" {
		t.Fatalf("%s, %v", answer, err)
	}
	for m.Workers() < 2 { // it is found out at some time
		if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHostRequest_EndsWithItsCall ends calls that wait for a server which never
// answers: by their deadline, by an answer that does not wait, by who made them, by
// the death of the worker, and by closing.
func TestHostRequest_EndsWithItsCall(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel() // it waits
	for _, tt := range []struct {
		how    string
		limits wasm.Limits
		class  fault.Class
		times  int // that it is sent
	}{
		{"wait", wasm.Limits{Deadline: time.Second}, fault.Deadline, 1}, {"leave", wasm.Limits{}, fault.None, 1}, {"die", wasm.Limits{}, fault.Worker, 2},
	} {
		t.Run(tt.how, func(t *testing.T) {
			t.Parallel()
			url, begun, ended := never(t)
			m := loadGranted(t, madOptions(), tt.limits, lent(t, url))
			if _, _, err := m.Call(t.Context(), "bleu", request("#ask "+tt.how+" "+url), nil); fault.Of(err) != tt.class {
				t.Errorf("%v", err)
			}
			m.Close(t.Context())
			for len(begun) > 0 { // an answer, or a death, can be quicker than a server
				<-begun
				<-ended
				tt.times--
			}
			if tt.times < 0 {
				t.Errorf("it was sent %d times more than the call was made", -tt.times)
			}
		})
	}
	t.Run("cancel", func(t *testing.T) {
		url, begun, ended := never(t)
		o := madOptions()
		o.Parallel = 2 // of them, the cancelled call keeps one
		m := loadGranted(t, o, wasm.Limits{Deadline: time.Minute}, lent(t, url))
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-begun
			cancel(fault.New(fault.Interrupted, "enough"))
		}()
		if _, _, err := m.Call(ctx, "bleu", request("#ask wait "+url), nil); !fault.Is(err, fault.Interrupted) {
			t.Error(err)
		}
		<-ended
		if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil || m.Workers() != 1 {
			t.Errorf("the next call: %v, %d workers", err, m.Workers())
		}
	})
	t.Run("close", func(t *testing.T) {
		url, begun, ended := never(t)
		m := loadGranted(t, madOptions(), wasm.Limits{Deadline: time.Minute}, lent(t, url))
		go func() {
			<-begun
			m.Close(context.Background())
		}()
		if _, _, err := m.Call(t.Context(), "bleu", request("#ask wait "+url), nil); !fault.Is(err, fault.Worker) {
			t.Error(err)
		}
		<-ended
	})
}

// A mute module has a worker that reads nothing, and calls 77 and 78.
type mute struct{ *Module }

func newMute(t *testing.T, a *grant.Access) mute {
	t.Helper()
	m := loadGranted(t, Options{Parallel: 1}, wasm.Limits{}, a)
	k := newConn(&process{in: pipe(t).w})
	var theirs *conn
	m.inspect(func(o *owner) {
		theirs, o.worker.conn = o.worker.conn, k
		o.flight = []*pending{{callRequest: callRequest{id: 77}}, {callRequest: callRequest{id: 78}}}
	})
	t.Cleanup(func() {
		m.inspect(func(o *owner) {
			for len(o.flight) > 0 {
				o.land(0)
			}
			o.worker.conn = theirs
		})
	})
	return mute{m}
}

// request makes a host request, and waits until it is served.
func (m mute) request(r *hostRequest) (err error) {
	m.inspect(func(o *owner) { err = o.hostRequest(o.worker, r) })
	for busy := err == nil; busy; runtime.Gosched() {
		m.inspect(func(o *owner) { busy = o.serving > 0 })
	}
	return err
}

// TestHostRequest_ResponsesMustBeRead plays a worker that leaves responses in the pipe.
func TestHostRequest_ResponsesMustBeRead(t *testing.T) {
	a := lent(t, "files")
	m := newMute(t, a)
	requests := 0
	err := m.request(&hostRequest{id: 77, Op: opOpen, Name: "big"})
	for ; err == nil && requests < 1000; requests++ {
		err = m.request(&hostRequest{id: 77, Op: opRead, File: 1, Size: mostRead})
	}
	held := 0
	m.inspect(func(o *owner) { held = o.worker.out.unwritten() })
	if most := windowBytes + m.limits.InputBytes + 3*mostHostResponse; !errors.Is(err, errProtocol) || !strings.Contains(err.Error(), "does not read the responses") || held > most {
		t.Errorf("after %d requests and %d bytes: %v", requests, held, err)
	}
}

// TestHostRequest_OnlyForCallsThatRun plays a worker that makes one call at a time, and
// has files opened for another that it was sent as well.
func TestHostRequest_OnlyForCallsThatRun(t *testing.T) {
	m := newMute(t, lent(t, "files"))
	for range 3 {
		if err := m.request(&hostRequest{id: 77, Op: opOpen, Name: "f"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.request(&hostRequest{id: 78, Op: opOpen, Name: "f"}); !errors.Is(err, errProtocol) || !strings.Contains(err.Error(), "more calls than it makes at once") {
		t.Error(err)
	}
	m.inspect(func(o *owner) { o.worker.broker.end(o.flight[0]) })
	if err := m.request(&hostRequest{id: 78, Op: opOpen, Name: "f"}); err != nil {
		t.Errorf("once the other has ended: %v", err)
	}
}
