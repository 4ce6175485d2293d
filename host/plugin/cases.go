package plugin

import (
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/fault"
)

// maxCases is the size of the largest file of expected answers, in bytes.
const maxCases = 64 << 20

// ReadCases returns the expected answers of a plugin: the bytes of the file that
// its manifest's cases names, beside the module, and its name for messages. They
// are nil if it names none.
func (p *Plugin) ReadCases() (name string, text []byte, err error) {
	switch {
	case p.Source == Builtin:
		return p.Manifest.Name + "/" + p.Manifest.Cases, p.cases, nil
	case p.Manifest.Cases == "":
		return "", nil, nil
	}
	dir := filepath.Dir(p.Source)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", nil, fileFault(dir, err)
	}
	defer root.Close()
	name = filepath.Join(dir, p.Manifest.Cases)
	text, err = readRegular(root, p.Manifest.Cases, name, maxCases)
	if err != nil {
		return "", nil, fault.WithHint(err, "write the file, or take the key cases out of the manifest")
	}
	return name, text, nil
}
