package interpreter

import (
	"archive/zip"
	"bytes"
	"io"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/script"
)

// find returns the interpreter of a language that a file is, or holds.
func find(l script.Language, path string) ([]byte, error) {
	b, err := file.Read(path, mostFile)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, fault.WithHint(err, "%s", HowToInstall(l.Name))
	case err != nil:
		return nil, err
	case bytes.HasPrefix(b, []byte("PK\x03\x04")):
		return unpack(l, path, b)
	case bytes.HasPrefix(b, []byte("\x00asm")):
		return verified(l, path, b)
	}
	return nil, fault.WithHint(fault.New(fault.Mismatch, "%s is neither a wheel nor a WebAssembly module", path), "%s", HowToInstall(l.Name))
}

// verified refuses a module that does not have the digest of the language's interpreter.
func verified(l script.Language, place string, module []byte) ([]byte, error) {
	if has := digest.Of(module); has != l.Interpreter {
		return nil, fault.WithHint(fault.New(fault.Mismatch, "%s is %s; the module that is known for %s is %s", place, has, l.Title, l.Interpreter), "%s", HowToInstall(l.Name))
	}
	return module, nil
}

// mostEntries is how many files an archive may have.
const mostEntries = 10_000

func unpack(l script.Language, file string, archive []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s is not a readable wheel: %w", file, err)
	}
	if len(z.File) > mostEntries {
		return nil, fault.New(fault.Refused, "%s holds more than %d files", file, mostEntries)
	}
	return pack(l, file, z)
}

// extract reads one file of an archive, whatever it says of its size.
func extract(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s cannot be read: %w", f.Name, err)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, mostModule+1))
	switch {
	case err != nil:
		return nil, fault.New(fault.Invalid, "%s cannot be read: %w", f.Name, err)
	case len(b) > mostModule:
		return nil, fault.New(fault.Refused, "%s has more than %d bytes", f.Name, mostModule)
	}
	return b, nil
}
