package wasm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// A threat is a row of the table in SECURITY.md, with the modules and tests that try it.
//
// Modules are those of testdata/hostile, each with the class of failure that it
// must end in: "loop=fuel"; "sleep=" succeeds and gets nothing by it. They are run
// by TestCall_HostileModules, in both engines, within mostTime and mostBytes,
// beside a neighbour; and by package worker in a process of their own.
type threat struct {
	name    string
	modules string
	tests   string // others: "directory/Test", from the directory host; those of this package without one
	open    string // the untested part of the row, and why
}

// threats are all rows, in their order, from 1.
var threats = []threat{
	{"an infinite loop", "loop=fuel fill-chain=fuel extism-loop=fuel command-loop=fuel", "TestCall_EndsAtTheDeadline TestCall_EndsWhenCancelled TestThreats_ImportsWithoutALoopEnd", ""},
	{"recursion without a loop", "tree=fuel recurse-tail-work=fuel", "", ""},
	{"a host that stops while a guest computes", "", "TestThreats_CollectorRunsBesideSpinningGuest TestThreats_HostRunsOften", ""},
	{"a memory bomb", "memory-bomb=memory memory-all= memory-min=refused extism-bytes=memory extism-blocks=memory extism-alloc-wraps=memory extism-var-flood=memory",
		"TestCall_FailsWhenTheMachineHasNoMemory", ""},
	{"a table bomb", "table-min=refused table-grow=", "wasm/meter/TestRewrite_CapsMemoryAndTables", ""},
	{"deep recursion", "recurse=depth recurse-indirect=depth extism-recurse=depth", "wasm/meter/TestDepth_CountsWideFunctionsMore", ""},
	{"false lengths", "lie-code=refused lie-exports=refused",
		"wasm/binary/TestRead_RefusesFalseLengthsBeforeAllocating wasm/binary/TestRead_FalseLengthsWithinLimitsAllocateNothing wasm/binary/TestRead_AllocatesSmallMultipleOfInput", ""},
	{"a module that is slow to compile", "", "TestLoad_RefusesCompileBombs TestLoad_CompilingEndsAtItsLimit wasm/binary/TestRead_Refuses", ""},
	{"a huge file or custom section", "", "TestLoad_RefusesCompileBombs plugin/TestCatalog_RefusesLargeModules", ""},
	{"a malformed or truncated module, text, or a component", "component=refused",
		"wasm/binary/TestRead_Refuses wasm/binary/TestRead_TakesWhatWazeroTakes wasm/binary/FuzzRead", ""},
	{"an unknown import", "import-unknown=refused import-refill=refused extism-import-host=refused extism-import-kernel=refused", "", ""},
	{"an import of another type", "import-mistyped=refused extism-import-mistyped=refused", "wasm/wasi/TestFunctions_AreThoseOfWazero", ""},
	{"a start function that traps, loops or calls the host",
		"start-trap=trap start-loop=fuel start-exit=plugin-error initialize-loop=fuel extism-start=memory command-start-trap=trap command-no-memory=load extism-nothing=load elem-outside=load",
		"TestLoad_RefusesStartWithParameters", ""},
	{"a trap", "divide=trap store-outside=trap fill-outside=trap extism-trap=trap",
		"TestCall_TrapsNameFunctionsWithoutControlCharacters TestTrace_NamesFunctionsOfEveryFailure", ""},
	{"corruption of the host's memory blocks",
		"extism-header=protocol extism-store-end=protocol extism-freed-store=protocol extism-load-wraps=protocol extism-free-twice= extism-churn=fuel",
		"wasm/extism/FuzzKernel", ""},
	{"an input that is too large", "alloc-null=memory alloc-outside=output extism-input-end= command-read-end= command-read-outside=",
		"TestCall_ErrorsNameUsageAndFix", ""},
	{"an answer that is too large, or out of bounds",
		"output-huge=output output-negative=output output-outside=output output-wraps=output bad-pointers= extism-output-flood=output extism-output-outside=output extism-output-wraps=output extism-output-freed=output command-flood=output",
		"", ""},
	{"an exit, or an error code without a message", "exit-0=plugin-error exit-3=plugin-error extism-code=plugin-error extism-exit-0=plugin-error command-exit-0= command-exit-3=plugin-error command-exit-loop=plugin-error extism-error-freed=plugin-error extism-error-outside=protocol", "", ""},
	{"an answer that breaks the contract, or floods rows and reports", "", "metric/TestParseAnswer_Contract metric/TestParseAnswer_NamesViolations metric/TestParseAnswer_EveryByteChanged metric/FuzzParseAnswer", ""},
	{"log flooding, control characters", "log-flood= log-lines= log-endless=fuel extism-log-flood=fuel command-log-flood=fuel extism-error-flood=plugin-error",
		"TestThreats_ScorersHavePrintableNames TestCall_TrapsNameFunctionsWithoutControlCharacters TestTrace_IsShortWithLongNames TestCall_ErrorsAreShortWithManyNames metric/TestParseAnswer_KeepsThePluginsErrorShort", ""},
	{"flooding of standard output and standard error", "log-flood= command-flood=output", "TestProgram_InGo", ""},
	{"file access", "probe-files=", "wasm/grant/TestTree_ReadsNothingOutside wasm/grant/TestTree_FIFODoesNotBlock", ""},
	{"access to arguments and environment", "probe-files= command-world=", "TestProgram_SeesTheSameEmptyWorld", ""},
	{"network access", "extism-http=refused", "wasm/grant/TestClient_ReachesNothingElse wasm/grant/TestClient_NameMustResolveToPublicAddress", ""},
	{"timing by a clock", "wait-busily=", "TestCall_IsIsolated TestProgram_SeesTheSameEmptyWorld", ""},
	{"nondeterminism by random numbers", "", "TestCall_IsIsolated TestEngines_Agree", ""},
	{"sleeping to block the host", "sleep=", "", ""},
	{"state that leaks from one call into the next", "memory-all= command-counts= extism-var-stays=",
		"TestCall_IsIsolated TestRestore_IsCompleteByEveryWay TestRestore_AfterDeadline wasm/image/TestRestore_EveryByte", ""},
	{"interference between plugins", "", "TestThreats_SameNamesShareNothing TestLoad_SameBytesTwice", ""},
	{"reentrancy: the host calls a guest that is calling the host", "", "TestThreats_HostFunctionsNeverCallGuests script/TestThreats_PeersAreOtherInstances", ""},
	{"races between concurrent calls", "", "TestCall_Concurrent TestRestore_ManyInstancesAtOnce", ""},
	{"path traversal by a plugin's name", "", "plugin/TestParseManifest_RefusesWrongManifests plugin/TestCatalog_ListsBrokenPlugins", ""},
	{"a symbolic link out of the plugin's directory", "", "plugin/TestCatalog_ListsBrokenPlugins", ""},
	{"special files, and files that change while they are read", "", "plugin/TestReadFile_RefusesDevicesAndPipes plugin/TestCatalog_ReadsDirectories", ""},
	{"a plugin that differs from the pinned one", "", "plugin/TestCatalog_ReadsDirectories", "there is no lock file yet: runs record digests, but other digests are not refused"},
	{"a forged signature", "", "", "there are no signatures yet"},
	{"a malicious archive", "", "", "archives are never unpacked: plugins are local directories and files"},
	{"a false manifest", "", "plugin/TestParseManifest_RefusesWrongManifests wasm/grant/TestMatch_OnlyRequestedGrants", ""},
	{"a poisoned compile cache", "", "TestNew_RefusesCacheDirThatOthersCanReach TestLoad_MachineCodeMustBeSealed private/TestSeal_BindsKeyNameAndContent TestLoad_StoreOutlivesTheRuntime " +
		"TestLoad_ArtifactIsUntrusted TestLoad_SimilarModulesAreNotConfused wasm/worker/TestLoad_ArtifactIsForTheWorkersOfItsModule", ""},
	{"prompt injection into a judge's prompt", "", "judge/TestPrompt_ContentCannotLeaveTheFence", ""},
	{"fields of the case that a plugin did not request", "", "metric/TestRequest_SendsTheRequestedFields", ""},
	{"nondeterministic answers", "", "TestEngines_Agree TestRestore_IsCompleteByEveryWay wasm/meter/TestFuel_ExhaustionIsDeterministic", ""},
	{"a panic in the host's own code", "", "TestThreats_PanicFailsOneCall", ""},
	{"a call that kills its worker", "", "wasm/worker/TestCall_FailsAloneIfItKillsItsWorker wasm/worker/TestCall_HostileModulesFailAsInProcess", ""},
	{"a plugin that is too slow, without malice", "loop=fuel random-last=fuel", "TestCall_ErrorsNameUsageAndFix", ""},
	{"a worker that requests access beyond its grants", "", "wasm/worker/TestHostRequest_NeedsItsGrant wasm/worker/TestHostRequest_ViolationKillsTheWorker " +
		"wasm/worker/TestHostRequest_StaysInTheGrantedTree wasm/worker/TestHostRequest_NotAfterTheResponse wasm/worker/TestHostRequest_EndsWithItsCall " +
		"wasm/worker/TestHostRequest_ResponsesMustBeRead TestGrant_FilesAreTheSameInAWorker TestGrant_FailureOfTheMachineEndsTheCall", ""},
	{"a forged memory image of a script", "", "wasm/worker/TestLoad_ForgedImageCostsAStart wasm/worker/TestLoad_KeepsOnlyTheScriptsImage", ""},
	{"WebAssembly exceptions, which the runtime handles incorrectly", "", "wasm/binary/TestRead_RefusesExceptionsUnlessAllowed " +
		"wasm/meter/TestExceptions_KeptReferenceStaysTheSame wasm/meter/TestExceptions_GoToTheNearestHandler", ""},
	{"code that the compiler miscompiles, with wrong fuel and answers", "", "wasm/meter/TestWazero112_MasksCompareAsInTheInterpreter wasm/meter/TestWazero112_SelectOfFloatsGivesOneOfTheTwo wasm/meter/TestWazero112_OperandsSurviveReload wasm/meter/TestWazero112_PopcntCountsOneHalf " +
		"wasm/meter/TestRandom_ArithmeticIsTheSameInBothEngines wasm/meter/TestRandom_ProgramsKeepResultsAndCount " +
		"wasm/meter/TestRewrite_KeepsTheSpecification", ""},
	{"a project file that grants, reads, sends or overwrites", "", "../cmd/rubric-host/TestConfig_UntrustedProjectFiles ../cmd/rubric-host/TestScripts", ""},
	{"model-written code that reaches its judge: its memory, its grants, what it expects", "",
		"script/TestPeer_AnswersInPython script/TestPeer_AnswersInJavaScript script/TestThreats_PeersAreOtherInstances script/TestPeer_HasNoGrantsInPython ../host/TestWall_OfBuiltinPluginsWithPeersIsAWorker", ""},
	{"model-written code that keeps its judge waiting, or floods it", "",
		"script/TestHostilePeer_InPython script/TestHostilePeer_InJavaScript script/TestHostilePeer_EndsWithItsCall script/TestPeer_FuelIsCountedApart script/TestPeer_FailsWhenTheMachineHasNoMemory", ""},
	{"a judge that asks its peer, or for new peers, without end", "",
		"script/TestHostilePeer_InPython script/TestHostilePeer_InJavaScript script/TestPeer_CostsTheJudgeInPython wasm/wasi/TestPeer_TakesNoOtherOperations wasm/wasi/FuzzInvoke", ""},
	{"a database or a backup that was damaged or forged", "",
		"store/database/TestStore_DamageIsNoticed store/database/TestDrivers_Conform store/database/TestOpen_RefusesOtherFiles", ""},
	{"the password of a database in output, errors, configuration or run directories", "",
		"store/database/TestPostgres_NeverShowsThePassword", ""},
}

