package worker

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"

	"github.com/rubric-host/rubric-host/host/xslices"
)

// confine drops the privileges of this process, in this order. Each holds for every
// thread, those of the Go runtime included: limits by themselves, no_new_privs and
// Landlock through package psx, seccomp by its flag TSYNC. Tests leave one out.
func confine(h *loadRequest, without string) []Finding {
	var all []Finding
	for _, step := range []struct {
		name string
		try  func(*loadRequest) (note string, err error)
	}{
		{Descriptors, closeInherited},
		{ParentDeath, parentDeath},
		{Limits, limit},
		{Privileges, noNewPrivileges},
		{Landlock, lock},
		{Seccomp, filter},
	} {
		note, err := "", errors.New("denied")
		if step.name != without {
			note, err = step.try(h)
		}
		f := Finding{Name: step.name, Note: note}
		if err != nil {
			f.Why = err.Error()
		}
		all = append(all, f)
	}
	return all
}

func noNewPrivileges(*loadRequest) (string, error) {
	return "for every thread", ll.AllThreadsPrctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}

// closeInherited closes inherited descriptors: those without the flag close-on-exec, which
// this program sets on its own.
func closeInherited(*loadRequest) (string, error) {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return "", err
	}
	var all error
	for _, entry := range list {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || fd <= 2 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			all = errors.Join(all, unix.Close(fd))
		}
	}
	return "all but three", all
}

// parentDeath has this process killed when its parent dies. The parent requested it too,
// but only for the thread that it started. If the parent is dead already, its pipes have
// ended.
func parentDeath(*loadRequest) (string, error) {
	return "it is killed", ll.AllThreadsPrctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
}

const (
	gib         = 1 << 30
	scriptPages = 4_096 // of memory that an interpreter may have
)

// limit sets the resource limits. Memory is the sum of the memory in use, a GiB for
// compiling and the rest (more for some interpreters), and the module's limit for each
// instance that is kept or called at once.
func limit(h *loadRequest) (string, error) {
	l := h.Limits.WithDefaults()
	if h.Script { // the limit of its interpreter is not known yet
		l.MemoryPages = max(l.MemoryPages, scriptPages)
	}
	memory, called := uint64(l.MemoryPages)<<16+uint64(l.HostBytes()), h.Parallel
	if h.Peer {
		called *= 2
	}
	compile := max(gib, h.CompileBytes)
	budget := compile + memory*uint64(4*runtime.GOMAXPROCS(0)+called)
	debug.SetMemoryLimit(int64(compile / 4 * 3))
	file := memory // in memory, behind a guest's memory
	if h.Compile {
		file = gib
	}
	used, err := dataBytes()
	if err != nil {
		return "", err
	}
	const descriptors = 128
	for _, l := range []struct {
		what  int
		value uint64
	}{
		{unix.RLIMIT_CORE, 0}, {unix.RLIMIT_NOFILE, descriptors}, {unix.RLIMIT_DATA, used + budget},
		{unix.RLIMIT_FSIZE, file},
	} {
		if err := unix.Setrlimit(l.what, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return "", fmt.Errorf("resource %d: %w", l.what, err)
		}
	}
	return fmt.Sprintf("%d MiB of memory, %d descriptors, no core dumps", budget>>20, descriptors), nil
}

// canKeep reports whether workers can be confined to one directory.
func canKeep() bool {
	version, err := ll.LandlockGetABIVersion()
	return err == nil && version >= 1
}

// lock applies Landlock: the only paths left are the module's entries, for reading, or for
// writing if the worker only compiles. In a program with C code, so is the list of its
// threads, which package psx reads.
func lock(h *loadRequest) (string, error) {
	version, err := ll.LandlockGetABIVersion()
	if err != nil || version < 1 {
		return "", errors.New("this kernel does not have it, or does not use it")
	}
	var rules []landlock.Rule
	switch {
	case h.Compile:
		rules = append(rules, landlock.RWDirs(h.CacheDir))
	case h.CacheDir != "":
		rules = append(rules, landlock.PathAccess(ll.AccessFSReadFile|ll.AccessFSReadDir, h.CacheDir))
	}
	for _, dir := range []string{h.ImageDir, h.FrontDir} {
		if dir != "" {
			rules = append(rules, landlock.PathAccess(ll.AccessFSReadFile|ll.AccessFSReadDir, dir).IgnoreIfMissing())
		}
	}
	if err := landlock.V11.BestEffort().Restrict(rules...); err != nil {
		return "", err
	}
	what := "files"
	if version >= 4 {
		what += ", TCP ports"
	}
	if version >= 6 {
		what += ", signals"
	}
	return fmt.Sprintf("version %d: %s", version, what), nil
}

