package wasm

import "github.com/rubric-host/rubric-host/host/wasm/grant"

// A Source is a module to load.
type Source struct {
	Name   string // in messages
	Module []byte // must not be changed while the module is in use

	// Digest is Module.Digest of the bytes, for callers that know it. Empty: it is computed.
	Digest string

	// Open returns the bytes, if Module is nil. With a Digest, it is only called if the
	// store does not have the module.
	Open func() ([]byte, error)

	// Scorers are those that will be called, so that what only others need is not compiled. Empty: all.
	// Others cannot be called. Scripts, programs and workers always have all.
	Scorers []string

	// Data are files that the guest gets when it is started, before its image is taken. The
	// caller has verified them; they must not be changed. Only modules of the direct ABI that
	// export "data" take any.
	Data []Data

	// Access holds the grants of every call; answers may then depend on more than the
	// request. It must stay open until the module is closed. Nil: nothing is granted.
	Access *grant.Access
}

// Data is a data file of a module.
type Data struct {
	Name  string
	Bytes []byte
}

// Bytes returns the bytes of the module.
func (s *Source) Bytes() ([]byte, error) {
	if s.Module != nil || s.Open == nil {
		return s.Module, nil
	}
	return s.Open()
}