// TestThreats_EachIsTried holds the table to the modules and tests that there are.
func TestThreats_EachIsTried(t *testing.T) {
	if len(threats) != 55 {
		t.Errorf("%d threats, want 55", len(threats))
	}
	known := map[string]fault.Class{}
	for _, h := range readHostile(t) {
		known[h.Name] = h.Class
	}
	unused := maps.Clone(known)
	for i, row := range threats {
		if row.modules == "" && row.tests == "" && row.open == "" {
			t.Errorf("row %d, %s: nothing tries it", i+1, row.name)
		}
		for _, m := range strings.Fields(row.modules) {
			name, class, _ := strings.Cut(m, "=")
			if has, ok := known[name]; !ok || has != fault.Class(class) {
				t.Errorf("row %d, %s: %s ends in class %q, the module says %q", i+1, row.name, name, class, has)
			}
			delete(unused, name)
		}
		for _, test := range strings.Fields(row.tests) {
			if !testExists(t, test) {
				t.Errorf("row %d, %s: there is no test %s", i+1, row.name, test)
			}
		}
	}
	for name := range unused {
		t.Errorf("hostile/%s.wat stands for no threat", name)
	}
}

// testExists looks for a test in the sources of its package.
func testExists(t *testing.T, test string) bool {
	t.Helper()
	dir, name := filepath.Split(test)
	if dir = filepath.Join("..", filepath.FromSlash(dir)); dir == ".." {
		dir = "."
	}
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		b, err := os.ReadFile(file)
		return err == nil && bytes.Contains(b, []byte("\nfunc "+name+"("))
	})
}

