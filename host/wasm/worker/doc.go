// Package worker runs the modules of package wasm in processes of their own, as defence
// in depth. If the sandbox fails - a defect of the compiler, a fatal error of the runtime,
// an endless loop that nothing interrupts - a worker dies, and one call fails.
//
//	func main() {
//		worker.Main() // does not return in a process that was started as a worker
//		...
//		rt, err := worker.New(worker.Options{})
//		m, err := rt.Load(ctx, wasm.Source{Name: "bleu", Module: module}, wasm.Limits{})
//		answer, usage, err := m.Call(ctx, "bleu", request, answer)
//
// Load and Call have the answers, the fuel and the errors of package wasm. Each module has
// a worker of its own, so that untrusted modules cannot harm each other. Any number of
// calls may run at once.
//
// A worker that dies is restarted. Its pending calls are retried, one at a time; a call
// that kills its worker again fails with class fault.Worker, and no other does. A worker
// that is still busy with a call after its deadline is killed, and the call fails with
// class fault.Deadline.
//
// Workers have no access to granted files and hosts. A call requests each file and each
// HTTP request from the parent, which checks it against the grants, the call, and the
// files that the call has open.
//
// A worker drops its privileges before it reads anything of a module; see Finding. Its
// environment is empty, and its working directory is the root.
//
// Stability: experimental.
package worker
