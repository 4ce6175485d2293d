package wasi

import (
	"encoding/binary"
	"path"
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// Types of files.
const (
	characterDevice = 2 // standard input, output and error
	directory       = 3
	regularFile     = 4
	streamSocket    = 6 // standard input of a guest with a peer
)

// The granted directory has this descriptor and name. Files that the guest opens have
// the descriptors after it.
const (
	rootFile = 3
	rootName = "/"
)

// openCost is the price of opening a file, in bytes moved.
const openCost = 64 << 10

// files are the files and directories that a guest has open.
type files struct {
	open []openFile // by descriptor, from rootFile + 1; those that were closed have no File
	root openFile   // the granted directory, once listed in this call
}

// An openFile is one that the guest reads from an offset on.
type openFile struct {
	*grant.File
	offset int64
}

// get returns an open file or directory, or nil. It is valid until one is added.
func (f *files) get(fd uint32) *openFile {
	k := int(int32(fd)) - rootFile - 1
	if k < 0 || k >= len(f.open) || f.open[k].File == nil {
		return nil
	}
	return &f.open[k]
}

// add returns the descriptor of a newly opened file.
func (f *files) add(file *grant.File) (uint32, error) {
	k := slices.IndexFunc(f.open, func(o openFile) bool { return o.File == nil })
	switch {
	case k >= 0:
		f.open[k] = openFile{File: file}
	case len(f.open) >= grant.MaxOpen:
		_ = file.Close() // it was only read
		return 0, errMfile
	default:
		k, f.open = len(f.open), append(f.open, openFile{File: file})
	}
	return uint32(k + rootFile + 1), nil
}

// close closes a file, which was only read.
func (f *openFile) close() {
	if f.File != nil {
		_ = f.File.Close()
		*f = openFile{}
	}
}

func (f *files) close() {
	for k := range f.open {
		f.open[k].close()
	}
	f.root.close()
	f.open = f.open[:0]
}

// tree returns the granted directory, or nil.
func (w *World) tree() grant.Opener {
	if w.access == nil {
		return nil
	}
	return w.access.Tree
}

// openFile opens a file or directory of the granted directory.
func (w *World) openFile(name string) (*grant.File, error) {
	f, err := w.tree().Open(w.Budget.Context(), name)
	return f, errnoOf(err)
}

func prestat(w *World, args []uint64) error {
	if w.tree() == nil || uint32(args[0]) != rootFile {
		return errBadf
	}
	var b [8]byte // the first byte, zero, stands for a directory
	binary.LittleEndian.PutUint32(b[4:], uint32(len(rootName)))
	return w.memory().write(uint32(args[1]), b[:])
}

func prestatName(w *World, args []uint64) error {
	switch {
	case w.tree() == nil || uint32(args[0]) != rootFile:
		return errBadf
	case uint32(args[2]) < uint32(len(rootName)):
		return errInval
	}
	return w.memory().write(uint32(args[1]), []byte(rootName))
}

// pathOf returns the path, below the granted directory, of a name of size bytes at an
// address. The name is relative to the directory fd.
func (w *World) pathOf(fd, at, size uint64) (string, error) {
	dir := "."
	if uint32(fd) != rootFile {
		f := w.files.get(uint32(fd))
		switch {
		case f == nil:
			return "", errBadf
		case !f.Dir:
			return "", errNotdir
		}
		dir = f.Name
	} else if w.tree() == nil {
		return "", errBadf
	}
	b, err := w.memory().read(uint32(at), uint32(size))
	if err != nil {
		return "", err
	}
	w.Budget.Spend(len(b))
	if len(b) > grant.MaxPath || len(b) > 0 && b[0] == '/' {
		return "", errAcces
	}
	return path.Join(dir, string(b)), nil
}

// Flags of path_open.
const (
	openCreate    = 1 << 0
	openDirectory = 1 << 1
	openExclusive = 1 << 2
	openTruncate  = 1 << 3
)

func pathOpen(w *World, args []uint64) error {
	name, err := w.pathOf(args[0], args[2], args[3])
	if err != nil {
		return err
	}
	w.Budget.Spend(openCost)
	if args[4]&(openCreate|openExclusive|openTruncate) != 0 {
		return errRofs
	}
	f, err := w.openFile(name)
	if err != nil {
		return err
	}
	if args[4]&openDirectory != 0 && !f.Dir {
		_ = f.Close() // it was only read
		return errNotdir
	}
	fd, err := w.files.add(f)
	if err != nil {
		return err
	}
	return w.memory().writeUint32(uint32(args[8]), fd)
}

func (w *World) readFile(f *openFile, list, n uint32, offset int64) (int, error) {
	if f.Dir {
		return 0, errIsdir
	}
	mem, total, charged := w.memory(), 0, 0
	for k := range n {
		b, err := mem.buffer(list, k)
		if err != nil {
			return 0, err
		}
		for more := true; more; more = len(b) > 0 {
			part := b[:min(len(b), stride)]
			b = b[len(part):]
			read, err := f.ReadAt(part, offset+int64(total))
			if err != nil {
				return 0, errnoOf(err)
			}
			if total += read; read < len(part) {
				w.Budget.Spend(total - charged)
				return total, nil
			}
			if total-charged >= stride {
				w.Budget.Spend(stride)
				charged += stride
				if err := w.Budget.Checkpoint(); err != nil {
					return 0, err
				}
			}
		}
	}
	w.Budget.Spend(total - charged)
	return total, nil
}

func fdPread(w *World, args []uint64) error {
	f := w.files.get(uint32(args[0]))
	switch {
	case f == nil:
		return ofStdio(errSpipe)(w, args)
	case int64(args[3]) < 0:
		return errInval
	}
	if err := w.buffers(uint32(args[2])); err != nil {
		return err
	}
	n, err := w.readFile(f, uint32(args[1]), uint32(args[2]), int64(args[3]))
	if err != nil {
		return err
	}
	return w.memory().writeUint32(uint32(args[4]), uint32(n))
}

func fdSeek(w *World, args []uint64) error {
	f := w.files.get(uint32(args[0]))
	if f == nil {
		return ofStdio(errSpipe)(w, args)
	}
	to := int64(args[1])
	switch uint32(args[2]) {
	case 0:
	case 1:
		to += f.offset
	case 2:
		to += f.Size
	default:
		return errInval
	}
	if to < 0 {
		return errInval
	}
	f.offset = to
	return w.memory().writeUint64(uint32(args[3]), uint64(to))
}

func fdTell(w *World, args []uint64) error {
	f := w.files.get(uint32(args[0]))
	if f == nil {
		return ofStdio(errSpipe)(w, args)
	}
	return w.memory().writeUint64(uint32(args[1]), uint64(f.offset))
}

func fdClose(w *World, args []uint64) error {
	if f := w.files.get(uint32(args[0])); f != nil {
		f.close()
		return nil
	}
	return ofStdio(nil)(w, args)
}

// typeOf returns the type of the file behind a descriptor.
func (w *World) typeOf(fd uint32) (byte, error) {
	f := w.files.get(fd)
	switch {
	case fd == 0 && w.Peer != nil:
		return streamSocket, nil
	case fd <= 2:
		return characterDevice, nil
	case fd == rootFile && w.tree() != nil, f != nil && f.Dir:
		return directory, nil
	case f != nil:
		return regularFile, nil
	}
	return 0, errBadf
}

// Rights, as bits of fd_fdstat_get.
const (
	stdioRights = 1<<1 | 1<<6                                        // fd_read, fd_write
	fileRights  = 1<<1 | 1<<2 | 1<<5 | 1<<13 | 1<<14 | 1<<18 | 1<<21 // read, seek, tell, open, list, stat by path, stat
)

func fdStat(w *World, args []uint64) error {
	kind, err := w.typeOf(uint32(args[0]))
	if err != nil {
		return err
	}
	var stat [24]byte
	stat[0] = kind
	rights := uint64(stdioRights)
	if kind != characterDevice && kind != streamSocket {
		rights = fileRights
		binary.LittleEndian.PutUint64(stat[16:], rights) // of files opened below it
	}
	binary.LittleEndian.PutUint64(stat[8:], rights)
	return w.memory().write(uint32(args[1]), stat[:])
}

func fileStat(w *World, args []uint64) error {
	kind, err := w.typeOf(uint32(args[0]))
	if err != nil {
		return err
	}
	size := int64(0)
	if f := w.files.get(uint32(args[0])); f != nil {
		size = f.Size
	}
	stat := statOf(kind, size)
	return w.memory().write(uint32(args[1]), stat[:])
}

// statOf describes a file by type and size. Times, device and inode are zero: they
// would differ between machines.
func statOf(kind byte, size int64) (stat [64]byte) {
	stat[16], stat[24] = kind, 1 // one link
	binary.LittleEndian.PutUint64(stat[32:], uint64(size))
	return stat
}

func pathStat(w *World, args []uint64) error {
	name, err := w.pathOf(args[0], args[2], args[3])
	if err != nil {
		return err
	}
	w.Budget.Spend(openCost)
	f, err := w.openFile(name)
	if err != nil {
		return err
	}
	defer f.Close()
	kind := byte(regularFile)
	if f.Dir {
		kind = directory
	}
	stat := statOf(kind, f.Size)
	return w.memory().write(uint32(args[4]), stat[:])
}

// entries lists a directory. Within a call, the list is the same each time.
func (w *World) entries(fd uint32) ([]grant.Entry, error) {
	f := w.files.get(fd)
	if fd == rootFile && w.tree() != nil {
		if f = &w.files.root; f.File == nil {
			root, err := w.openFile(".")
			if err != nil {
				return nil, err
			}
			f.File = root
		}
	}
	switch {
	case f == nil:
		return nil, errBadf
	case !f.Dir:
		return nil, errNotdir
	}
	list, err := f.Entries()
	return list, errnoOf(err)
}

// fdReaddir lists a directory from an entry on. It cuts the last entry that does not
// fit, as programs expect.
func fdReaddir(w *World, args []uint64) error {
	list, err := w.entries(uint32(args[0]))
	if err != nil {
		return err
	}
	mem := w.memory()
	b, err := mem.read(uint32(args[1]), uint32(args[2]))
	if err != nil {
		return err
	}
	w.Budget.Spend(len(b) + 32*len(list))
	used := 0
	for k := args[3]; k < uint64(len(list)) && used < len(b); k++ {
		var head [24]byte
		binary.LittleEndian.PutUint64(head[:], k+1)
		binary.LittleEndian.PutUint32(head[16:], uint32(len(list[k].Name)))
		head[20] = regularFile
		if list[k].Dir {
			head[20] = directory
		}
		used += copy(b[used:], head[:])
		used += copy(b[used:], list[k].Name)
	}
	return mem.writeUint32(uint32(args[4]), uint32(used))
}
