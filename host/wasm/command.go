package wasm

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
	"github.com/rubric-host/rubric-host/host/wasm/wasi"
)

// checkCommand refuses a program that cannot be run.
func checkCommand(m *binary.Module) error {
	if err := checkImports(m, &wasiImports); err != nil {
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
	p := &i.world.Program
	*p = wasi.Program{Stdin: request, Stdout: answer, MaxStdout: i.proto.limits.OutputBytes}
	if args := argumentsOf(request); args != nil {
		p.Args = append([]string{i.proto.name}, args...)
	}
	err := i.program()
	if err == nil {
		answer = p.Stdout
	}
	*p = wasi.Program{}
	return answer, err
}

// argumentsMark is the prefix of requests with command-line arguments.
var argumentsMark = []byte(`{"args":[`)

// argumentsOf returns the command-line arguments that a request begins with, nil if there are
// none. It drops zero bytes, which would end an argument early.
func argumentsOf(request []byte) []string {
	if !bytes.HasPrefix(request, argumentsMark) {
		return nil
	}
	var has struct {
		Args []string `json:"args"`
	}
	if json.Unmarshal(request, &has) != nil {
		return nil
	}
	for k, a := range has.Args {
		has.Args[k] = strings.ReplaceAll(a, "\x00", "")
	}
	return has.Args
}

// program runs a program to its end. Exit code 0 is success.
func (i *instance) program() error {
	for _, name := range []string{meter.StartName, startExport} {
		f := i.mod.ExportedFunction(name)
		if f == nil {
			continue
		}
		err := i.enter(f)
		if exit, ended := errors.AsType[wasi.ExitError](err); ended && exit.Code == 0 {
			break
		}
		if err != nil {
			return i.failure(name, err)
		}
	}
	return i.checkStarved(startExport)
}
