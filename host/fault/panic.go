package fault

import (
	"fmt"
	"runtime"
	"strings"
)

// Guard runs work, and turns a panic into an error: a panic in a goroutine of its own
// ends the process, whose exit code would be that of invalid usage.
func Guard(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Panicked(p)
		}
	}()
	return work()
}

// Panicked returns the error of a panic, of class Internal: p is the result of recover,
// called by the deferred function that calls Panicked. Trace returns the Go functions
// that panicked, with their packages and without the runtime's own.
func Panicked(p any) error {
	var pcs [100]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	var names []string
	for more := true; more && len(names) < 30; {
		var f runtime.Frame
		f, more = frames.Next()
		if name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]; name != "" && !strings.HasPrefix(name, "runtime.") {
			names = append(names, Clip(name, 80))
		}
	}
	return WithTrace(New(Internal, "panic: %s", Clip(fmt.Sprint(p), 2000)), names)
}
