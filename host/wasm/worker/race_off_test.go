//go:build !race

package worker

// raceEnabled says that the race detector is on, under which compiling an
// interpreter takes half a minute.
const raceEnabled = false
