package wasm

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"

	"github.com/tetratelabs/wazero/api"
)

// Error numbers of WASI preview 1.
const (
	errnoSuccess = 0
	errnoBadf    = 8
	errnoFault   = 21
	errnoInval   = 28
	errnoNosys   = 52
	errnoSpipe   = 70
)

// A wasiFunction is one function of WASI preview 1, made inert: it has no state
// but the clock, the random stream and the log of the call, unless more was
// granted.
type wasiFunction struct {
	name  string
	shape string // letters of parameters, colon, letters of results: i is i32, I is i64
	call  func(i *instance, mem api.Memory, args []uint64) uint32
}

// wasiFunctions are all of them. Files and directories exist where one was
// granted, to be read; sockets never.
var wasiFunctions = []wasiFunction{
	{"args_get", "ii:i", argsGet},
	{"args_sizes_get", "ii:i", argsSizes},
	{"environ_get", "ii:i", succeed},
	{"environ_sizes_get", "ii:i", noneCounted},

	{"clock_res_get", "ii:i", clockResolution},
	{"clock_time_get", "iIi:i", clockTime},
	{"random_get", "ii:i", randomGet},
	{"poll_oneoff", "iiii:i", pollOneoff},
	{"sched_yield", ":i", succeed},
	{"proc_exit", "i:", procExit},
	{"proc_raise", "i:i", unsupported},

	{"fd_write", "iiii:i", fdWrite},
	{"fd_read", "iiii:i", fdRead},
	{"fd_close", "i:i", fdClose},
	{"fd_seek", "iIii:i", fdSeek},
	{"fd_tell", "ii:i", fdTell},
	{"fd_fdstat_get", "ii:i", fdStat},
	{"fd_fdstat_set_flags", "ii:i", ofStdio(errnoSuccess)},
	{"fd_fdstat_set_rights", "iII:i", ofStdio(errnoSuccess)},
	{"fd_filestat_get", "ii:i", fileStat},
	{"fd_filestat_set_size", "iI:i", ofStdio(errnoInval)},
	{"fd_filestat_set_times", "iIIi:i", ofStdio(errnoInval)},
	{"fd_advise", "iIIi:i", ofStdio(errnoSpipe)},
	{"fd_allocate", "iII:i", ofStdio(errnoInval)},
	{"fd_datasync", "i:i", ofStdio(errnoInval)},
	{"fd_sync", "i:i", ofStdio(errnoInval)},
	{"fd_pread", "iiiIi:i", fdPread},
	{"fd_pwrite", "iiiIi:i", ofStdio(errnoSpipe)},
	{"fd_prestat_get", "ii:i", prestat},
	{"fd_prestat_dir_name", "iii:i", prestatName},
	{"fd_readdir", "iiiIi:i", fdReaddir},
	{"fd_renumber", "ii:i", badFile},

	{"path_create_directory", "iii:i", badFile},
	{"path_filestat_get", "iiiii:i", pathStat},
	{"path_filestat_set_times", "iiiiIIi:i", badFile},
	{"path_link", "iiiiiii:i", badFile},
	{"path_open", "iiiiiIIii:i", pathOpen},
	{"path_readlink", "iiiiii:i", badFile},
	{"path_remove_directory", "iii:i", badFile},
	{"path_rename", "iiiiii:i", badFile},
	{"path_symlink", "iiiii:i", badFile},
	{"path_unlink_file", "iii:i", badFile},

	{"sock_accept", "iii:i", badFile},
	{"sock_recv", "iiiiii:i", badFile},
	{"sock_send", "iiiii:i", badFile},
	{"sock_shutdown", "ii:i", badFile},
}

// wasi is what guests may import of WASI preview 1.
var wasi = func() hostModule {
	h := hostModule{name: wasiModule}
	for _, f := range wasiFunctions {
		h.functions = append(h.functions, hostFunction{f.name, f.shape, f.host()})
	}
	return h
}()

const (
	clockStart = 1_640_995_200_000_000_000      // 2022-01-01, in nanoseconds since 1970: when an instance starts
	clockCall  = clockStart + 3_600_000_000_000 // an hour later: when a call begins
	clockTick  = 1_000_000                      // every look at the clock takes a millisecond

	ioVectors     = 1_024 // most buffers in one read or write
	subscriptions = 1_024 // most events that poll_oneoff takes
)

// world is what a guest can observe beside its own memory. It is the same at
// the start of every call.
type world struct {
	clock  uint64
	random rand.PCG
	log    []byte
	bytes  int // that the log may still take
	lines  int // that the log may still take

	input  []byte // standard input that is not read yet
	output []byte // standard output, where that is an answer
	room   int    // bytes that it may still take; negative: it goes to the log

	arguments []string // of an interpreter, while it starts, or of a program that is called
	parks     bool     // looking at the clock's resolution ends the run, once there is output
}

