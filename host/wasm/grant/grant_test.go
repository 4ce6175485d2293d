package grant

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
)

func TestParse_ReadsGrants(t *testing.T) {
	for text, want := range map[string]Grant{
		"clock": {Clock, ""}, "random": {Random, ""}, "fs:read": {Files, ""}, "fs:read:./data": {Files, "./data"},
		"http:api.example.com": {HTTP, "api.example.com"}, "http:API.example.com:8080": {HTTP, "api.example.com:8080"},
		"http:127.0.0.1:80": {HTTP, "127.0.0.1:80"}, "http:[::1]:80": {HTTP, "[::1]:80"}, "http:::1": {HTTP, "::1"},
	} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("%s: %v %v", text, got, err)
		}
		if again, err := Parse(got.String()); err != nil || again != got {
			t.Errorf("%s is written as %s: %v %v", text, got, again, err)
		}
	}
	for _, text := range []string{
		"", "time", "Clock", "clock:", "http", "http:", "http:*", "http:*.example.com", "http:https://example.com", "http:example.com/path",
		"http:example.com:0", "http:example.com:99999", "http:example.com:x", "http:a..b", "http:user@host", "fs:write:.", "fs:read:a\x00b",
		"http:" + strings.Repeat("a", 300), "http:" + strings.Repeat("a.", 130) + "a", "clock\n",
	} {
		if _, err := Parse(text); fault.Of(err) != fault.Invalid || fault.Hint(err) == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestMatch_OnlyRequestedGrants(t *testing.T) {
	asked := []Grant{{Files, ""}, {HTTP, "example.com"}, {Clock, ""}}
	granted, missing, err := Match(asked, []Grant{{Files, "data"}, {Clock, ""}})
	if err != nil || fmt.Sprint(granted) != "[fs:read:data clock]" || fmt.Sprint(missing) != "[http:example.com]" {
		t.Error(granted, missing, err)
	}
	for _, g := range []Grant{{Random, ""}, {HTTP, "evil.example"}, {HTTP, "example.com:8080"}, {Files, ""}} {
		if _, _, err := Match(asked, []Grant{g}); fault.Of(err) != fault.Usage {
			t.Errorf("%s: %v", g, err)
		}
	}
	if _, _, err := Match(nil, []Grant{{Clock, ""}}); err == nil || !strings.Contains(fault.Hint(err), "asks for nothing") {
		t.Error(err)
	}
}

// serve starts a server and returns the target of a grant for it.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

func client(t *testing.T, hosts ...string) *Client {
	t.Helper()
	c := newClient(hosts)
	t.Cleanup(c.Close)
	return c
}

func TestClient_SendsToTheGrantedHost(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	host := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Got", r.Header.Get("X-Sent"))
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintf(w, "%s %s %s", r.Method, r.URL.Path, r.Header.Get("Accept-Encoding"))
	})
	resp, err := client(t, host).Do(t.Context(), &Request{Method: "post", URL: "http://" + host + "/x", Header: map[string]string{"X-Sent": "yes"}, Body: []byte("hello")})
	if err != nil {
		t.Fatal(err)
	}
	if resp.Status != http.StatusTeapot || string(resp.Body) != "POST /x " || resp.Header["x-got"] != "yes" {
		t.Errorf("%+v %s", resp, resp.Body)
	}
}

func TestClient_ReachesNothingElse(t *testing.T) {
	reached := false
	other := serve(t, func(http.ResponseWriter, *http.Request) { reached = true })
	host := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "http://"+other+"/", http.StatusFound)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/big":
			for range MaxResponse/1000 + 1 {
				fmt.Fprint(w, strings.Repeat("x", 1000))
			}
		case "/headers":
			w.Header().Set("X-Big", strings.Repeat("x", 2*MaxHeader))
		case "/protocol":
			w.Header().Set("Connection", "Upgrade")
			w.Header().Set("Upgrade", "other")
			w.WriteHeader(http.StatusSwitchingProtocols)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case "/slow":
			<-r.Context().Done()
		}
	})
	_, port, _ := strings.Cut(host, ":")
	for _, tt := range []struct {
		name string
		r    Request
		want fault.Class
	}{
		{"another host", Request{URL: "http://" + other}, fault.Refused},
		{"another name for it", Request{URL: "http://localhost:" + port}, fault.Refused},
		{"a redirect to another host", Request{URL: "http://" + host + "/away"}, fault.Refused},
		{"a redirect to a file", Request{URL: "http://" + host + "/file"}, fault.Refused},
		{"a redirect to itself", Request{URL: "http://" + host + "/round"}, fault.Refused},
		{"another scheme", Request{URL: "ftp://" + host}, fault.Refused},
		{"no URL", Request{URL: "://"}, fault.Refused},
		{"credentials", Request{URL: "http://u:p@" + host}, fault.Refused},
		{"a header of the connection", Request{URL: "http://" + host, Header: map[string]string{"Host": other}}, fault.Refused},
		{"a method that is none", Request{URL: "http://" + host, Method: "GET /\r\nX: y"}, fault.Refused},
		{"a header with a line break", Request{URL: "http://" + host, Header: map[string]string{"X": "a\r\nY: b"}}, fault.Trap},
		{"a body that is too large", Request{URL: "http://" + host, Body: make([]byte, MaxRequest+1)}, fault.Input},
		{"headers that are too large", Request{URL: "http://" + host, Header: map[string]string{"X": strings.Repeat("x", MaxHeader)}}, fault.Input},
		{"a response that is too large", Request{URL: "http://" + host + "/big"}, fault.Output},
		{"headers that come back too large", Request{URL: "http://" + host + "/headers"}, fault.Trap},
		{"another protocol, in which the host says nothing", Request{URL: "http://" + host + "/protocol"}, fault.Trap},
		{"no answer in time", Request{URL: "http://" + host + "/slow"}, fault.Deadline},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := client(t, host)
			if tt.want == fault.Deadline {
				c.timeout = 50 * time.Millisecond
			}
			resp, err := c.Do(t.Context(), &tt.r)
			if fault.Of(err) != tt.want {
				t.Errorf("%v, want %s (%v)", err, tt.want, resp)
			}
		})
	}
	if reached {
		t.Error("the other host was reached")
	}
}