// systemCalls are those that Go's runtime, compiled code and memory images need. None
// opens a file, makes a socket or starts a process.
var systemCalls = []string{
	"read", "write", "readv", "writev", "pread64", "pwrite64", "close", "fstat", "lseek", "fcntl", "ftruncate", "memfd_create",
	"mmap", "munmap", "mprotect", "madvise", "mremap", "brk", "mincore", "munlock", "mlock",
	"futex", "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "time", "getrandom",
	"sched_yield", "sched_getaffinity", "sched_setaffinity", "getpid", "gettid", "getrlimit", "getrusage",
	"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "rt_sigpending", "restart_syscall",
	"set_robust_list", "set_tid_address", "rseq", "membarrier", "arch_prctl",
	"epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd2", "poll", "ppoll", "pipe2",
	"timer_create", "timer_settime", "timer_delete", "setitimer", "exit", "exit_group",
}

// reading are those needed to read an entry of the store as well, and writing those needed
// to fill it. Landlock restricts the paths.
var (
	reading = []string{"openat", "newfstatat", "statx", "readlinkat", "getdents64"}
	writing = []string{"mkdirat", "renameat", "renameat2", "unlinkat", "fchmod"}
)

// filter lets the kernel refuse every other system call, with EPERM.
func filter(h *loadRequest) (string, error) {
	here, err := arch.GetInfo("")
	if err != nil {
		return "", err
	}
	if here.SyscallNames == nil {
		return "", fmt.Errorf("the calls of %s are not known", here.Name)
	}
	wanted := systemCalls
	if h.CacheDir != "" || h.ImageDir != "" || h.FrontDir != "" {
		wanted = append(slices.Clone(wanted), reading...)
	}
	if h.Compile {
		wanted = append(slices.Clone(wanted), writing...)
	}
	known := xslices.Filter(wanted, func(name string) bool {
		_, ok := here.SyscallNames[name]
		return ok
	})
	self := uint64(os.Getpid())
	when := func(name string, argument uint32, op seccomp.Operation, value uint64) seccomp.NameWithConditions {
		return seccomp.NameWithConditions{Name: name, Conditions: seccomp.ArgumentConditions{{Argument: argument, Operation: op, Value: value}}}
	}
	runtime.LockOSThread() // the flag for privileges that the filter needs is the thread's
	defer runtime.UnlockOSThread()
	err = seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionErrno,
		Syscalls: []seccomp.SyscallGroup{
			{Action: seccomp.ActionAllow, Names: known},
			{Action: seccomp.ActionAllow, NamesWithCondtions: []seccomp.NameWithConditions{
				when("clone", 0, seccomp.BitsSet, unix.CLONE_THREAD|unix.CLONE_VM), // threads, and no processes
				when("tgkill", 0, seccomp.Equal, self),
				when("ioctl", 1, seccomp.Equal, pagemapScan),
				when("prctl", 0, seccomp.Equal, unix.PR_SET_VMA), // names for memory
				when("prlimit64", 2, seccomp.Equal, 0),           // to be read
			}},
			// C libraries then start threads by clone.
			{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: []string{"clone3"}},
		},
	}})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d system calls of %d", len(known)+5, len(here.SyscallNames)), nil
}

// pagemapScan is the number of the ioctl by which package image finds pages.
const pagemapScan = 0xC0606610

// dataBytes returns the memory that counts for RLIMIT_DATA.
func dataBytes() (uint64, error) {
	b, err := os.ReadFile("/proc/self/statm") // in pages
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(b))
	if len(fields) < 6 {
		return 0, fmt.Errorf("/proc/self/statm: %q", b)
	}
	pages, err := strconv.ParseUint(fields[5], 10, 64)
	return pages * uint64(os.Getpagesize()), err
}
