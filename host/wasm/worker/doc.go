// Package worker runs the modules of package wasm in processes of their own: the
// second wall. What breaks the first one - a defect of the compiler, a fatal
// error of the runtime, an endless loop that nothing interrupts - takes a worker
// down, and with it one verdict.
//
//	func main() {
//		worker.Main() // a program that is started as a worker is one, and ends here
//		...
//		rt, err := worker.New(worker.Options{})
//		m, err := rt.Load(ctx, wasm.Source{Name: "bleu", Module: module}, wasm.Limits{})
//		answer, usage, err := m.Call(ctx, "bleu", request, answer)
//
// Load and Call do what those of package wasm do, with the same answers, the same
// fuel and the same errors. Each module has one worker: modules that nobody
// vouches for cannot harm each other either. Calls are sent as they come, many at
// a time, and any number may be under way.
//
// A worker that dies is started again. The calls that were under way are made
// once more, one at a time; the one that takes its worker down again fails with
// class fault.Worker, and no other. A worker that is still busy with a call after
// its deadline is killed, and the call fails with class fault.Deadline.
//
// What a module was granted, its worker does not have: a call asks the parent for
// each file and each request, who holds that to the grants, to the call, and to the
// files that the call has open.
//
// A worker reads nothing of a module before it has given up what the operating
// system lets it give up; see Finding. It has no environment, and its working
// directory is the root.
//
// Stability: experimental.
package worker
