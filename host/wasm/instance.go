package wasm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/extism"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// An instance is one running copy of a module. One goroutine uses it at a time.
//
// It is also the context that wazero gets, so that host functions find it without an
// allocation. This context never ends: the caller's is checked between slices of fuel.
type instance struct {
	context.Context //nolint:containedctx // context.Background()
	state

	entries
	sandbox

	proto *prototype
}

type instanceKey struct{}

func (i *instance) Value(key any) any {
	if _, ok := key.(instanceKey); ok {
		return i
	}
	return nil
}

// instanceOf returns the instance that calls a host function.
func instanceOf(ctx context.Context) *instance {
	if i, ok := ctx.(*instance); ok {
		return i
	}
	return ctx.Value(instanceKey{}).(*instance)
}

// moduleConfig gives an instance nothing. The name is empty, so that there can be many
// instances. The empty random source avoids seeding wazero's own, which nothing reads.
var moduleConfig = wazero.NewModuleConfig().WithName("").WithStartFunctions().WithRandSource(strings.NewReader(""))

func (p *prototype) newInstance(linear *image.Memory) *instance {
	i := &instance{Context: context.Background(), state: state{linear: linear}, proto: p}
	i.scorers = make([]api.Function, len(p.traits.Exports))
	i.world.Memory, i.world.Budget, i.net.budget = linear, &i.budget, &i.budget
	if p.convention.abi == Extism {
		i.kernel = extism.New(extism.Limits{Bytes: p.limits.HostBytes()}, &i.world)
	}
	return i
}

// link instantiates the module with the memory i.linear. The guest does not run.
func (i *instance) link() (err error) {
	defer func() {
		if p := recover(); p != nil { // wazero panics if the system refuses memory
			err = fault.New(fault.Memory, "plugin %s: start: %s", i.proto.name, plain(fmt.Sprint(p), 300))
		}
	}()
	ctx := experimental.WithMemoryAllocator(i, experimental.MemoryAllocatorFunc(
		func(_, _ uint64) experimental.LinearMemory { return i.linear }))
	mod, err := i.proto.code.runtime.InstantiateModule(ctx, i.proto.code.compiled, moduleConfig)
	if err != nil {
		return fault.As(fault.Load, fmt.Errorf("plugin %s: start: %s", i.proto.name, plain(firstLine(err.Error()), 300)))
	}
	i.mod, i.mem, i.alloc = mod, mod.ExportedMemory(memoryExport), mod.ExportedFunction(allocExport)
	i.bind()
	return nil
}

// fill writes the initial content of the memory.
func (i *instance) fill() error {
	for k := range i.proto.data {
		d := &i.proto.data[k]
		at, _ := d.Offset.I32()
		if !i.mem.Write(uint32(at), d.Bytes) {
			return fault.New(fault.Load, "plugin %s: start: data segment %d, %d bytes at %d, is outside of the memory of %d bytes",
				i.proto.name, k, len(d.Bytes), uint32(at), i.size())
		}
	}
	return nil
}

// initialise runs the start function and the initialisation of a guest.
func (i *instance) initialise(caller context.Context) error {
	i.beginStart(caller)
	if err := i.run(meter.StartName); err != nil {
		return err
	}
	return i.proto.convention.ready(i)
}

// run calls an exported function without parameters, if it exists.
func (i *instance) run(name string) error {
	f := i.mod.ExportedFunction(name)
	if f == nil {
		return nil
	}
	if err := i.enter(f); err != nil {
		return i.failure(strings.TrimPrefix(name, meter.Reserved), err)
	}
	return nil
}

// readyDirect initialises a guest of the direct ABI.
func readyDirect(i *instance) error {
	if err := i.run(initializeExport); err != nil {
		return err
	}
	for _, d := range i.proto.files {
		if err := i.give(d); err != nil {
			return err
		}
	}
	if i.budget.denied == nil {
		return nil
	}
	// Most heaps grow the memory at their first allocation. Grown memory cannot be
	// restored, so it grows before the image is taken.
	i.stack[0] = 1
	if err := i.enter(i.alloc); err != nil {
		return i.failure(allocExport, err)
	}
	return nil
}

// give passes a data file to the guest.
func (i *instance) give(d Data) error {
	f := i.mod.ExportedFunction(dataExport)
	if params, results := typesOf[api.ValueType](dataShape); f == nil ||
		!slices.Equal(f.Definition().ParamTypes(), params) || !slices.Equal(f.Definition().ResultTypes(), results) {
		return fault.WithHint(fault.New(fault.Load, `plugin %s: no function "data" from (i32, i32, i32, i32) to nothing is exported, which takes the data file %s`, i.proto.name, d.Name),
			"export it, or remove data from the manifest")
	}
	name, err := i.pass(dataExport, []byte(d.Name))
	if err != nil {
		return err
	}
	at, err := i.pass(dataExport, d.Bytes)
	if err != nil {
		return err
	}
	stack := [4]uint64{uint64(name), uint64(len(d.Name)), uint64(at), uint64(len(d.Bytes))}
	if err := i.enterWith(f, stack[:]); err != nil {
		return i.failure(dataExport, err)
	}
	return nil
}

