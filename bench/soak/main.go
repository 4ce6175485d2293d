// Soak calls scorers in Python and JavaScript many times, in random order,
// well-behaved ones and ones that try to leave state behind, and compares every
// answer - its bytes, its fuel, its class of failure - with that of a new instance.
// It prints the memory of the process meanwhile, and fails if an answer differs or if
// the memory grows.
//
//	go run ./bench/soak [-python WHEEL] [-calls 1000000] [-workers]
package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rubric-host/rubric-host/bench/scorers"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

//go:embed score.py score.js
var files embed.FS

func main() {
	worker.Main()
	var s soak
	flag.IntVar(&s.calls, "calls", 1_000_000, "calls of each language")
	flag.BoolVar(&s.workers, "workers", false, "make them in processes of their own")
	only := flag.String("only", "", "one language, js or py")
	flag.Parse()
	dir, err := os.MkdirTemp("", "rubric-host-soak-*")
	s.dir = dir
	for _, extension := range []string{"js", "py"} {
		if err == nil && (*only == "" || *only == extension) {
			err = s.language("score." + extension)
		}
	}
	os.RemoveAll(dir) //nolint:errcheck // it is among the temporary files
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type soak struct {
	dir     string
	calls   int
	workers bool
}

// A guest is a module, here or in a worker.
type guest interface {
	Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error)
}

// shares say how often each scorer is called, of 10,000 calls.
var shares = []struct {
	export string
	of     int
}{
	{"f1", 6_360}, {"bleu", 1_500}, {"world", 2_000}, {"raises", 40}, {"spoils", 60}, {"grows", 20}, {"ends", 15}, {"endless", 3}, {"deep", 2},
}

// limits end an endless loop soon.
var limits = wasm.Limits{Fuel: 60_000_000}

// A kind is one request to one scorer, with the answer of a new instance.
type kind struct {
	export  string
	request []byte
	want    string
}

// language makes all calls of a script.
func (s *soak) language(file string) error {
	ctx := context.Background()
	module, err := moduleOf(file)
	if err != nil {
		return err
	}
	kinds, digest, err := s.kinds(ctx, file, module)
	if err != nil {
		return err
	}
	load, done, err := s.open()
	if err != nil {
		return err
	}
	m, err := load(ctx, file, module)
	if err == nil {
		err = s.drive(ctx, file, m, kinds)
	}
	if h, ok := m.(*wasm.Module); ok && err == nil {
		fmt.Fprintf(os.Stdout, "%s: the image at the beginning was %s, at the end it is %s\n", file, digest, h.ImageDigest())
		if h.ImageDigest() != digest {
			err = errors.New("the image has changed")
		}
	}
	return errors.Join(err, done(ctx))
}

func moduleOf(file string) ([]byte, error) {
	source, err := files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	l, _ := script.Of(file)
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: file, Files: map[string]string{file: string(source)}}
	if l.Name == script.Python {
		if s.Files["f1.py"], err = scorers.Source("f1.py"); err != nil {
			return nil, err
		}
	}
	for _, share := range shares {
		s.Exports = append(s.Exports, share.export)
	}
	return s.Module()
}

// open returns a loader of modules, here or in workers.
func (s *soak) open() (func(context.Context, string, []byte) (guest, error), func(context.Context) error, error) {
	if s.workers {
		rt, err := worker.New(worker.Options{CacheDir: filepath.Join(s.dir, "cache")})
		if err != nil {
			return nil, nil, err
		}
		return func(ctx context.Context, name string, module []byte) (guest, error) {
			return rt.Load(ctx, wasm.Source{Name: name, Module: module}, limits)
		}, rt.Close, nil
	}
	rt, err := s.here()
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context, name string, module []byte) (guest, error) {
		return rt.Load(ctx, wasm.Source{Name: name, Module: module}, limits)
	}, rt.Close, nil
}

func (s *soak) here() (*wasm.Runtime, error) {
	return wasm.New(context.Background(), wasm.Options{CacheDir: filepath.Join(s.dir, "cache"), Scripts: script.Open})
}

// kinds asks a module that was just loaded for each answer, once.
func (s *soak) kinds(ctx context.Context, file string, module []byte) (kinds [][]kind, digest string, err error) {
	rt, err := s.here()
	if err != nil {
		return nil, "", err
	}
	defer rt.Close(ctx) //nolint:errcheck // only its answers count
	requests := scorers.Requests(32, 12, 20)
	for _, share := range shares {
		var list []kind
		for k, request := range requests {
			if share.of < 1_000 && k == 4 {
				break
			}
			m, err := rt.Load(ctx, wasm.Source{Name: file, Module: module}, limits)
			if err != nil {
				return nil, "", err
			}
			list = append(list, kind{share.export, request, said(ctx, m, share.export, request, nil)})
			digest = m.ImageDigest()
			if err := m.Close(ctx); err != nil {
				return nil, "", err
			}
		}
		kinds = append(kinds, list)
	}
	return kinds, digest, nil
}

