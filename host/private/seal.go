package private

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Key seals contents for this user. Without it, no seal can be made that Verify accepts for
// another content or another name. The zero value seals nothing and accepts nothing.
type Key []byte

// SealBytes is the size of a seal.
const SealBytes = sha256.Size

const (
	keyBytes = 32
	// chunkBytes are authenticated at once. The size bounds memory, and so page faults, not safety.
	chunkBytes = 64 << 10
)

// keyFile holds the user's key, in StateDir.
const keyFile = "cache.key"

// UserKey returns the key of this user. It is created on first use, readable by the
// user alone, outside of every cache: a cache that was copied or planted has seals of
// another key. The error says why there is none.
func UserKey() (Key, error) {
	dir, err := StateDir()
	if err != nil {
		return nil, err
	}
	if err := Dir(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, keyFile)
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := createKey(path); err != nil {
		return nil, err
	}
	return readKey(path)
}

func readKey(path string) (Key, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if err := Check(path, info); err != nil {
		return nil, err
	}
	if info.Size() != keyBytes { // before it is read: Check has it that it is a regular file, and the user's own
		return nil, fmt.Errorf("%s has %d bytes, not %d: remove it", path, info.Size(), keyBytes)
	}
	key, err := os.ReadFile(path)
	if err == nil && len(key) != keyBytes {
		err = fmt.Errorf("%s was replaced while it was read", path)
	}
	return key, err
}

// createKey writes a new key, unless another process was faster.
func createKey(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	key := make([]byte, keyBytes)
	rand.Read(key)
	_, err = f.Write(key)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(f.Name(), path) // a file system without links
}

// Derive returns a key for one purpose. Who knows it learns nothing of k, nor of the
// keys for other purposes.
func (k Key) Derive(purpose string) Key {
	if len(k) == 0 {
		return nil
	}
	h := hmac.New(sha256.New, k)
	io.WriteString(h, purpose) //nolint:errcheck // a hash takes everything
	return h.Sum(nil)
}

// Seal returns the seal of a content under that name: SealBytes bytes.
func (k Key) Seal(name string, content io.Reader) ([]byte, error) {
	if len(k) == 0 {
		return nil, errors.New("no key to seal with")
	}
	// Chunks are hashed by AES-GCM's universal hash, four times as fast as SHA-256, and
	// HMAC seals the hashes. They are secret, so nonces may repeat from file to file.
	block, err := aes.NewCipher(k.Derive("chunks of " + name))
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	seal := hmac.New(sha256.New, k.Derive("seal of "+name))
	nonce := make([]byte, gcm.NonceSize())
	next := chunksOf(content)
	for n := uint64(0); ; n++ {
		chunk, err := next()
		if err != nil {
			return nil, err
		}
		binary.LittleEndian.PutUint64(nonce, n)
		seal.Write(gcm.Seal(nil, nonce, nil, chunk))
		if len(chunk) < chunkBytes { // the last one is short, or empty
			return seal.Sum(nil), nil
		}
	}
}

// chunksOf returns a function that reads the next chunk. Those of a bytes.Buffer are not copied.
func chunksOf(content io.Reader) func() ([]byte, error) {
	if held, ok := content.(*bytes.Buffer); ok {
		return func() ([]byte, error) { return held.Next(chunkBytes), nil }
	}
	chunk := make([]byte, chunkBytes)
	return func() ([]byte, error) {
		size, err := io.ReadFull(content, chunk)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = nil
		}
		return chunk[:size], err
	}
}

// Verify reads a content to its end, and reports whether the seal is that of it under that name with this key.
func (k Key) Verify(name string, content io.Reader, seal []byte) bool {
	want, err := k.Seal(name, content)
	return err == nil && hmac.Equal(seal, want)
}
