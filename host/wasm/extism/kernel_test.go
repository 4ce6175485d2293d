package extism_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/extism"
)

// must returns a value, or fails.
func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A printed log collects the messages.
type printed struct{ text []byte }

func (p *printed) Print(text []byte) { p.text = append(p.text, text...) }

func newKernel(l extism.Limits) *extism.Kernel { return extism.New(l, new(printed)) }

func begin(t testing.TB, l extism.Limits, input string) *extism.Kernel {
	t.Helper()
	k := newKernel(l)
	if err := k.Begin([]byte(input), nil); err != nil {
		t.Fatal(err)
	}
	return k
}

func place(t testing.TB, k *extism.Kernel, s string) uint64 {
	t.Helper()
	at, err := k.Place([]byte(s))
	return must(t, at, err)
}

func TestInput_IsReadFromItsBeginning(t *testing.T) {
	k := begin(t, extism.Limits{}, "0123456789")
	if k.InputLength() != 10 || k.Length(k.InputAt()) != 10 {
		t.Errorf("lengths %d and %d", k.InputLength(), k.Length(k.InputAt()))
	}
	if got := k.Input64(1); got != binary.LittleEndian.Uint64([]byte("12345678")) {
		t.Errorf("Input64 %x", got)
	}
	if got := k.Input8(9); got != '9' {
		t.Errorf("Input8 %d", got)
	}
	for _, offset := range []uint64{3, 10, math.MaxUint64, math.MaxUint64 - 7} {
		if got := k.Input64(offset); got != 0 {
			t.Errorf("Input64(%d) %x behind the end", offset, got)
		}
	}
	if got, err := k.Load8(k.InputAt() + 2); got != '2' || err != nil {
		t.Errorf("Load8 %d, %v", got, err)
	}
	k.Free(k.InputAt())
	if k.InputAt() != 0 || k.InputLength() != 0 || k.Input8(0) != 0 {
		t.Error("there is input after it was freed")
	}
	if k = begin(t, extism.Limits{}, ""); k.InputAt() != 0 || k.Input8(0) != 0 {
		t.Error("there is input where there is none")
	}
}

func TestBegin_ClearsTheCallBefore(t *testing.T) {
	k := begin(t, extism.Limits{}, strings.Repeat("secret", 100))
	at := place(t, k, strings.Repeat("secret", 1000))
	if err := k.SetVar(place(t, k, "name"), place(t, k, "secret")); err != nil {
		t.Fatal(err)
	}
	if err := k.SetOutput(at, 6); err != nil {
		t.Fatal(err)
	}
	if err := k.SetError(at); err != nil {
		t.Fatal(err)
	}
	if err := k.Begin(nil, nil); err != nil {
		t.Fatal(err)
	}
	if out, err := k.Output(); len(out) > 0 || err != nil {
		t.Errorf("output %q, %v", out, err)
	}
	if text, failed := k.Failed(); failed || k.ErrorAt() != 0 {
		t.Errorf("error %q", text)
	}
	if v, err := k.Var(place(t, k, "name")); v != 0 || err != nil {
		t.Errorf("variable at %d, %v", v, err)
	}
	if _, err := k.Load8(at); fault.Of(err) != fault.Protocol {
		t.Errorf("a block of the call before is read: %v", err)
	}
	at, err := k.Alloc(8000)
	if b, err2 := k.Text(at, ""); err != nil || err2 != nil || !bytes.Equal(b, make([]byte, 8000)) {
		t.Errorf("a new block is not zero: %v, %v", err, err2)
	}
}

func TestBegin_RestoresVariablesOfTheStart(t *testing.T) {
	k := begin(t, extism.Limits{}, "")
	if err := k.SetVar(place(t, k, "name"), place(t, k, "old")); err != nil {
		t.Fatal(err)
	}
	vars := k.Vars()
	for range 2 {
		if err := k.Begin(nil, vars); err != nil {
			t.Fatal(err)
		}
		at, err := k.Var(place(t, k, "name"))
		if b, _ := k.Text(must(t, at, err), ""); string(b) != "old" {
			t.Errorf("variable %q", b)
		}
		if err := k.SetVar(place(t, k, "name"), place(t, k, "newer")); err != nil {
			t.Fatal(err)
		}
		if err := k.SetVar(place(t, k, "other"), 0); err != nil {
			t.Fatal(err)
		}
		at, err = k.Var(place(t, k, "name"))
		if b, _ := k.Text(must(t, at, err), ""); string(b) != "newer" {
			t.Errorf("variable %q", b)
		}
	}
}

