//go:build race

package dataset_test

// raceEnabled says that the race detector is on, under which everything takes ten
// times as long.
const raceEnabled = true