// reset makes the world new, at a time.
func (w *world) reset(clock uint64, l *Limits) {
	w.clock = clock
	w.random.Seed(clock, 0)
	w.log, w.bytes, w.lines = w.log[:0], l.LogBytes, l.LogLines
	w.input, w.output, w.room = nil, nil, toLog
	w.arguments, w.parks = nil, false
}

// toLog is the room of a standard output that goes to the log.
const toLog = -1

// tick returns the time, which goes on.
func (w *world) tick() uint64 {
	w.clock += clockTick
	return w.clock
}

// print adds to the log, up to its caps.
func (w *world) print(b []byte) {
	b = b[:min(len(b), w.bytes)]
	for len(b) > 0 && w.lines > 0 {
		n := bytes.IndexByte(b, '\n') + 1
		if n > 0 {
			w.lines--
		} else {
			n = len(b)
		}
		w.log, w.bytes, b = append(w.log, b[:n]...), w.bytes-n, b[n:]
	}
}

func succeed(*instance, api.Memory, []uint64) uint32     { return errnoSuccess }
func badFile(*instance, api.Memory, []uint64) uint32     { return errnoBadf }
func unsupported(*instance, api.Memory, []uint64) uint32 { return errnoNosys }

// ofStdio answers with errno for the three standard files; there are no others.
func ofStdio(errno uint32) func(*instance, api.Memory, []uint64) uint32 {
	return func(_ *instance, _ api.Memory, args []uint64) uint32 {
		if uint32(args[0]) > 2 {
			return errnoBadf
		}
		return errno
	}
}

// wrote turns the outcome of a write to memory into an error number.
func wrote(ok bool) uint32 {
	if !ok {
		return errnoFault
	}
	return errnoSuccess
}

func noneCounted(_ *instance, mem api.Memory, args []uint64) uint32 {
	return wrote(mem.WriteUint32Le(uint32(args[0]), 0) && mem.WriteUint32Le(uint32(args[1]), 0))
}

func clockResolution(i *instance, mem api.Memory, args []uint64) uint32 {
	if i.world.parks && len(i.world.output) > 0 {
		panic(errParked)
	}
	if uint32(args[0]) > 3 {
		return errnoInval
	}
	return wrote(mem.WriteUint64Le(uint32(args[1]), clockTick))
}

func clockTime(i *instance, mem api.Memory, args []uint64) uint32 {
	if uint32(args[0]) > 3 {
		return errnoInval
	}
	return wrote(mem.WriteUint64Le(uint32(args[2]), i.now()))
}

func randomGet(i *instance, mem api.Memory, args []uint64) uint32 {
	b, ok := mem.Read(uint32(args[0]), uint32(args[1]))
	if !ok {
		return errnoFault
	}
	for ; len(b) > stride; b = b[stride:] {
		i.spend(stride)
		i.fillRandom(b[:stride])
		i.settle()
	}
	i.spend(len(b))
	i.fillRandom(b)
	return errnoSuccess
}

// fill writes what comes next of the random stream.
func (w *world) fill(b []byte) {
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, w.random.Uint64())
		b = b[8:]
	}
	if len(b) > 0 {
		var last [8]byte
		binary.LittleEndian.PutUint64(last[:], w.random.Uint64())
		copy(b, last[:])
	}
}

// vector returns one of the buffers of a list.
func vector(mem api.Memory, list, k uint32) ([]byte, bool) {
	at, ok1 := mem.ReadUint32Le(list + 8*k)
	size, ok2 := mem.ReadUint32Le(list + 8*k + 4)
	b, ok3 := mem.Read(at, size)
	return b, ok1 && ok2 && ok3
}

// fdWrite keeps what goes to standard output and standard error, to their caps.
func fdWrite(i *instance, mem api.Memory, args []uint64) uint32 {
	fd, list, n := uint32(args[0]), uint32(args[1]), uint32(args[2])
	if fd != 1 && fd != 2 {
		return errnoBadf
	}
	if n > ioVectors {
		return errnoInval
	}
	total := 0
	for k := range n {
		b, ok := vector(mem, list, k)
		if !ok {
			return errnoFault
		}
		if fd == 1 && i.world.room != toLog {
			i.answer(b)
		} else {
			i.world.print(b)
		}
		total += len(b)
	}
	i.spend(total)
	return wrote(mem.WriteUint32Le(uint32(args[3]), uint32(total)))
}

