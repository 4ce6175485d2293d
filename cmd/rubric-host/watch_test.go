package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestWatch_SeesASaveOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "score.js")
	save := func(text string) {
		must(t, os.WriteFile(path+".new", []byte(text), 0o600))
		must(t, os.Rename(path+".new", path))
	}
	one, two, broken := "export const score = () => 1\n", "export const score = () => 0.5\n", "export const score = ("
	save(one)
	ctx, stop := context.WithCancel(context.Background())
	tick, done := make(chan time.Time), make(chan struct{})
	var seen []string
	did := make(chan struct{}, 8)
	go func() {
		follow(ctx, tick, func() string { return stateOf(path) }, func() {
			defer func() { did <- struct{}{} }()
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
	<-did
	for _, step := range []func(){nil, func() { save(two) }, nil, func() { save(broken) }, func() { os.Remove(path) }, func() { save(one) }} {
		looked()
		if step != nil {
			step()
		}
		looked()
		if step != nil {
			<-did
		}
	}
	stop()
	<-done
	if want := []string{one, two, broken, "gone", one}; !slices.Equal(seen, want) {
		t.Errorf("seen %q, want %q", seen, want)
	}
}
