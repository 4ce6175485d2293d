package grant

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Bounds on one request and its response.
const (
	MaxRequest   = 1 << 20          // bytes of a body
	MaxResponse  = 4 << 20          // bytes of a body
	MaxHeader    = 64 << 10         // bytes of a request's headers, and of a response's
	maxRedirects = 5                // followed
	Timeout      = 10 * time.Second // of the whole exchange, and never beyond the caller's context
)

// A Client sends requests of guests to granted hosts only. Redirects must lead to granted hosts
// too, and names must resolve to public addresses, unless the grant names the address itself.
// It uses no proxies, cookies, compression and credentials. It is safe for concurrent use.
type Client struct {
	hosts   []string
	timeout time.Duration
	client  *http.Client
	lookup  func(ctx context.Context, host string) ([]netip.Addr, error)
}

// newClient returns a client for the targets of HTTP grants. Close it after use.
func newClient(hosts []string) *Client {
	c := &Client{hosts: slices.Clone(hosts), timeout: Timeout}
	c.lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}
	c.client = &http.Client{
		Transport: &http.Transport{
			DialContext: c.dial, DisableCompression: true, ForceAttemptHTTP2: true,
			MaxResponseHeaderBytes: MaxHeader, MaxConnsPerHost: 8, IdleConnTimeout: 30 * time.Second,
		},
		CheckRedirect: c.redirect,
	}
	return c
}

// Close closes idle connections.
func (c *Client) Close() { c.client.CloseIdleConnections() }

// A Request is an HTTP request of a guest.
type Request struct {
	Method string // empty: GET
	URL    string // http or https
	Header map[string]string
	Body   []byte
}

// A Response is an HTTP response of any status.
type Response struct {
	Status int
	Header map[string]string // several values are joined with ", "; those that are not UTF-8 are left out
	Body   []byte
}

// Do sends a request. An error has class Refused if it is not granted, Trap if the host does not
// answer, Output if the response is too large, or Deadline.
func (c *Client) Do(ctx context.Context, r *Request) (*Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := c.request(ctx, r)
	if err != nil {
		return nil, err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, requestFault(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusSwitchingProtocols { // the body is the connection, which no context ends
		return nil, fault.New(fault.Trap, "%s %s: the server switched protocols without being asked", req.Method, req.URL.Redacted())
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxResponse+1))
	switch {
	case err != nil:
		return nil, requestFault(err)
	case len(body) > MaxResponse:
		return nil, fault.New(fault.Output, "%s %s: the response has more than %d bytes", req.Method, req.URL.Redacted(), MaxResponse)
	}
	out := &Response{Status: resp.StatusCode, Header: map[string]string{}, Body: body}
	for k, v := range resp.Header {
		if value := strings.Join(v, ", "); utf8.ValidString(k) && utf8.ValidString(value) {
			out.Header[strings.ToLower(k)] = value
		}
	}
	return out, nil
}

// ours are headers that only the client sets.
var ours = []string{"host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "keep-alive",
	"proxy-authorization", "proxy-connection", "accept-encoding", "expect"}

// Check refuses a request beyond the bounds, with an error of class Input. Do calls it first; a
// proxy for a Client must call it too.
func (r *Request) Check() error {
	if len(r.Body) > MaxRequest {
		return fault.New(fault.Input, "the body has %d bytes, at most %d", len(r.Body), MaxRequest)
	}
	if len(r.Method)+len(r.URL) > MaxHeader {
		return fault.New(fault.Input, "the method and the URL have more than %d bytes", MaxHeader)
	}
	size := 0
	for k, v := range r.Header {
		if size += len(k) + len(v); size > MaxHeader {
			return fault.New(fault.Input, "the headers have more than %d bytes", MaxHeader)
		}
	}
	return nil
}

func (c *Client) request(ctx context.Context, r *Request) (*http.Request, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return nil, fault.New(fault.Refused, "the URL %q cannot be read", fault.Clip(r.URL, 80))
	}
	if err := c.allowed(u); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, cmp.Or(strings.ToUpper(r.Method), http.MethodGet), u.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, fault.New(fault.Refused, "the request cannot be made: %w", err)
	}
	for _, k := range slices.Sorted(maps.Keys(r.Header)) {
		if slices.Contains(ours, strings.ToLower(k)) {
			return nil, fault.New(fault.Refused, "the header %q is not the plugin's to set", fault.Clip(k, 80))
		}
		req.Header.Set(k, r.Header[k])
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "rubric-host-plugin")
	}
	return req, nil
}

func (c *Client) allowed(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fault.New(fault.Refused, "the scheme of %q is neither http nor https", fault.Clip(u.Redacted(), 80))
	case u.User != nil:
		return fault.New(fault.Refused, "%q has credentials in it", fault.Clip(u.Redacted(), 80))
	}
	host := strings.ToLower(u.Hostname())
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	for _, h := range c.hosts {
		granted, only := split(h)
		if host == granted && (only == port || only == "" && (port == "80" || port == "443")) {
			return nil
		}
	}
	return fault.WithHint(fault.New(fault.Refused, "no request to %s was granted", fault.Clip(net.JoinHostPort(host, port), 80)),
		"granted is %s", strings.Join(c.hosts, ", "))
}

func (c *Client) redirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fault.New(fault.Refused, "more than %d redirects", maxRedirects)
	}
	return c.allowed(req.URL)
}

// dial resolves a name, checks the address, and connects to the same address: a second lookup
// could return another one (DNS rebinding).
func (c *Client) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	if ip, err := netip.ParseAddr(host); err == nil { // granted by name
		return d.DialContext(ctx, network, net.JoinHostPort(ip.String(), port))
	}
	list, err := c.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	err = fmt.Errorf("%s resolves to nothing", host)
	for _, ip := range list {
		if !reachable(ip, host) {
			err = fault.WithHint(fault.New(fault.Refused, "%s resolves to %s, which is not a public address", fault.Clip(host, 80), ip),
				"grant the address itself if that is meant: http:%s", ip)
			continue
		}
		var conn net.Conn
		if conn, err = d.DialContext(ctx, network, net.JoinHostPort(ip.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// private are special-purpose ranges of the IANA registries that netip has no method for.
var private = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

// reachable reports whether a name may resolve to an address: a public one, or for localhost,
// a loopback one.
func reachable(ip netip.Addr, host string) bool {
	ip = ip.Unmap()
	if ip.IsLoopback() {
		return host == "localhost"
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && ip.Zone() == "" &&
		!slices.ContainsFunc(private, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// requestFault classifies a network error.
func requestFault(err error) error {
	var timeout net.Error
	switch {
	case fault.Of(err) == fault.Refused:
		return err
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return fault.New(fault.Deadline, "the request took too long: %w", err)
	case errors.Is(err, context.Canceled):
		return err
	}
	return fault.New(fault.Trap, "the request failed: %w", err)
}