func TestLimits_AreEnforced(t *testing.T) {
	l := extism.Limits{Bytes: 1000, Blocks: 3, VarBytes: 100}
	alloc := func(sizes ...uint64) error {
		k := begin(t, l, "")
		for _, size := range sizes {
			if _, err := k.Alloc(size); err != nil {
				return err
			}
		}
		return nil
	}
	setVar := func(name, value int) error {
		k := begin(t, l, "")
		return k.SetVar(place(t, k, strings.Repeat("n", name)), place(t, k, strings.Repeat("v", value)))
	}
	tests := []struct {
		name string
		err  error
		says string
	}{
		{"as many blocks as allowed", alloc(1, 1, 1), ""},
		{"one block more", alloc(1, 1, 1, 1), "more than 3 blocks"},
		{"as many bytes as allowed", alloc(976), ""},
		{"more bytes", alloc(977), "no room for a block of 977 bytes"},
		{"more bytes together", alloc(500, 500), "no room for a block of 500 bytes"},
		{"all bytes there are", alloc(math.MaxUint64), "no room for a block of 18446744073709551615 bytes"},
		{"as much input as allowed", newKernel(l).Begin(make([]byte, 976), nil), ""},
		{"more input", newKernel(l).Begin(make([]byte, 977), nil), "no room for a block of 977 bytes"},
		{"variables as large as allowed", setVar(30, 30), ""},
		{"larger variables", setVar(30, 31), "variables take 101 bytes, 100 allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			switch {
			case tt.says == "" && tt.err != nil:
				t.Error(tt.err)
			case tt.says != "" && (fault.Of(tt.err) != fault.Memory || !strings.Contains(tt.err.Error(), tt.says) || fault.Hint(tt.err) == ""):
				t.Errorf("error %v, want %q", tt.err, tt.says)
			}
		})
	}
}

// TestFree_RoomIsReused allocates far more than there is room for.
func TestFree_RoomIsReused(t *testing.T) {
	k := begin(t, extism.Limits{Bytes: 10_000, Blocks: 8}, "input")
	var held []uint64
	for n := range 100_000 {
		at, err := k.Alloc(uint64(1 + n*7919%2000))
		held = append(held, must(t, at, err))
		if len(held) == 4 {
			k.Free(held[n%4])
			held = append(held[:n%4], held[n%4+1:]...)
		}
	}
	if k.Work < 100_000 {
		t.Errorf("that was %d of work", k.Work)
	}
}

// A model of blocks: the content of each address.
type model map[uint64][]byte

func (m model) inside(at, n uint64) []byte {
	for from, b := range m {
		if off := at - from; at >= from && off < uint64(len(b)) && n <= uint64(len(b))-off {
			return b[off:][:n]
		}
	}
	return nil
}

// TestKernel_MatchesModel does anything in any order, and compares each
// answer with that of a map.
func TestKernel_MatchesModel(t *testing.T) {
	k := newKernel(extism.Limits{Bytes: 4_000, Blocks: 12})
	rapid.Check(t, func(t *rapid.T) {
		input := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "input")
		if err := k.Begin(input, nil); err != nil {
			t.Fatal(err)
		}
		m := model{}
		if len(input) > 0 {
			m[k.InputAt()] = bytes.Clone(input)
		}
		var known []uint64 // addresses that were once given
		address := func() uint64 {
			if len(known) == 0 || rapid.Bool().Draw(t, "any") {
				return rapid.Uint64Range(0, 4_200).Draw(t, "address")
			}
			return known[rapid.IntRange(0, len(known)-1).Draw(t, "known")] + rapid.Uint64Range(0, 20).Draw(t, "offset")
		}
		t.Repeat(map[string]func(*rapid.T){
			"alloc": func(t *rapid.T) {
				size := rapid.Uint64Range(0, 700).Draw(t, "size")
				at, err := k.Alloc(size)
				if err != nil {
					if fault.Of(err) != fault.Memory {
						t.Fatal(err)
					}
					return
				}
				if size == 0 {
					if at != 0 {
						t.Fatalf("a block of no bytes is at %d", at)
					}
					return
				}
				for from, b := range m {
					if at < from+uint64(len(b)) && from < at+size {
						t.Fatalf("%d bytes at %d overlap %d bytes at %d", size, at, len(b), from)
					}
				}
				m[at] = make([]byte, size)
				known = append(known, at)
			},
			"free": func(*rapid.T) {
				at := address()
				k.Free(at)
				delete(m, at)
			},
			"length": func(t *rapid.T) {
				at := address()
				if got, want := k.Length(at), uint64(len(m[at])); got != want {
					t.Fatalf("length %d at %d, want %d", got, at, want)
				}
			},
			"store": func(t *rapid.T) {
				at, v := address(), rapid.Uint64().Draw(t, "value")
				b, err := m.inside(at, 8), k.Store64(at, v)
				if (b == nil) != (err != nil) {
					t.Fatalf("store at %d: %v", at, err)
				}
				if b != nil {
					binary.LittleEndian.PutUint64(b, v)
				}
				b, err = m.inside(at+3, 1), k.Store8(at+3, byte(v))
				if (b == nil) != (err != nil) {
					t.Fatalf("store at %d: %v", at+3, err)
				}
				if b != nil {
					b[0] = byte(v)
				}
			},
			"load": func(t *rapid.T) {
				at := address()
				b := m.inside(at, 8)
				got, err := k.Load64(at)
				if (b == nil) != (err != nil) || b != nil && got != binary.LittleEndian.Uint64(b) {
					t.Fatalf("load at %d gives %x, %v; want %x", at, got, err, b)
				}
				b = m.inside(at, 1)
				got, err = k.Load8(at)
				if (b == nil) != (err != nil) || b != nil && got != uint64(b[0]) {
					t.Fatalf("load at %d gives %x, %v; want %x", at, got, err, b)
				}
			},
			"": func(t *rapid.T) {
				for at, want := range m {
					if got, err := k.Text(at, "it"); err != nil || !bytes.Equal(got, want) {
						t.Fatalf("at %d lies %x, %v; want %x", at, got, err, want)
					}
				}
			},
		})
	})
}

