package result_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	stdjson "encoding/json"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/result"
)

func TestZZ(t *testing.T) {
	f, err := os.Create(os.Getenv("ZZ"))
	if err != nil {
		t.Skip()
	}
	defer f.Close()
	write := func(row *result.Row) {
		b, err := result.AppendRow(nil, row)
		fmt.Fprintf(f, "%s %v\n", b, err)
		b, err = json.Marshal(row, jsontext.Multiline(true))
		fmt.Fprintf(f, "%s %v\n", b, err)
		b, err = stdjson.Marshal(row.Judge)
		fmt.Fprintf(f, "STD %s %v\n", b, err)
	}
	for i := range 6000 {
		row := rapid.OneOf(usualRow, anyRow).Example(i)
		write(row)
		row.Judge.Unpriced, row.Judge.Retries, row.Judge.Cached = i%3, i%2, i%5
		write(row)
	}
	n := 0
	for _, root := range []string{"../..", os.Getenv("ZZFUZZ")} {
		if root == "" {
			continue
		}
		filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > 20<<20 || filepath.Base(p) == "zz_scratch_test.go" {
				return nil
			}
			if ext := filepath.Ext(p); root == "../.." && ext != ".jsonl" && ext != ".golden" && ext != ".json" && ext != ".txt" {
				return nil
			}
			b, err := os.ReadFile(p)
			if err != nil {
				return nil
			}
			for row, err := range result.ReadRows(bytes.NewReader(b)) {
				if err == nil {
					n++
					write(row)
				}
			}
			return nil
		})
	}
	t.Log(n, "rows of files")
}
