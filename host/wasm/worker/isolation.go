package worker

// Isolation says which plugins run in worker processes: a second layer of
// isolation around the sandbox. Scores do not depend on it.
type Isolation string

// The kinds of isolation.
const (
	Auto   Isolation = "auto"   // all but built-in plugins without a peer, in programs that can be a worker
	Always Isolation = "always" // all; host.New fails where that is impossible
	Never  Isolation = "never"  // none
)
