package wasm_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// oneFile is a tree that was granted, with one file and no directory.
type oneFile string

func (o oneFile) Open(_ context.Context, name string) (*grant.File, error) {
	if name != string(o) {
		return nil, grant.ErrNotExist
	}
	return grant.NewFile(name, false, 0, nil), nil
}

// TestLibrary_IsOneReadableFile opens all that is there, and looks for more.
func TestLibrary_IsOneReadableFile(t *testing.T) {
	tree := wasm.Library("lib.zip", "0123456789", 10, nil)
	for name, want := range map[string][]grant.Entry{
		".": {{Name: "usr", Dir: true}}, "usr": {{Name: "local", Dir: true}}, "usr/local": {{Name: "lib", Dir: true}}, "usr/local/lib": {{Name: "lib.zip"}},
	} {
		f, err := tree.Open(context.Background(), name)
		if err != nil || !f.Dir {
			t.Fatalf("%s: %+v, %v", name, f, err)
		}
		if list, err := f.Entries(); err != nil || !cmp.Equal(list, want) {
			t.Errorf("%s holds %v, %v; want %v", name, list, err, want)
		}
	}
	f, err := tree.Open(context.Background(), "usr/local/../local/lib/lib.zip")
	if err != nil || f.Dir || f.Size != 10 {
		t.Fatalf("%+v, %v", f, err)
	}
	b := make([]byte, 8)
	for _, at := range []struct {
		from int64
		want string
	}{{0, "01234567"}, {4, "456789"}, {10, ""}, {1 << 40, ""}} {
		if n, err := f.ReadAt(b, at.from); err != nil || string(b[:n]) != at.want {
			t.Errorf("from %d: %q, %v; want %q", at.from, b[:n], err, at.want)
		}
	}
	for _, name := range []string{"etc", "usr/local/lib/other", "usr/loc", "usr/local/lib/lib.zip/x", "lib.zip"} {
		if _, err := tree.Open(context.Background(), name); !errors.Is(err, grant.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"..", "/usr", "usr/../../etc", "a\x00b", `usr\local`} {
		if _, err := tree.Open(context.Background(), name); !errors.Is(err, grant.ErrDenied) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestLibrary_LeavesGrantedFilesReachable(t *testing.T) {
	tree := wasm.Library("lib.zip", "0123456789", 10, oneFile("data/words.txt"))
	for _, name := range []string{"data/words.txt", "usr/local/lib", "usr/local/lib/lib.zip"} {
		if _, err := tree.Open(context.Background(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := tree.Open(context.Background(), "other"); !errors.Is(err, grant.ErrNotExist) {
		t.Error(err)
	}
}

// TestLibrary_MissingEndsTheCall has fewer bytes than were kept: an answer that
// took that for an empty file would be wrong.
func TestLibrary_MissingEndsTheCall(t *testing.T) {
	f, err := wasm.Library("lib.zip", "", 10, nil).Open(context.Background(), "usr/local/lib/lib.zip")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.ReadAt(make([]byte, 4), 0); fault.Of(err) != fault.Load {
		t.Error(err)
	}
}
