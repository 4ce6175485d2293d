package main

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// granted uses its grants, and tries a few things that were not.
func granted() {
	out := map[string]any{"year": time.Now().Year()}
	b := make([]byte, 8)
	_, err := rand.Read(b)
	out["random"], out["random_error"] = b, err != nil
	for name, path := range map[string]string{
		"words": "/words.txt", "relative": "words.txt", "deep": "/sub/more.txt", "out": "/out", "up": "/../secret.txt", "absolute": "/etc/passwd", "none": "/nothing",
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			out[name] = "error"
			continue
		}
		out[name] = string(text)
	}
	if big, err := os.ReadFile("/big"); err == nil {
		out["big"] = fmt.Sprintf("%x", sha256.Sum256(big))
	}
	if list, err := os.ReadDir("/many"); err == nil {
		out["many"], out["last"] = len(list), list[len(list)-1].Name()
	}
	var names []string
	fs.WalkDir(os.DirFS("/"), ".", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && !strings.HasPrefix(path, "many/") {
			names = append(names, path)
		}
		return nil
	})
	out["names"] = names
	if f, err := os.Open("/words.txt"); err == nil {
		info, _ := f.Stat()
		f.Seek(-3, io.SeekEnd)
		tail, _ := io.ReadAll(f)
		at := make([]byte, 3)
		f.ReadAt(at, 1)
		out["size"], out["tail"], out["at"] = info.Size(), string(tail), string(at)
		// It stays open: the host must close it.
	}
	out["write"] = os.WriteFile("/words.txt", []byte("x"), 0o600) != nil
	out["create"] = os.WriteFile("/new.txt", []byte("x"), 0o600) != nil
	out["remove"] = os.Remove("/words.txt") != nil
	out["rename"] = os.Rename("/words.txt", "/w") != nil
	out["mkdir"] = os.Mkdir("/d", 0o700) != nil
	out["link"] = os.Symlink("/etc/passwd", "/l") != nil
	answer(map[string]any{"score": 1, "details": out})
}
