package wasi

import "encoding/binary"

// A memory is the guest's memory. Addresses beyond it are errFault.
type memory []byte

// read returns size bytes at an address. They are the guest's own, not a copy.
func (m memory) read(at, size uint32) ([]byte, error) {
	end := uint64(at) + uint64(size)
	if end > uint64(len(m)) {
		return nil, errFault
	}
	return m[at:end:end], nil
}

func (m memory) write(at uint32, b []byte) error {
	if uint64(at)+uint64(len(b)) > uint64(len(m)) {
		return errFault
	}
	copy(m[at:], b)
	return nil
}

func (m memory) readUint32(at uint32) (uint32, error) {
	b, err := m.read(at, 4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

func (m memory) writeUint32(at, v uint32) error {
	b, err := m.read(at, 4)
	if err == nil {
		binary.LittleEndian.PutUint32(b, v)
	}
	return err
}

func (m memory) writeUint64(at uint32, v uint64) error {
	b, err := m.read(at, 8)
	if err == nil {
		binary.LittleEndian.PutUint64(b, v)
	}
	return err
}

// buffer returns buffer k of a list of (address, size) pairs.
func (m memory) buffer(list, k uint32) ([]byte, error) {
	at, err := m.readUint32(list + 8*k)
	if err != nil {
		return nil, err
	}
	size, err := m.readUint32(list + 8*k + 4)
	if err != nil {
		return nil, err
	}
	return m.read(at, size)
}
