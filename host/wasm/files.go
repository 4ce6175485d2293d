package wasm

import (
	"encoding/binary"
	"errors"
	"path"

	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/tetratelabs/wazero/api"
)

// More error numbers of WASI preview 1.
const (
	errnoAcces   = 2
	errnoInvalid = errnoInval
	errnoIsdir   = 31
	errnoMfile   = 33
	errnoNoent   = 44
	errnoNotdir  = 54
	errnoRofs    = 69
)

// Types of files.
const (
	directoryType   = 3
	regularFileType = 4
)

// rootFile is the descriptor of the directory that was granted; the guest knows
// it as "/". Files that it opens come after it.
const rootFile = 3

const rootName = "/"

// files are what a guest has open below the directory that it was granted.
type files struct {
	open grant.Open
	at   []int64       // where reading goes on, by number
	top  []grant.Entry // of the directory itself, once listed in this call
}

// closeAll ends with a call.
func (f *files) closeAll() {
	f.open.CloseAll()
	f.top = nil
}

// tree returns what files the guest may read, nil if none.
func (i *instance) tree() grant.Opener {
	var granted grant.Opener
	if i.access != nil {
		granted = i.access.Tree
	}
	if l := i.library(); l != nil {
		return stocked{l, granted}
	}
	return granted
}

// file returns an open file or directory and its number.
func (i *instance) file(fd uint32) (*grant.File, int) {
	n := int(int32(fd)) - rootFile - 1
	return i.files.open.Get(n), n
}

// errnoOf says in WASI's terms what kept a file from being opened or read. What
// says nothing of the file ends the call: a guest that took it for an answer could
// make a number of it.
func errnoOf(err error) uint32 {
	switch {
	case err == nil:
		return errnoSuccess
	case errors.Is(err, grant.ErrNotExist):
		return errnoNoent
	case errors.Is(err, grant.ErrTooMany):
		return errnoMfile
	case errors.Is(err, grant.ErrDenied):
		return errnoAcces
	}
	panic(ended{err})
}

func prestat(i *instance, mem api.Memory, args []uint64) uint32 {
	if i.tree() == nil || uint32(args[0]) != rootFile {
		return errnoBadf
	}
	var b [8]byte // its first byte says that it is a directory
	binary.LittleEndian.PutUint32(b[4:], uint32(len(rootName)))
	return wrote(mem.Write(uint32(args[1]), b[:]))
}

func prestatName(i *instance, mem api.Memory, args []uint64) uint32 {
	switch {
	case i.tree() == nil || uint32(args[0]) != rootFile:
		return errnoBadf
	case uint32(args[2]) < uint32(len(rootName)):
		return errnoInvalid
	}
	return wrote(mem.Write(uint32(args[1]), []byte(rootName)))
}

// named returns the path that a guest names below a directory of its own.
func (i *instance) named(mem api.Memory, fd, at, size uint64) (string, uint32) {
	dir := "."
	if uint32(fd) != rootFile {
		f, _ := i.file(uint32(fd))
		switch {
		case f == nil:
			return "", errnoBadf
		case !f.Dir:
			return "", errnoNotdir
		}
		dir = f.Name
	} else if i.tree() == nil {
		return "", errnoBadf
	}
	b, ok := mem.Read(uint32(at), uint32(size))
	if !ok {
		return "", errnoFault
	}
	i.spend(len(b))
	if len(b) > grant.MaxPath || len(b) > 0 && b[0] == '/' {
		return "", errnoAcces
	}
	return path.Join(dir, string(b)), errnoSuccess
}

// Flags of path_open.
const (
	openCreate    = 1 << 0
	openDirectory = 1 << 1
	openExclusive = 1 << 2
	openTruncate  = 1 << 3
)

// openWork is what opening a file costs, in bytes that might have been moved.
const openWork = 64 << 10

func pathOpen(i *instance, mem api.Memory, args []uint64) uint32 {
	name, errno := i.named(mem, args[0], args[2], args[3])
	if errno != errnoSuccess {
		return errno
	}
	i.spend(openWork)
	if args[4]&(openCreate|openExclusive|openTruncate) != 0 {
		return errnoRofs
	}
	f, err := i.tree().Open(i.caller, name)
	if err != nil {
		return errnoOf(err)
	}
	if args[4]&openDirectory != 0 && !f.Dir {
		return closing(f, errnoNotdir)
	}
	n, err := i.files.open.Add(f)
	if err != nil {
		return errnoOf(err)
	}
	for len(i.files.at) <= n {
		i.files.at = append(i.files.at, 0)
	}
	i.files.at[n] = 0
	return wrote(mem.WriteUint32Le(uint32(args[8]), uint32(n+rootFile+1)))
}

// closing closes a file that is of no use.
func closing(f *grant.File, errno uint32) uint32 {
	// It was only read.
	_ = f.Close()
	return errno
}

