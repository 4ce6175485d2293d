//go:build unix

package worker

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// mad is the second argument of a worker that obeys requests.
const mad = "mad"

// pretend makes a worker of this process that lets requests break it:
//
//	#kill      it kills itself
//	#exit      it ends with code 3, after a word
//	#panic     a panic that is not recovered
//	#spin      one goroutine never ends, and answers nothing
//	#freeze    nothing of it runs any more
//	#garbage   it writes bytes that are not a frame
//	#huge      it writes the head of a frame of 4 GiB
//	#stranger  it answers a call that was not made
//	#twice     it answers a call twice
//	#flood     it answers with more than it may
//	#half      it writes half a frame, and ends
//	#class     it fails with a class that there is not
//	#eat       it takes all the memory that there is
//	#ask HOW   it sends a forbidden request, see madAsk
//	#plant DIR it tries to change a directory, and answers with its successes
//	#escape    it answers with the forbidden actions that succeeded
//
// A module called "compile-hang" never loads, "compile-die" kills it.
func pretend() {
	os.Clearenv()
	h := hooks{load: madLoad, call: madCall}
	if os.Args[2] != mad {
		h.without = os.Args[2]
	}
	if err := serve(os.Stdin, os.Stdout, h); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// unstopped is the message of a worker that could allocate without a limit.
const unstopped = "nobody stopped it"

func init() { //nolint:gochecknoinits // there are none elsewhere than under Unix
	for _, how := range []string{mad, Landlock, Seccomp, Descriptors, Privileges} {
		disguises[how] = pretend
	}
}

// plant changes files of compiled code, and returns the names of those that it
// could change.
func plant(dir string) (changed []byte) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir():
			if os.WriteFile(filepath.Join(path, "planted"), nil, 0o600) == nil {
				changed = append(changed, path...)
			}
		case os.WriteFile(path, nil, 0o600) == nil || os.Remove(path) == nil:
			changed = append(changed, path...)
		default:
			if _, err := os.ReadFile(path); err == nil {
				changed = append(changed, "read,"...)
			}
		}
		return nil
	})
	return changed
}

func madLoad(r *loadRequest) {
	switch r.Name {
	case "compile-hang":
		time.Sleep(time.Hour)
	case "compile-die":
		die()
	}
}

func madCall(s *server, j *job) bool {
	what, ok := bytes.CutPrefix(j.call.request, []byte("#"))
	if !ok {
		return false
	}
	out := s.out.w
	answer := func(m callResponse) []byte {
		if m.id == 0 {
			m.id = j.call.id
		}
		return frame(kindCallResponse, &m)
	}
	if dir, ok := bytes.CutPrefix(what, []byte("plant ")); ok {
		out.Write(answer(callResponse{answer: plant(string(dir))}))
		return true
	}
	if what, ok := bytes.CutPrefix(what, []byte("ask ")); ok {
		out.Write(answer(callResponse{answer: madAsk(s, j, string(what))}))
		return true
	}
	switch string(what) {
	case "kill":
		die()
	case "exit":
		fmt.Fprintln(os.Stderr, "\n\x1b[31mfatal error: the worker's last words\nand more")
		syscall.Exit(3) // at once, which os.Exit is not under -race
	case "panic":
		go panic("a defect of the host")
		select {}
	case "spin":
		select {}
	case "freeze": // reads that never end, of which Go's scheduler does not know
		var pipe [2]int
		syscall.Pipe(pipe[:])
		for range 2 * runtime.GOMAXPROCS(0) {
			go func() {
				runtime.LockOSThread()
				for b := new(byte); ; {
					syscall.RawSyscall(syscall.SYS_READ, uintptr(pipe[0]), uintptr(unsafe.Pointer(b)), 1)
				}
			}()
		}
		select {}
	case "garbage":
		out.Write([]byte(strings.Repeat("garbage", 10)))
	case "huge":
		out.Write([]byte{0xFF, 0xFF, 0xFF, 0xFF, byte(kindCallResponse)})
	case "stranger":
		out.Write(answer(callResponse{id: j.call.id + 1<<40}))
	case "twice":
		out.Write(append(answer(callResponse{}), answer(callResponse{})...))
	case "flood":
		out.Write(answer(callResponse{answer: make([]byte, 1<<20+1)}))
	case "half":
		out.Write(answer(callResponse{})[:20])
		syscall.Exit(0)
	case "eat":
		const chunk, far = 256 << 20, 256 // 64 GiB, more than any process may have
		for eaten := [][]byte{}; len(eaten) < far; {
			eaten = append(eaten, make([]byte, chunk))
		}
		fmt.Fprintln(os.Stderr, unstopped)
		syscall.Exit(3)
	case "escape":
		out.Write(answer(callResponse{answer: escape()}))
	case "class":
		out.Write(answer(callResponse{failure: &failure{class: "odd"}}))
	}
	return true
}
