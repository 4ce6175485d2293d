package worker

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

func TestLoad_GivesDataFilesToWorkers(t *testing.T) {
	text, err := os.ReadFile("../testdata/guests/data.wat")
	if err != nil {
		t.Fatal(err)
	}
	content := bytes.Repeat([]byte("0123456789abcdef"), 5<<16) // 5 MiB
	r := isolated(t, Options{})
	m, err := r.Load(context.Background(), wasm.Source{Name: "data", Module: wasmtest.Assemble(string(text)), Data: []wasm.Data{{Name: "a", Bytes: content}}}, wasm.Limits{OutputBytes: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, _, err := m.Call(context.Background(), "score", []byte("X"), nil)
		if err != nil || !bytes.Equal(got[1:], content[1:]) || got[0] != 'X' {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
}
