package plugin

import (
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
	case p.cases != nil:
		return p.Manifest.Name + "/" + p.Manifest.Cases, p.cases(), nil
	case p.Source == Builtin, p.Manifest.Cases == "":
		return "", nil, nil
	}
	f, err := openFolder(filepath.Dir(p.Source))
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	text, err = f.read(p.Manifest.Cases, maxCases)
	if err != nil {
		return "", nil, fault.WithHint(err, "write the file, or take the key cases out of the manifest")
	}
	return f.place(p.Manifest.Cases), text, nil
}
