// Package grant holds the rights of a plugin beyond computing: read the files of a directory,
// send requests to a host, see the real time, draw real random numbers. A right is granted only
// if the manifest requests it and the user allows it.
//
// Stability: experimental.
package grant

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Kind is a kind of grant.
type Kind string

// The kinds. With any of them an answer may depend on more than the request.
const (
	Files  Kind = "fs:read" // reads below one directory; the target is the directory
	HTTP   Kind = "http"    // requests to one host; the target is host or host:port
	Clock  Kind = "clock"   // the real time
	Random Kind = "random"  // real random numbers
)

// A Grant is one right.
type Grant struct {
	Kind   Kind
	Target string // of Files and HTTP; empty in a manifest: the user chooses the directory
}

// String writes a grant as Parse reads it.
func (g Grant) String() string {
	if g.Target == "" {
		return string(g.Kind)
	}
	return string(g.Kind) + ":" + g.Target
}

// Parse reads a grant: "clock", "random", "http:HOST", "http:HOST:PORT", "fs:read"
// or "fs:read:DIR". The error is of class Invalid.
func Parse(text string) (Grant, error) {
	bad := func(format string, args ...any) (Grant, error) {
		return Grant{}, fault.WithHint(fault.New(fault.Invalid, "the grant %q %s", fault.Clip(text, 80), fmt.Sprintf(format, args...)),
			"write clock, random, http:HOST, http:HOST:PORT or fs:read:DIR")
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return bad("has control characters")
	}
	switch {
	case text == string(Clock), text == string(Random), text == string(Files):
		return Grant{Kind: Kind(text)}, nil
	case strings.HasPrefix(text, "fs:read:"):
		return Grant{Files, strings.TrimPrefix(text, "fs:read:")}, nil
	case strings.HasPrefix(text, "http:"):
		target := strings.ToLower(strings.TrimPrefix(text, "http:"))
		if why := hostProblem(target); why != "" {
			return bad("%s", why)
		}
		return Grant{HTTP, target}, nil
	}
	return bad("is of an unknown kind")
}

// hostProblem returns why a text is not a host, with or without a port.
func hostProblem(target string) string {
	host, port := split(target)
	if port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "has a port that is none"
		}
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return ""
	}
	if host == "" || len(host) > 253 {
		return "names no host"
	}
	for _, label := range strings.Split(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "names no host; wildcards, schemes and paths are not part of it"
		}
	}
	return ""
}

// split separates a host from its port, and removes the brackets of an IPv6 address.
func split(target string) (host, port string) {
	if h, p, err := net.SplitHostPort(target); err == nil {
		return h, p
	}
	return strings.TrimSuffix(strings.TrimPrefix(target, "["), "]"), ""
}

// Match compares the requests of a plugin with the grants of a user. A grant that was not
// requested is an error; missing are the requests without a grant. A request for files may
// name no directory.
func Match(asked, given []Grant) (granted, missing []Grant, err error) {
	for _, g := range given {
		if g.Kind == Files && g.Target == "" {
			return nil, nil, fault.WithHint(fault.New(fault.Usage, "the grant %s names no directory", g), "write fs:read:DIR")
		}
		if !slices.ContainsFunc(asked, func(a Grant) bool { return a.covers(g) }) {
			return nil, nil, fault.WithHint(fault.New(fault.Usage, "the grant %s was not requested", g), "%s", asks(asked))
		}
		granted = append(granted, g)
	}
	return granted, xslices.Filter(asked, func(a Grant) bool { return !slices.ContainsFunc(given, a.covers) }), nil
}

// covers reports whether a grant of the user satisfies the request g.
func (g Grant) covers(given Grant) bool {
	return g.Kind == given.Kind && (g.Target == given.Target || g.Kind == Files)
}

func asks(asked []Grant) string {
	if len(asked) == 0 {
		return "the plugin asks for nothing; the key grants of a plugin.yaml is where it would"
	}
	return "the plugin asks for " + strings.Join(xslices.Map(asked, Grant.String), ", ")
}