// said is all that a call says of itself but how long it took.
func said(ctx context.Context, g guest, export string, request, room []byte) string {
	answer, usage, err := g.Call(ctx, export, request, room[:0])
	if err != nil {
		return fmt.Sprintf("%s: %v; fuel %d", fault.Of(err), err, usage.Fuel)
	}
	return fmt.Sprintf("%s; fuel %d", answer, usage.Fuel)
}

// samples is how often the resources of the process are counted.
const samples = 20

// drive makes the calls, on every processor.
func (s *soak) drive(ctx context.Context, file string, g guest, kinds [][]kind) error {
	begun := time.Now()
	var first, last held
	for n := range samples {
		if err := round(ctx, g, kinds, s.calls/samples, uint64(n)); err != nil {
			return fmt.Errorf("%s, after %d to %d calls: %w", file, n*s.calls/samples, (n+1)*s.calls/samples, err)
		}
		last = holds()
		if n == samples/4 { // by then every pool is as full, and every stack as large, as it gets
			first = last
		}
		fmt.Fprintf(os.Stdout, "%s %8d calls %6.0f s: %s\n", file, (n+1)*s.calls/samples, time.Since(begun).Seconds(), last)
	}
	fmt.Fprintf(os.Stdout, "%s: %d calls, no answer differs; %.0f a second\n", file, s.calls, float64(s.calls)/time.Since(begun).Seconds())
	return last.grownSince(first)
}

// round makes some of the calls.
func round(ctx context.Context, g guest, kinds [][]kind, calls int, seed uint64) error {
	var left atomic.Int64
	left.Store(int64(calls))
	errs := make([]error, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for w := range errs {
		group.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(w)))
			var room []byte
			for left.Add(-1) >= 0 {
				k := draw(r, kinds)
				if got := said(ctx, g, k.export, k.request, room); got != k.want {
					errs[w] = fmt.Errorf("%s answers\n%s\na new instance answers\n%s", k.export, got, k.want)
					left.Store(0)
				}
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// draw returns a kind, as often as its share says.
func draw(r *rand.Rand, kinds [][]kind) kind {
	at := r.IntN(10_000)
	for k, share := range shares {
		if at -= share.of; at < 0 {
			return kinds[k][r.IntN(len(kinds[k]))]
		}
	}
	panic("the shares are not 10,000")
}

// held is the resources of a process and its children. Sizes are in KiB, and 0 where the
// system does not say.
type held struct{ resident, own, mappings, descriptors, goroutines, children int }

func (h held) String() string {
	return fmt.Sprintf("resident %d MiB, own share %d MiB, %d mappings, %d descriptors, %d goroutines, %d workers", h.resident>>10, h.own>>10, h.mappings, h.descriptors, h.goroutines, h.children)
}

func holds() held {
	for range 3 {
		debug.FreeOSMemory() // machine code is freed when it is collected
	}
	h := of("self")
	h.goroutines = runtime.NumGoroutine()
	lists, _ := filepath.Glob("/proc/self/task/*/children") // none: the system has no such thing
	for _, list := range lists {
		b, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, child := range strings.Fields(string(b)) {
			c := of(child)
			h.resident, h.own, h.mappings, h.descriptors, h.children = h.resident+c.resident, h.own+c.own, h.mappings+c.mappings, h.descriptors+c.descriptors, h.children+1
		}
	}
	return h
}

func of(process string) (h held) {
	dir := filepath.Join("/proc", process)
	if b, err := os.ReadFile(filepath.Join(dir, "smaps_rollup")); err == nil {
		h.resident, h.own = field(b, "Rss:"), field(b, "Pss:")
	}
	if b, err := os.ReadFile(filepath.Join(dir, "maps")); err == nil {
		h.mappings = bytes.Count(b, []byte("\n"))
	}
	if list, err := os.ReadDir(filepath.Join(dir, "fd")); err == nil {
		h.descriptors = len(list)
	}
	return h
}

// field returns a number of a list of names and numbers.
func field(b []byte, name string) (n int) {
	_, rest, _ := strings.Cut(string(b), "\n"+name)
	_, _ = fmt.Sscan(rest, &n) // 0: it is not there
	return n
}

// grownSince lists resources that have grown more than chance explains.
func (h held) grownSince(first held) error {
	switch {
	case h.own > first.own+first.own/5+(32<<10):
		return fmt.Errorf("memory has grown: %s; it was: %s", h, first)
	case h.mappings > first.mappings+40 || h.descriptors > first.descriptors+8 || h.goroutines > first.goroutines+8 || h.children > first.children:
		return fmt.Errorf("what the process holds has grown: %s; it was: %s", h, first)
	}
	return nil
}
