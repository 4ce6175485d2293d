package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

// tinyWordNet is a dictionary in WordNet's format.
var tinyWordNet = map[string]string{
	"index.noun": "  1 a licence\ndog n 1 1 @ 1 1 00000001  \nhound n 1 1 @ 1 1 00000001  \nhot_dog n 1 1 @ 1 1 00000002  \nman n 1 1 @ 1 0 00000003  \nhuman n 1 1 @ 1 0 00000003  \ngoose n 1 1 @ 1 0 00000004  \n",
	"data.noun":  "  1 a licence\n00000001 05 n 02 dog 0 hound 0 000 | a gloss\n00000002 05 n 02 hot_dog 0 Frank 0 000 | another\n00000003 05 n 02 man 0 human 0 000 | one\n00000004 05 n 01 goose 0 000 | one\n",
	"noun.exc":   "geese goose\nhounds nothing\n",
	"index.verb": "go v 1 0 1 0 00000001  \nwalk v 1 0 1 0 00000001  \n",
	"data.verb":  "00000001 29 v 02 go 0 walk 0 000 01 + 02 00 | move\n",
	"verb.exc":   "went go\n",
	"index.adj":  "big a 1 0 1 0 00000001  \ndark a 1 0 1 0 00000001  \n",
	"data.adj":   "00000001 00 a 02 big(p) 0 dark 0 000 | of size\n",
	"adj.exc":    "", "index.adv": "", "data.adv": "", "adv.exc": "",
}

func pack(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o600, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
	}
	if w.Close() != nil || z.Close() != nil {
		t.Fatal("not packed")
	}
	return b.Bytes()
}

func write(t *testing.T, name string, b []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRun_WordNet makes the same file of a directory and of an archive in an archive, and has
// the built-in meteor read it.
func TestRun_WordNet(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	inner, outer := map[string]string{}, map[string]string{}
	for name, text := range tinyWordNet {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".exc") {
			outer[name] = text
		} else {
			inner[name] = text
		}
	}
	outer["WNdb-3.0.tar.gz"] = string(pack(t, inner))
	var made [][]byte
	for _, source := range []string{dir, write(t, "p.tgz", pack(t, outer))} {
		var printed strings.Builder
		if err := run([]string{"wordnet", source, out}, &printed); err != nil || !strings.Contains(printed.String(), "wordnet-3.0.bin") {
			t.Fatalf("%v: %s", err, &printed)
		}
		b, err := os.ReadFile(filepath.Join(out, "wordnet-3.0.bin"))
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, b)
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("a directory and an archive give other bytes")
	}
	m := load(t, "meteor", "wordnet-3.0", made[0])
	for _, tt := range []struct {
		output, reference string
		matches           float64
	}{
		{"dog", "hound", 1}, {"hound dog", "dog hound", 2}, {"dogs", "hound", 1}, {"frank", "hot_dog", 0}, {"big", "dark", 1},
		{"geese", "goose", 0}, // the stem of geese is gees
		{"went", "walk", 1}, {"walks", "go", 1}, {"dog", "go", 0}, {"dog dog", "hound", 1}, {"men", "human", 1}, {"", "dog", 0},
	} {
		d := details(t, m, "meteor", tt.output, tt.reference, `{"synonyms":"wordnet-3.0","tokenizer":"whitespace"}`)
		got := d["per_reference"].([]any)[0].(map[string]any)["matches"]
		if got != tt.matches || !strings.Contains(d["signature"].(string), "wn:3.0") {
			t.Errorf("%q and %q: %v matches, want %v; %v", tt.output, tt.reference, got, tt.matches, d["signature"])
		}
	}
}

func TestRun_Tiktoken(t *testing.T) {
	// Bytes a to h, then "ab", "abc", "de" of a line that starts at rank 8.
	encoder := `{"bpe_ranks": "! 8 YWI= YWJj ZGU=\n! 0 YQ== Yg== Yw== ZA== ZQ== Zg== Zw== aA=="}`
	out := t.TempDir()
	source := write(t, "p.tgz", pack(t, map[string]string{"cl100k_base.json": encoder, "o200k_base.json": encoder}))
	if err := run([]string{"tiktoken", source, out}, io.Discard); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(out, "o200k_base.tiktoken"))
	if err != nil || !strings.HasPrefix(string(b), "YQ== 0\nYg== 1\n") || !strings.HasSuffix(string(b), "ZGU= 10\n") {
		t.Fatalf("%q, %v", b, err)
	}
	for _, encoding := range []string{"cl100k_base", "o200k_base"} {
		m := load(t, "structure", encoding, b)
		for text, want := range map[string]float64{"abcde": 2, "ab": 1, "": 0, "cab": 2, "abab" + strings.Repeat("abc", 100): 102, "hhh": 3} {
			if d := details(t, m, "length", text, "", `{"unit":"`+encoding+`","max":5}`); d[encoding] != want {
				t.Errorf("%s: %q has %v, want %v", encoding, text, d, want)
			}
		}
	}
}

func TestRun_RefusesWrongPackages(t *testing.T) {
	out := t.TempDir()
	broken := func(name, text string) string {
		files := map[string]string{name: text}
		for name, text := range tinyWordNet {
			if _, there := files[name]; !there {
				files[name] = text
			}
		}
		return write(t, "p.tgz", pack(t, files))
	}
	for _, args := range [][]string{
		nil, {"wordnet"}, {"words", ".", out}, {"wordnet", filepath.Join(out, "none"), out}, {"wordnet", out, out}, {"wordnet", write(t, "x", []byte("x")), out},
		{"wordnet", broken("index.verb", "go v many"), out}, {"wordnet", broken("data.noun", "00000001 05 n zz dog"), out}, {"wordnet", broken("data.noun", "00000001 05 n ff dog"), out},
		{"tiktoken", write(t, "p.tgz", pack(t, map[string]string{"cl100k_base.json": "{", "o200k_base.json": "{}"})), out},
		{"tiktoken", write(t, "p.tgz", pack(t, map[string]string{"cl100k_base.json": `{"bpe_ranks": "! 5 YQ=="}`, "o200k_base.json": "{}"})), out},
	} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}

func load(t *testing.T, name, file string, content []byte) *wasm.Module {
	t.Helper()
	rt, err := wasm.New(t.Context(), wasm.Options{CacheDir: wasmtest.CacheDir(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close(context.Background()) })
	catalog, err := plugins.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	m, err := rt.Load(t.Context(), wasm.Source{Name: name, Module: catalog.Plugin(name).Module(), Data: []wasm.Data{{Name: file, Bytes: content}}}, wasm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func details(t *testing.T, m *wasm.Module, export, output, reference, config string) map[string]any {
	t.Helper()
	request, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "case": map[string]any{"output": output, "references": []string{reference}}})
	if err != nil {
		t.Fatal(err)
	}
	request = append(request[:len(request)-1], (`,"config":` + config + `}`)...)
	answer, _, err := m.Call(t.Context(), export, request, nil)
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		Details map[string]any `json:"details"`
		Error   string         `json:"error"`
	}
	if err := json.Unmarshal(answer, &a); err != nil || a.Error != "" {
		t.Fatalf("%v: %s", err, answer)
	}
	return a.Details
}