// readFile reads a file into the buffers of a list, from a place on.
func (i *instance) readFile(mem api.Memory, f *grant.File, list, n uint32, at int64) (int, uint32) {
	if f.Dir {
		return 0, errnoIsdir
	}
	total, charged := 0, 0
	for k := range n {
		b, ok := vector(mem, list, k)
		if !ok {
			return 0, errnoFault
		}
		for more := true; more; more = len(b) > 0 {
			part := b[:min(len(b), stride)]
			b = b[len(part):]
			read, err := f.ReadAt(part, at+int64(total))
			if err != nil {
				return 0, errnoOf(err)
			}
			if total += read; read < len(part) {
				i.spend(total - charged)
				return total, errnoSuccess
			}
			if total-charged >= stride {
				i.spend(stride)
				charged += stride
				i.settle()
			}
		}
	}
	i.spend(total - charged)
	return total, errnoSuccess
}

func fdPread(i *instance, mem api.Memory, args []uint64) uint32 {
	f, _ := i.file(uint32(args[0]))
	switch {
	case f == nil:
		return ofStdio(errnoSpipe)(i, mem, args)
	case uint32(args[2]) > ioVectors || int64(args[3]) < 0:
		return errnoInvalid
	}
	n, errno := i.readFile(mem, f, uint32(args[1]), uint32(args[2]), int64(args[3]))
	if errno != errnoSuccess {
		return errno
	}
	return wrote(mem.WriteUint32Le(uint32(args[4]), uint32(n)))
}

func fdSeek(i *instance, mem api.Memory, args []uint64) uint32 {
	f, n := i.file(uint32(args[0]))
	if f == nil {
		return ofStdio(errnoSpipe)(i, mem, args)
	}
	to := int64(args[1])
	switch uint32(args[2]) {
	case 0:
	case 1:
		to += i.files.at[n]
	case 2:
		to += f.Size
	default:
		return errnoInvalid
	}
	if to < 0 {
		return errnoInvalid
	}
	i.files.at[n] = to
	return wrote(mem.WriteUint64Le(uint32(args[3]), uint64(to)))
}

func fdTell(i *instance, mem api.Memory, args []uint64) uint32 {
	f, n := i.file(uint32(args[0]))
	if f == nil {
		return ofStdio(errnoSpipe)(i, mem, args)
	}
	return wrote(mem.WriteUint64Le(uint32(args[1]), uint64(i.files.at[n])))
}

func fdClose(i *instance, mem api.Memory, args []uint64) uint32 {
	if _, n := i.file(uint32(args[0])); i.files.open.Close(n) {
		return errnoSuccess
	}
	return ofStdio(errnoSuccess)(i, mem, args)
}

// statOf describes a file: what it is and how long. When it was changed, and
// where it lies, is nobody's business.
func statOf(dir bool, size int64) (stat [64]byte) {
	stat[16], stat[24] = regularFileType, 1
	if dir {
		stat[16] = directoryType
	}
	binary.LittleEndian.PutUint64(stat[32:], uint64(size))
	return stat
}

func pathStat(i *instance, mem api.Memory, args []uint64) uint32 {
	name, errno := i.named(mem, args[0], args[2], args[3])
	if errno != errnoSuccess {
		return errno
	}
	i.spend(openWork)
	f, err := i.tree().Open(i.caller, name)
	if err != nil {
		return errnoOf(err)
	}
	stat := statOf(f.Dir, f.Size)
	return closing(f, wrote(mem.Write(uint32(args[4]), stat[:])))
}

// listed returns what is in a directory: in one call, the same each time.
func (i *instance) listed(fd uint32) ([]grant.Entry, uint32) {
	f, _ := i.file(fd)
	switch {
	case fd == rootFile && i.tree() != nil:
		if i.files.top == nil {
			f, err := i.tree().Open(i.caller, ".")
			if err != nil {
				return nil, errnoOf(err)
			}
			defer f.Close()
			if i.files.top, err = f.Entries(); err != nil {
				return nil, errnoOf(err)
			}
		}
		return i.files.top, errnoSuccess
	case f == nil:
		return nil, errnoBadf
	case !f.Dir:
		return nil, errnoNotdir
	}
	list, err := f.Entries()
	return list, errnoOf(err)
}

// fdReaddir lists a directory from an entry on, cutting the last one that does
// not fit, as programs expect.
func fdReaddir(i *instance, mem api.Memory, args []uint64) uint32 {
	list, errno := i.listed(uint32(args[0]))
	if errno != errnoSuccess {
		return errno
	}
	b, ok := mem.Read(uint32(args[1]), uint32(args[2]))
	if !ok {
		return errnoFault
	}
	i.spend(len(b) + 32*len(list))
	used := 0
	for k := args[3]; k < uint64(len(list)) && used < len(b); k++ {
		var head [24]byte
		binary.LittleEndian.PutUint64(head[:], k+1)
		binary.LittleEndian.PutUint32(head[16:], uint32(len(list[k].Name)))
		head[20] = regularFileType
		if list[k].Dir {
			head[20] = directoryType
		}
		used += copy(b[used:], head[:])
		used += copy(b[used:], list[k].Name)
	}
	return wrote(mem.WriteUint32Le(uint32(args[4]), uint32(used)))
}