// TestThreats_SameNamesShareNothing: two modules with the same name and exports
// keep to their own memory and globals, in calls of both at once.
func TestThreats_SameNamesShareNothing(t *testing.T) {
	text := func(mine string) []byte {
		return assemble(`(module (memory (export "memory") 1) (global $g (mut i32) (i32.const ` + mine + `))
			(func (export "alloc") (param i32) (result i32) (i32.const 64))
			(func (export "score") (param i32 i32) (result i64)
				(i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (global.get $g)))
				(global.set $g (i32.const 7))
				(i64.const 4)))`)
	}
	for engine, rt := range runtimes(t) {
		all := map[string]*wasm.Module{
			"\x01\x00\x00\x00": load(t, rt, "p", text("1"), wasm.Limits{}),
			"\x02\x00\x00\x00": load(t, rt, "p", text("2"), wasm.Limits{}),
		}
		var done sync.WaitGroup
		for want, m := range all {
			for range 4 {
				done.Go(func() {
					for range 20 {
						if got := call(m, "score", nil); got.answer != want || got.class != fault.None {
							t.Errorf("%s: %+v, want %q", engine, got, want)
							return
						}
					}
				})
			}
		}
		done.Wait()
	}
}

// peerMethods enter another instance than the one that calls the host: that which a peer
// has, from the pool or new (script/TestThreats_PeersAreOtherInstances).
var peerMethods = []string{"Ask", "Compute", "Restart"}