func TestClient_NameMustResolveToPublicAddress(t *testing.T) {
	host := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "reached") })
	_, port, _ := strings.Cut(host, ":")
	resolving := func(addrs ...string) *Client {
		c := client(t, "metrics.example:"+port, "localhost:"+port)
		c.lookup = func(context.Context, string) (list []netip.Addr, err error) {
			for _, a := range addrs {
				list = append(list, netip.MustParseAddr(a))
			}
			return list, nil
		}
		return c
	}
	for _, a := range []string{"127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "100.64.1.1", "0.0.0.0", "224.0.0.1",
		"fd00::1", "fe80::1", "64:ff9b::7f00:1", "2002:7f00:1::", "255.255.255.255", "::"} {
		_, err := resolving(a).Do(t.Context(), &Request{URL: "http://metrics.example:" + port})
		if fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), "not a public address") {
			t.Errorf("%s: %v", a, err)
		}
	}
	if resp, err := resolving("127.0.0.1").Do(t.Context(), &Request{URL: "http://localhost:" + port}); err != nil || string(resp.Body) != "reached" {
		t.Errorf("localhost, as granted: %v", err)
	}
	for _, a := range []string{"93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"} {
		if !reachable(netip.MustParseAddr(a), "metrics.example") {
			t.Errorf("%s is public", a)
		}
	}
}

func TestTree_ReadsNothingOutside(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("tree/words.txt", "one two")
	write("tree/sub/more.txt", "three")
	write("secret.txt", "secret")
	for link, target := range map[string]string{"tree/out": "../secret.txt", "tree/abs": filepath.Join(dir, "secret.txt"), "tree/in": "words.txt", "tree/up": ".."} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			if runtime.GOOS != "windows" {
				t.Fatal(err)
			}
			t.Skipf("needs the right to create symbolic links: %v", err)
		}
	}
	tree, err := openTree(filepath.Join(dir, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for name, want := range map[string]string{"words.txt": "one two", "./sub/../words.txt": "one two", "in": "one two", "sub/more.txt": "three"} {
		f, err := tree.Open(t.Context(), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b := make([]byte, 100)
		if n, err := f.ReadAt(b, 0); err != nil || string(b[:n]) != want || f.Size != int64(len(want)) {
			t.Errorf("%s: %q %v", name, b[:n], err)
		}
		if n, err := f.ReadAt(b, 1000); n != 0 || err != nil {
			t.Errorf("%s behind its end: %d %v", name, n, err)
		}
		f.Close()
	}
	for _, name := range []string{"out", "abs", "up/secret.txt", "../secret.txt", "sub/../../secret.txt", filepath.Join(dir, "secret.txt"), "/etc/passwd", "a\x00b", `sub\more.txt`, strings.Repeat("a/", 4000)} {
		if f, err := tree.Open(t.Context(), name); !errors.Is(err, ErrDenied) {
			t.Errorf("%.40s: %v %v", name, f, err)
		}
	}
	if _, err := tree.Open(t.Context(), "nothing"); !errors.Is(err, ErrNotExist) {
		t.Error(err)
	}
	top, err := tree.Open(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	defer top.Close()
	if list, err := top.Entries(); err != nil || fmt.Sprint(list) != "[{sub true} {words.txt false}]" {
		t.Error(list, err)
	}
	if _, err := top.ReadAt(make([]byte, 1), 0); err == nil {
		t.Error("a directory was read")
	}
}

func TestTree_FailureOfTheMachineIsNotErrNotExist(t *testing.T) {
	at := func(err error) error { return &fs.PathError{Op: "openat", Path: "/home/somebody/tree/f", Err: err} }
	for _, err := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EIO} {
		got := treeError(at(err))
		if fault.Of(got) != fault.Trap || errors.Is(got, ErrDenied) || errors.Is(got, ErrNotExist) || strings.Contains(got.Error(), "somebody") || !errors.Is(got, err) {
			t.Errorf("%v: %v", err, got)
		}
	}
	for err, want := range map[error]error{syscall.ENOENT: ErrNotExist, syscall.EACCES: ErrDenied, syscall.EPERM: ErrDenied, syscall.ENOTDIR: ErrDenied, syscall.ELOOP: ErrDenied} {
		if got := treeError(at(err)); !errors.Is(got, want) {
			t.Errorf("%v: %v", err, got)
		}
	}
	f, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, dir := range []bool{true, false} {
		closed := NewFile("f", dir, 1, onDisk{f})
		_, listing := closed.Entries()
		_, reading := closed.ReadAt(make([]byte, 1), 0)
		if err := errors.Join(listing, reading); fault.Of(err) != fault.Trap || strings.Contains(err.Error(), f.Name()) {
			t.Error(err)
		}
	}
}
