package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestWhatIsSavedIsSeenOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "score.js")
	save := func(text string) {
		if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	one, two, broken := "export const score = () => 1\n", "export const score = () => 0.5\n", "export const score = ("
	save(one)
	ctx, stop := context.WithCancel(context.Background())
	tick, done := make(chan time.Time), make(chan struct{})
	var seen []string
	go func() {
		follow(ctx, tick, func() string { return stateOf(path) }, func() {
			text, err := os.ReadFile(path)
			if err != nil {
				text = []byte("gone")
			}
			seen = append(seen, string(text))
		})
		close(done)
	}()
	looked := func() { // the last is taken after those before were looked after
		for range 4 {
			tick <- time.Time{}
		}
	}
	for _, step := range []func(){func() {}, func() { save(two) }, func() {}, func() { save(broken) }, func() { os.Remove(path) }, func() { save(one) }} {
		looked()
		step()
		looked()
	}
	stop()
	<-done
	if want := []string{one, two, broken, "gone", one}; !slices.Equal(seen, want) {
		t.Errorf("seen %q, want %q", seen, want)
	}
}