// bind looks up the counters and the module's own globals.
func (i *instance) bind() {
	i.budget.bind(i.mod, &i.proto.traits)
	i.globals = make([]api.MutableGlobal, len(i.proto.traits.Globals))
	for k, name := range i.proto.traits.Globals {
		i.globals[k] = mutableGlobal(i.mod, name)
	}
}

// refill is the host function that guests call when their fuel is used up.
func refill(ctx context.Context, stack []uint64) {
	left, err := instanceOf(ctx).budget.refill(int64(stack[0]))
	if err != nil {
		panic(err)
	}
	stack[0] = uint64(left)
}

// callDirect calls a scorer by the direct ABI and appends its answer to answer.
func callDirect(i *instance, export int, request, answer []byte) ([]byte, error) {
	name := i.proto.traits.Exports[export]
	at, err := i.pass(name, request)
	if err != nil {
		return answer, err
	}
	i.stack = [2]uint64{uint64(at), uint64(len(request))}
	if err := i.enter(i.scorer(export, name)); err != nil {
		return answer, i.failure(name, err)
	}
	b, err := i.answerAt(name, uint32(i.stack[0]>>32), uint32(i.stack[0]))
	return append(answer, b...), err
}

// tooLong returns the error for an answer beyond the limit.
func (i *instance) tooLong(name string, size uint64) error {
	return fault.WithHint(i.fault(fault.Output, name, "the answer has %d bytes, %d allowed", size, i.proto.limits.OutputBytes),
		"make the plugin answer more briefly")
}

// pass writes a request to the guest's memory and returns its address.
func (i *instance) pass(name string, request []byte) (uint32, error) {
	i.stack[0] = uint64(len(request))
	if err := i.enter(i.alloc); err != nil {
		return 0, i.failure(name+": "+allocExport, err)
	}
	at := uint32(i.stack[0])
	switch {
	case at == 0 && len(request) > 0:
		return 0, fault.WithHint(i.fault(fault.Memory, name, "alloc gives no room for a request of %d bytes", len(request)),
			"shorten the case, or raise "+fault.OptionMemory)
	case !i.mem.Write(at, request):
		return 0, fault.WithHint(i.fault(fault.Output, name, "alloc gives room for %d bytes at %d, outside of the memory of %d bytes", len(request), at, i.size()), outsideHint)
	}
	return at, nil
}

const outsideHint = "return addresses in the plugin's memory, as sdk/ABI.md says; alloc may have to grow it"

// answerAt returns an answer that lies in the guest's memory.
func (i *instance) answerAt(name string, at, size uint32) ([]byte, error) {
	if err := i.checkStarved(name); err != nil {
		return nil, err
	}
	if uint64(size) > uint64(i.proto.limits.OutputBytes) {
		return nil, i.tooLong(name, uint64(size))
	}
	b, ok := i.mem.Read(at, size)
	if !ok {
		return nil, fault.WithHint(i.fault(fault.Output, name, "the answer, %d bytes at %d, is outside of the memory of %d bytes", size, at, i.size()), outsideHint)
	}
	return b, nil
}

// enter calls a function of the guest with i.stack.
func (i *instance) enter(f api.Function) error { return i.enterWith(f, i.stack[:]) }

// enterWith calls a function of the guest with a stack, which then holds the results.
func (i *instance) enterWith(f api.Function, stack []uint64) error {
	if !i.proto.runtime.timed {
		return i.caught(f.CallWithStack(i, stack))
	}
	at := time.Now()
	err := f.CallWithStack(i, stack)
	i.guest += time.Since(at)
	return i.caught(err)
}

// caught returns the error of a call: also for an uncaught exception, and for fuel that a host
// function overdrew at the end.
func (i *instance) caught(err error) error {
	switch {
	case err != nil:
		return err
	case i.budget.thrown != nil && i.budget.thrown.Get() != 0:
		return errThrown
	case i.budget.overdrawn():
		return errFuel
	}
	return nil
}

func (i *instance) fault(c fault.Class, export, format string, args ...any) error {
	return fault.New(c, "plugin %s: %s: %s", i.proto.name, export, fmt.Sprintf(format, args...))
}

func (i *instance) close() {
	if i.mod != nil {
		// A module without files and sockets closes without error.
		_ = i.mod.Close(i)
	}
	i.linear.Free() // closing the module may have freed it already
}
