package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
)

// looks is how often files are looked at.
const looks = 200 * time.Millisecond

// watchFiles runs a function now, and again whenever the files at a path change, until ctx is done.
func watchFiles(ctx context.Context, con *console, path string, do func(context.Context) error) error {
	if _, err := plugin.ReadFile(path); fault.Is(err, fault.NotFound) {
		return fault.WithHint(err, "--watch requires the path of a plugin")
	}
	tick := time.NewTicker(looks)
	defer tick.Stop()
	con.say("watching %s; end with Ctrl-C", diag.Plain(path))
	follow(ctx, tick.C, func() string { return stateOf(path) }, func() {
		con.told = false
		if err := fault.Guard(func() error { return do(ctx) }); ctx.Err() == nil {
			con.report(err)
		}
	})
	return nil
}

// follow runs a function at once, and again whenever the result of look changed and then stayed the same for two
// ticks: half-written files are not read.
func follow(ctx context.Context, tick <-chan time.Time, look func() string, do func()) {
	seen := look()
	last := seen
	for do(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		now := look()
		if now == last && now != seen {
			seen = now
			do()
		}
		last = now
	}
}

// stateOf digests a plugin's files: its module or script, with its imports, and its
// cases. An unreadable file has a state too.
func stateOf(path string) string {
	pl, err := plugin.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	_, cases, err := pl.ReadCases()
	return fmt.Sprint(pl.Digest, pl.Manifest, digest.Of(cases), err)
}
