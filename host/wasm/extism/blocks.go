package extism

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
)

// A block is a range of addresses. It keeps its place after it is freed, until room
// runs out: plugins free blocks again that their host has freed.
type block struct {
	at, size uint32
	live     bool
}

const (
	base = 64 // not an address: wrong ones are often near zero
	gap  = 16 // between blocks, so that an overrun is noticed
	row  = 16 // addresses are multiples of this
)

// Alloc returns the address of a new block, all zero. It is 0 for no bytes.
func (k *Kernel) Alloc(size uint64) (uint64, error) {
	if size == 0 {
		return 0, nil
	}
	at, b, err := k.alloc(size)
	clear(b)
	return at, err
}

// Place returns the address of a new block that holds b; 0 if b is empty.
func (k *Kernel) Place(b []byte) (uint64, error) {
	if len(b) == 0 {
		return 0, nil
	}
	at, room, err := k.alloc(uint64(len(b)))
	copy(room, b)
	return at, err
}

// alloc makes a block of at least one byte, which hold anything.
func (k *Kernel) alloc(size uint64) (uint64, []byte, error) {
	switch {
	case k.live >= k.limits.Blocks:
		return 0, nil, fault.WithHint(fault.New(fault.Memory, "the plugin keeps more than %d blocks of the host's memory", k.limits.Blocks),
			"make it free blocks")
	case size > uint64(k.limits.Bytes):
		return 0, nil, k.full(size)
	}
	n := int(size)
	if !k.roomAtEnd(n) {
		if at, ok := k.reuse(n); ok {
			return at, k.bytes(at, n), nil
		}
		if !k.roomAtEnd(n) {
			return 0, nil, k.full(size)
		}
	}
	from := len(k.arena)
	k.arena = extend(k.arena, from+round(n), k.limits.Bytes)
	k.blocks = append(k.blocks, block{at: uint32(base + from), size: uint32(n), live: true})
	k.live++
	k.Work += n
	return uint64(base + from), k.arena[from : from+n], nil
}

func (k *Kernel) bytes(at uint64, n int) []byte { return k.arena[at-base:][:n] }

// full reports that memory is used up.
func (k *Kernel) full(size uint64) error {
	return fault.WithHint(fault.New(fault.Memory, "no room for a block of %d bytes: %d of %d bytes of the host's memory are in use",
		size, len(k.arena), k.limits.Bytes), "make the plugin free blocks")
}

// round returns the room that a block of n bytes takes.
func round(n int) int { return (n + gap + row - 1) / row * row }

// roomAtEnd reports whether a block of n bytes can be put behind the others.
// Freed blocks may be as many again as live ones, and one.
func (k *Kernel) roomAtEnd(n int) bool {
	return len(k.blocks) <= 2*k.limits.Blocks && round(n) <= k.limits.Bytes-len(k.arena)
}

// extend makes b n bytes long. The content of the new bytes is undefined.
func extend(b []byte, n, most int) []byte {
	if n > cap(b) {
		larger := make([]byte, n, min(max(2*cap(b), n, 4<<10), max(most, n)))
		copy(larger, b)
		return larger
	}
	return b[:n]
}

// reuse looks for n bytes among freed blocks.
func (k *Kernel) reuse(n int) (uint64, bool) {
	k.merge()
	for i := range k.blocks {
		b := &k.blocks[i]
		if b.live || int(b.size) < n {
			continue
		}
		rest := block{at: b.at + uint32(round(n)), size: b.size}
		b.size, b.live = uint32(n), true
		k.live++
		k.Work += n
		if end := b.at + rest.size; rest.at < end {
			rest.size = end - rest.at
			k.blocks = slices.Insert(k.blocks, i+1, rest)
		}
		return uint64(k.blocks[i].at), true
	}
	return 0, false
}

// merge makes one block of freed neighbours, and gives up those at the end.
func (k *Kernel) merge() {
	k.Work += 8 * len(k.blocks)
	kept := k.blocks[:0]
	for _, b := range k.blocks {
		if last := len(kept) - 1; last >= 0 && !b.live && !kept[last].live {
			kept[last].size = b.at + b.size - kept[last].at
			continue
		}
		kept = append(kept, b)
	}
	if last := len(kept) - 1; last >= 0 && !kept[last].live {
		k.arena = k.arena[:kept[last].at-base]
		kept = kept[:last]
	}
	k.blocks = kept
}

// find returns the index of the last block that begins at an address or before.
func (k *Kernel) find(at uint64) int {
	i, found := slices.BinarySearchFunc(k.blocks, at, func(b block, at uint64) int { return cmp.Compare(uint64(b.at), at) })
	if found {
		return i
	}
	return i - 1
}

// handle returns the live block that begins at an address, or nil.
func (k *Kernel) handle(at uint64) *block {
	i := k.find(at)
	if i < 0 || uint64(k.blocks[i].at) != at || !k.blocks[i].live {
		return nil
	}
	return &k.blocks[i]
}

// inside returns n bytes at an address if they lie in one live block.
func (k *Kernel) inside(at, n uint64) ([]byte, bool) {
	i := k.find(at)
	if i < 0 {
		return nil, false
	}
	b := &k.blocks[i]
	if off := at - uint64(b.at); !b.live || off >= uint64(b.size) || n > uint64(b.size)-off {
		return nil, false
	}
	return k.arena[at-base:][:n], true
}

// Free frees the block at an address. Unknown addresses are ignored: plugins
// free blocks that their host has freed.
func (k *Kernel) Free(at uint64) {
	b := k.handle(at)
	if b == nil {
		return
	}
	b.live = false
	k.live--
	if b == &k.blocks[0] {
		k.input = 0
	}
}

// Length returns the bytes of the block at an address, 0 if there is none.
func (k *Kernel) Length(at uint64) uint64 {
	if b := k.handle(at); b != nil {
		return uint64(b.size)
	}
	return 0
}

// Load8 returns the byte at an address.
func (k *Kernel) Load8(at uint64) (uint64, error) {
	b, ok := k.inside(at, 1)
	if !ok {
		return 0, outside("reads", at, 1)
	}
	return uint64(b[0]), nil
}

// Load64 returns the eight bytes at an address, the lowest first.
func (k *Kernel) Load64(at uint64) (uint64, error) {
	b, ok := k.inside(at, 8)
	if !ok {
		return 0, outside("reads", at, 8)
	}
	return binary.LittleEndian.Uint64(b), nil
}

// Store8 changes the byte at an address.
func (k *Kernel) Store8(at uint64, v byte) error {
	b, ok := k.inside(at, 1)
	if !ok {
		return outside("writes", at, 1)
	}
	b[0] = v
	return nil
}

// Store64 changes the eight bytes at an address, the lowest first.
func (k *Kernel) Store64(at, v uint64) error {
	b, ok := k.inside(at, 8)
	if !ok {
		return outside("writes", at, 8)
	}
	binary.LittleEndian.PutUint64(b, v)
	return nil
}

// outside says that a plugin names addresses that are not its own.
func outside(does string, at, n uint64) error {
	return fault.New(fault.Protocol, "the plugin %s %d bytes of the host's memory at %d, which lie in no block", does, n, at)
}
