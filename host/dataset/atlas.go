package dataset

// atlas gives every line of every file a number of 32 bits, in the order read.
type atlas struct {
	files []mapped
	next  uint64 // one past the highest number given
}

type mapped struct {
	name  string
	first uint64 // number of the file's line 0
}

// open begins a file after the lines of the one before it.
func (a *atlas) open(name string) { a.files = append(a.files, mapped{name, a.next}) }

// number returns the number of a line of the file opened last; beyond 2³² lines
// it stays at the highest.
func (a *atlas) number(line int) uint32 {
	n := a.files[len(a.files)-1].first + uint64(max(0, line))
	a.next = max(a.next, n+1)
	return uint32(min(n, 1<<32-1))
}

// place returns the file and line of a number.
func (a *atlas) place(number uint32) (file string, line int) {
	for i := len(a.files) - 1; i >= 0; i-- {
		if f := a.files[i]; f.first <= uint64(number) {
			return f.name, int(uint64(number) - f.first)
		}
	}
	return "", 0
}