// answer takes standard output that is an answer.
func (i *instance) answer(b []byte) {
	if len(b) > i.world.room {
		panic(errAnswer)
	}
	i.world.output = append(i.world.output, b...)
	i.world.room -= len(b)
}

// fdRead reads standard input, which is at its end unless a program is called.
func fdRead(i *instance, mem api.Memory, args []uint64) uint32 {
	list, n := uint32(args[1]), uint32(args[2])
	if n > ioVectors {
		return errnoInval
	}
	if f, k := i.file(uint32(args[0])); f != nil {
		read, errno := i.readFile(mem, f, list, n, i.files.at[k])
		if errno != errnoSuccess {
			return errno
		}
		i.files.at[k] += int64(read)
		return wrote(mem.WriteUint32Le(uint32(args[3]), uint32(read)))
	}
	if uint32(args[0]) != 0 {
		return errnoBadf
	}
	total := 0
	for k := uint32(0); k < n && len(i.world.input) > 0; k++ {
		b, ok := vector(mem, list, k)
		if !ok {
			return errnoFault
		}
		read := copy(b, i.world.input)
		i.world.input = i.world.input[read:]
		total += read
	}
	i.spend(total)
	return wrote(mem.WriteUint32Le(uint32(args[3]), uint32(total)))
}

// characterDevice is the type of the three standard files.
const characterDevice = 2

func fdStat(i *instance, mem api.Memory, args []uint64) uint32 {
	kind, errno := i.typeOf(uint32(args[0]))
	if errno != errnoSuccess {
		return errno
	}
	var stat [24]byte
	stat[0] = kind
	rights := uint64(1<<1 | 1<<6) // fd_read, fd_write
	if kind != characterDevice {
		rights = 1<<1 | 1<<2 | 1<<5 | 1<<13 | 1<<14 | 1<<18 | 1<<21 // reading, seeking, opening, listing, looking
		binary.LittleEndian.PutUint64(stat[16:], rights)
	}
	binary.LittleEndian.PutUint64(stat[8:], rights)
	return wrote(mem.Write(uint32(args[1]), stat[:]))
}

// typeOf returns what kind of file a descriptor is of.
func (i *instance) typeOf(fd uint32) (byte, uint32) {
	f, _ := i.file(fd)
	switch {
	case fd <= 2:
		return characterDevice, errnoSuccess
	case fd == rootFile && i.tree() != nil, f != nil && f.Dir:
		return directoryType, errnoSuccess
	case f != nil:
		return regularFileType, errnoSuccess
	}
	return 0, errnoBadf
}

func fileStat(i *instance, mem api.Memory, args []uint64) uint32 {
	kind, errno := i.typeOf(uint32(args[0]))
	if errno != errnoSuccess {
		return errno
	}
	var stat [64]byte
	if f, _ := i.file(uint32(args[0])); f != nil {
		stat = statOf(f.Dir, f.Size)
	}
	stat[16] = kind
	stat[24] = 1 // links
	return wrote(mem.Write(uint32(args[1]), stat[:]))
}

// pollOneoff says that everything asked for has happened. A sleep returns at
// once, with the clock put forward.
func pollOneoff(i *instance, mem api.Memory, args []uint64) uint32 {
	in, out, n := uint32(args[0]), uint32(args[1]), uint32(args[2])
	if n == 0 || n > subscriptions {
		return errnoInval
	}
	i.spend(int(n) * 48)
	for k := range n {
		s, ok := mem.Read(in+48*k, 48)
		if !ok {
			return errnoFault
		}
		var event [32]byte
		copy(event[:8], s[:8]) // the caller's own mark
		event[10] = s[8]       // what kind of event
		if s[8] == 0 {         // a clock
			i.world.sleep(binary.LittleEndian.Uint64(s[24:]), binary.LittleEndian.Uint16(s[40:])&1 != 0)
		}
		if !mem.Write(out+32*k, event[:]) {
			return errnoFault
		}
	}
	return wrote(mem.WriteUint32Le(uint32(args[3]), n))
}

// sleep puts the clock forward: by a time, or to one.
func (w *world) sleep(nanoseconds uint64, absolute bool) {
	const century = 100 * 365 * 24 * 3_600_000_000_000
	switch {
	case absolute:
		w.clock = min(max(w.clock, nanoseconds), clockStart+century)
	default:
		w.clock = min(w.clock+min(nanoseconds, century), clockStart+century)
	}
}

// procExit ends the call.
func procExit(_ *instance, _ api.Memory, args []uint64) uint32 {
	panic(exitError{code: uint32(args[0])})
}