// TestThreats_HostFunctionsNeverCallGuests reads the sources: from nothing that guests
// can import does a path of calls, by name, lead back into a guest, but through a peer.
func TestThreats_HostFunctionsNeverCallGuests(t *testing.T) {
	calls := map[string][]string{} // by function or variable: the names in it
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []string{"extism", "wasi"} {
		more, err := filepath.Glob(room + "/*.go")
		if err != nil || len(more) == 0 {
			t.Fatal(room, err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				calls[d.Name.Name] = append(calls[d.Name.Name], called(d.Body)...)
				if slices.Contains(importable, d.Name.Name) {
					calls[d.Name.Name] = append(calls[d.Name.Name], named(d)...)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && slices.Contains(importable, v.Names[0].Name) {
						calls[v.Names[0].Name] = named(v)
					}
				}
			}
		}
	}
	reached := map[string]bool{}
	var reach func(name string, path string)
	reach = func(name, path string) {
		path += " > " + name
		if name == "CallWithStack" || name == "Call" {
			t.Errorf("a guest is called by what it imports: %s", path)
		}
		if !reached[name] {
			reached[name] = true
			if slices.Contains(peerMethods, name) {
				return
			}
			for _, next := range calls[name] {
				reach(next, path)
			}
		}
	}
	for _, table := range importable {
		reach(table, "")
	}
	for _, must := range []string{"fdRead", "pollOneoff", "Spend", "Checkpoint", "Alloc", "SetVar", "exchange", "Ask", "Compute", "Restart"} {
		if !reached[must] {
			t.Errorf("%s is not found among what guests import", must)
		}
	}
}

// importable are the tables of importable functions.
var importable = []string{"Functions", "extismImports", "directImports"}

// named returns all names in a piece of code.
func named(n ast.Node) (names []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if i, ok := n.(*ast.Ident); ok {
			names = append(names, i.Name)
		}
		return true
	})
	return names
}

// called returns the names of the functions that code calls, except those of other
// packages.
func called(body ast.Node) (names []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			names = append(names, f.Name)
		case *ast.SelectorExpr:
			atomic := f.Sel.Name == "Load" && len(call.Args) == 0 // Runtime.Load has arguments
			if x, ok := f.X.(*ast.Ident); !atomic && (!ok || x.Obj != nil) {
				names = append(names, f.Sel.Name)
			}
		}
		return true
	})
	return names
}

