package worker

// A Finding says whether something that a worker gives up before it reads a
// module was given up.
type Finding struct {
	Name string
	Err  error // why not; nil if it was
}
