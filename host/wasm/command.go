package wasm

import (
	"errors"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// checkCommand says what keeps a program from being run.
func checkCommand(m *binary.Module) error {
	if err := checkImports(m, &wasi); err != nil {
		return err
	}
	if err := checkMemory(m); err != nil {
		return err
	}
	return checkStart(m)
}

func commandScorers(*binary.Module) []string { return []string{CommandExport} }

// callCommand runs a program: the request on standard input, the answer on
// standard output, standard error in the log.
func callCommand(i *instance, _ int, request, answer []byte) ([]byte, error) {
	w := &i.world
	w.input, w.output, w.room = request, answer, i.m.limits.OutputBytes
	err := i.program()
	if err == nil {
		answer = w.output
	}
	w.input, w.output = nil, nil
	return answer, err
}

// program runs a program from its beginning to its end. Exit code 0 is success.
func (i *instance) program() error {
	for _, name := range []string{meter.StartName, startExport} {
		f := i.mod.ExportedFunction(name)
		if f == nil {
			continue
		}
		err := i.enter(f)
		var exit exitError
		switch {
		case err == nil:
		case errors.As(err, &exit) && exit.code == 0:
			return i.fed()
		default:
			return i.failure(name, err)
		}
	}
	return i.fed()
}

// fed says that the machine denied memory, which a program may have hidden.
func (i *instance) fed() error {
	if i.linear.Starved() {
		return i.starved("plugin " + i.m.name + ": " + startExport)
	}
	return nil
}