// FuzzKernel calls the functions of a kernel in any order with any arguments.
func FuzzKernel(f *testing.F) {
	f.Add([]byte("input"), []byte{0, 10, 2, 64, 7, 64, 9, 64, 1, 64})
	f.Add([]byte{}, []byte{0, 255, 0, 255, 1, 64, 10, 80, 11, 64})
	k := newKernel(extism.Limits{Bytes: 2_000, Blocks: 5, VarBytes: 300})
	f.Fuzz(func(t *testing.T, input, steps []byte) {
		if k.Begin(input, nil) != nil {
			return
		}
		for ; len(steps) >= 2; steps = steps[2:] {
			n := uint64(steps[1])
			if n > 250 {
				n = -(n - 250)
			}
			var err error
			switch steps[0] % 14 {
			case 0:
				_, err = k.Alloc(n)
			case 1:
				k.Free(n)
			case 2:
				_, err = k.Load8(n)
			case 3:
				_, err = k.Load64(n)
			case 4:
				err = k.Store8(n, steps[0])
			case 5:
				err = k.Store64(n, n)
			case 6:
				_, _ = k.Input8(n), k.Input64(n)
			case 7:
				err = k.SetOutput(64, n)
			case 8:
				err = k.SetOutput(n, 8)
			case 9:
				err = k.SetError(n)
			case 10:
				_, err = k.Var(n)
			case 11:
				err = k.SetVar(n, 64)
			case 12:
				err = k.SetVar(64, n)
			case 13:
				_, err = k.Place(steps)
			}
			switch fault.Of(err) {
			case "", fault.Memory, fault.Protocol, fault.Output:
			default:
				t.Fatalf("error %v of class %q", err, fault.Of(err))
			}
		}
		out, err := k.Output()
		if err == nil && len(out) > 2_000 {
			t.Fatalf("%d bytes of output", len(out))
		}
		k.Failed()
	})
}

// invoke calls a function by its name, and returns its result.
func invoke(t testing.TB, k *extism.Kernel, name string, args ...uint64) uint64 {
	t.Helper()
	for _, f := range extism.Functions() {
		if f.Name == name {
			if err := f.Invoke(k, args); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return args[0]
		}
	}
	t.Fatalf("no function %s", name)
	return 0
}

func TestFunctions_ConfigGet_ReadsTheRequestUntilEnd(t *testing.T) {
	k := begin(t, extism.Limits{}, `{"config":{"key":"value"}}`)
	value := invoke(t, k, "config_get", place(t, k, "key"))
	if b, err := k.Text(value, ""); err != nil || string(b) != "value" {
		t.Errorf("%q %v", b, err)
	}
	if none := invoke(t, k, "config_get", place(t, k, "other")); none != 0 {
		t.Errorf("a block at %d", none)
	}
	k.End()
	if value := invoke(t, k, "config_get", place(t, k, "key")); value != 0 {
		t.Errorf("after the call there is a block at %d", value)
	}
}

func TestFunctions_Log_KeepsMessagesFromInfoOn(t *testing.T) {
	var log printed
	k := extism.New(extism.Limits{}, &log)
	for _, level := range []string{"trace", "debug", "info", "warn", "error"} {
		invoke(t, k, "log_"+level, place(t, k, "text"))
	}
	if want := "info: text\nwarn: text\nerror: text\n"; string(log.text) != want {
		t.Errorf("the log is %q, want %q", log.text, want)
	}
	if level := invoke(t, k, "get_log_level", 0); level != 2 {
		t.Errorf("the level is %d", level)
	}
}