// TestThreats_PanicFailsOneCall puts a defect into a host function.
func TestThreats_PanicFailsOneCall(t *testing.T) {
	for _, defect := range []any{errors.New("a defect"), "a defect", runtimeError()} {
		defer wasm.Break("sched_yield", defect)()
		for engine, rt := range runtimes(t) {
			m := load(t, rt, "p", assemble(`(module
				(import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
				(memory (export "memory") 1) (global $calls (mut i32) (i32.const 65))
				(func (export "alloc") (param i32) (result i32) (i32.const 64))
				(func (export "score") (param i32 i32) (result i64)
					(i32.store8 (i32.const 0) (global.get $calls))
					(global.set $calls (i32.const 90))
					(if (local.get 1) (then (drop (call $yield))))
					(i64.const 1)))`), wasm.Limits{})
			for range 3 {
				got := call(m, "score", []byte("x"))
				if got.class != fault.Internal || got.answer != "" || strings.Contains(got.says, "\n") {
					t.Errorf("%s: a panic gives %+v", engine, got)
				}
				if got := call(m, "score", nil); got.answer != "A" {
					t.Errorf("%s: the call after it gives %+v", engine, got)
				}
			}
		}
	}
}

// runtimeError returns the value with which Go itself panics.
func runtimeError() (err any) {
	defer func() { err = recover() }()
	var none []int
	return none[len(none)]
}

// TestThreats_CollectorRunsBesideSpinningGuest collects garbage while a guest runs
// that only the end of the collection lets go.
func TestThreats_CollectorRunsBesideSpinningGuest(t *testing.T) {
	rt := runtimes(t)["compiler"]
	for _, name := range []string{"loop", "tree", "extism-loop", "command-loop"} {
		t.Run(name, func(t *testing.T) {
			m := load(t, rt, name, assemble(string(fixture(t, "hostile/"+name+".wat"))), wasm.Limits{Fuel: 1 << 60, Deadline: time.Hour})
			ctx, cancel := context.WithCancel(context.Background())
			watch := &patience{Context: ctx, asked: make(chan struct{})}
			watch.left.Store(1 << 60)
			ended := make(chan error)
			go func() {
				_, _, err := m.Call(errOf{watch, ctx}, m.Exports()[0], nil, nil)
				ended <- err
			}()
			<-watch.asked
			for range 3 {
				runtime.GC() // would wait for the guest if it could not be interrupted; the guest waits for cancel
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) || fault.Of(err) != fault.Interrupted {
				t.Errorf("the call ends with %v", err)
			}
		})
	}
}

// A visits counts how often a call looks whether it was cancelled.
type visits struct {
	context.Context //nolint:containedctx // it is one
	n               int
}

func (v *visits) Err() error {
	v.n++
	return v.Context.Err()
}

// TestThreats_HostRunsOften counts how often a guest lets the host run. With a million fuel in
// between, one that follows pointers through a large memory held up the collector for a second.
func TestThreats_HostRunsOften(t *testing.T) {
	m := load(t, runtimes(t)["compiler"], "loop", assemble(string(fixture(t, "hostile/loop.wat"))), wasm.Limits{Fuel: 10_000_000})
	seen := &visits{Context: context.Background()}
	if _, _, err := m.Call(seen, "score", nil, nil); fault.Of(err) != fault.Fuel || seen.n < 100 {
		t.Errorf("the host runs %d times in ten million fuel: %v", seen.n, err)
	}
}

// TestThreats_ImportsWithoutALoopEnd calls imports in a line that no loop and no call interrupts: the
// host looks at the fuel after each.
func TestThreats_ImportsWithoutALoopEnd(t *testing.T) {
	const limit, most = 10_000_000, 11_000_000
	for name, text := range map[string]string{
		"random": `(import "wasi_snapshot_preview1" "random_get" (func $call (param i32 i32) (result i32)))
  (memory (export "memory") 17)
  (func (export "alloc") (param i32) (result i32) (i32.const 8))
  (func (export "score") (param i32 i32) (result i64)` + strings.Repeat("(drop (call $call (i32.const 0) (i32.const 1048576)))", 1_000) + `(i64.const 0))`,
		"extism": `(import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "free" (func $free (param i64)))
  (func (export "score") (result i32)` + strings.Repeat("(call $free (call $alloc (i64.const 8388608)))", 1_000) + `(i32.const 0))`,
		"http": `(import "rubric-host" "http" (func $call (param i32 i32) (result i32)))
  (memory (export "memory") 17)
  (func (export "alloc") (param i32) (result i32) (i32.const 8))
  (func (export "score") (param i32 i32) (result i64)` + strings.Repeat("(drop (call $call (i32.const 0) (i32.const 65536)))", 1_000) + `(i64.const 0))`,
	} {
		t.Run(name, func(t *testing.T) {
			m := load(t, runtimes(t)["compiler"], name, assemble("(module "+text+")"), wasm.Limits{Fuel: limit})
			_, usage, err := m.Call(context.Background(), "score", nil, nil)
			if fault.Of(err) != fault.Fuel || usage.Fuel > most {
				t.Errorf("%d of %d fuel: %v", usage.Fuel, limit, err)
			}
		})
	}
}

// TestThreats_ScorersHavePrintableNames: names stand in messages, and lines of logs may be commands,
// as for GitHub Actions.
func TestThreats_ScorersHavePrintableNames(t *testing.T) {
	for _, form := range []string{`(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 8))
  (func (export "%s") (param i32 i32) (result i64) unreachable)
  (func (export "score") (param i32 i32) (result i64) (i64.const 0)))`, `(module
  (import "extism:host/env" "free" (func $free (param i64)))
  (func (export "%s") (result i32) unreachable)
  (func (export "score") (result i32) (i32.const 0)))`} {
		for _, name := range []string{`a\0a::error::b`, `a\1b[31m`, `\e2\80\ae`} {
			m := load(t, runtimes(t)["compiler"], "names", assemble(fmt.Sprintf(form, name)), wasm.Limits{})
			if got := m.Exports(); !slices.Equal(got, []string{"score"}) {
				t.Errorf("scorers %q", got)
			}
		}
	}
}

// TestThreats_AttacksInAnyOrder calls all hostile modules in any order, from several
// goroutines: each call has the result that it has on a newly loaded module.
func TestThreats_AttacksInAnyOrder(t *testing.T) {
	rt := runtimes(t)["compiler"]
	requests := []string{"", "hello", strings.Repeat("x", 3_000)}
	type attack struct {
		m       *wasm.Module
		request string
		want    outcome
	}
	var all []attack
	for _, h := range readHostile(t) {
		if h.AtLoad || h.Limits.Fuel > 2_000_000 {
			continue
		}
		m := load(t, rt, h.Name, h.Module, h.Limits)
		for _, request := range requests {
			fresh := load(t, rt, h.Name, h.Module, h.Limits)
			all = append(all, attack{m, request, call(fresh, "score", []byte(request))})
			fresh.Close(context.Background())
		}
	}
	var done sync.WaitGroup
	for g := range 3 {
		done.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			for range 2 {
				for _, k := range random.Perm(len(all)) {
					a := all[k]
					if got := call(a.m, "score", []byte(a.request)); got != a.want {
						t.Errorf("%s with %d bytes gives %+v, on a fresh module %+v", a.m.Name(), len(a.request), got, a.want)
					}
				}
			}
		})
	}
	done.Wait()
}

// TestThreats_AreInSECURITY compares the table with the one in SECURITY.md, whose
// last column names tests that exist.
func TestThreats_AreInSECURITY(t *testing.T) {
	text, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| ([^|]+) \|.*\| ([^|]*) \|$`).FindAllStringSubmatch(string(text), -1)
	if len(rows) != len(threats) {
		t.Fatalf("%d rows, want %d", len(rows), len(threats))
	}
	for i, row := range rows {
		if row[1] != strconv.Itoa(i+1) || row[2] != threats[i].name {
			t.Errorf("row %s is %q, want row %d, %q", row[1], row[2], i+1, threats[i].name)
		}
		failed := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[3], -1)
		if open := threats[i].open != ""; open != (len(failed) == 0) {
			t.Errorf("row %s names %d tests, and is open: %v", row[1], len(failed), open)
		}
		for _, f := range failed {
			test, sub, _ := strings.Cut(f[1], "/")
			switch {
			case test == "...":
				if _, err := os.Stat("testdata/hostile/" + sub + ".wat"); err != nil {
					t.Errorf("row %s: %v", row[1], err)
				}
			case test == "TestScripts":
				if _, err := os.Stat("../../cmd/rubric-host/testdata/script/" + sub + ".txtar"); err != nil {
					t.Errorf("row %s: %v", row[1], err)
				}
			case !testOfThreat(t, threats[i], test):
				t.Errorf("row %s: none of the packages that the row names has %s", row[1], test)
			}
		}
	}
}

// testOfThreat reports whether a test is in this package or in one of those that a row
// of the table names.
func testOfThreat(t *testing.T, row threat, test string) bool {
	dirs := []string{"", "wasm/worker/", "wasm/meter/"}
	for _, name := range strings.Fields(row.tests) {
		dir, _ := filepath.Split(name)
		dirs = append(dirs, dir)
	}
	return slices.ContainsFunc(dirs, func(dir string) bool { return testExists(t, dir+test) })
}
