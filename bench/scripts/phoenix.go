package main

import (
	"archive/zip"
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/rubric-host/rubric-host/bench/scorers"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
)

//go:embed phoenix.py
var phoenixDriver string

// rounds are how often both sides are measured in turn; phoenixCalls is how many
// calls of Phoenix's one is, and ours are so many times as many.
const (
	rounds       = 5
	phoenixCalls = 12
	times        = 50
)

// A phoenix is a process that runs Phoenix's backend. It stays.
type phoenix struct {
	in   io.WriteCloser
	out  *bufio.Reader
	stop func() error
}

// A measured is the figures of Phoenix for some calls.
type measured struct {
	Took []time.Duration `json:"took"`
	All  time.Duration   `json:"all"`
	CPU  time.Duration   `json:"cpu"`
	Said []string        `json:"said"`
}

func startPhoenix(ctx context.Context, python, module string, source []byte, requests [][]byte) (*phoenix, error) {
	cmd := exec.CommandContext(ctx, python, "-c", phoenixDriver)
	cmd.Env, cmd.Stderr = append(os.Environ(), "PHOENIX_WASM_BINARY_PATH="+module), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &phoenix{in, bufio.NewReader(out), func() error { return errors.Join(in.Close(), cmd.Wait()) }}
	texts := make([]string, len(requests))
	for k, r := range requests {
		texts[k] = string(r)
	}
	return p, p.tell(map[string]any{"source": string(source), "requests": texts})
}

func (p *phoenix) tell(v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = p.in.Write(append(b, '\n'))
	}
	return err
}

// measure makes calls, some of them at the same time.
func (p *phoenix) measure(calls, together int) (m measured, err error) {
	if err := p.tell(map[string]int{"calls": calls, "together": together}); err != nil {
		return m, err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(line, &m, jsonv1.FormatDurationAsNano(true))
}

// besidePhoenix measures one scorer here and in Phoenix, in turn, and compares the
// answers, which are of the same interpreter.
func besidePhoenix(ctx context.Context, m *wasm.Module, python, module, name string) error {
	source, err := scorers.Source(name)
	if err != nil {
		return err
	}
	requests := pairs()
	p, err := startPhoenix(ctx, python, module, []byte(source), requests)
	if err != nil {
		return err
	}
	first, err := p.measure(1, 1)
	if err != nil {
		return errors.Join(err, p.stop())
	}
	var ours, theirs, cpu []time.Duration
	var ourRate, theirRate []float64
	together := runtime.GOMAXPROCS(0)
	for range rounds {
		one, err := here(ctx, m, requests, phoenixCalls*times)
		if err != nil {
			return err
		}
		rate, err := everywhere(ctx, m, requests, phoenixCalls*times)
		if err != nil {
			return err
		}
		alone, err := p.measure(phoenixCalls, 1)
		if err == nil {
			err = sameAnswers(ctx, m, requests, alone.Said)
		}
		if err != nil {
			return errors.Join(err, p.stop())
		}
		many, err := p.measure(phoenixCalls*together, together)
		if err != nil {
			return errors.Join(err, p.stop())
		}
		ours, theirs, cpu = append(ours, one), append(theirs, median(alone.Took)), append(cpu, alone.CPU/phoenixCalls)
		ourRate, theirRate = append(ourRate, rate), append(theirRate, float64(len(many.Took))/many.All.Seconds())
	}
	slices.Sort(ourRate)
	slices.Sort(theirRate)
	a, b, r, s := median(ours), median(theirs), ourRate[rounds/2], theirRate[rounds/2]
	fmt.Fprintf(os.Stdout, "%-8s ours %.2f ms, Phoenix %.1f ms, %.1f ms of processors: %.0f times, %.0f times; a second, all: ours %.0f, Phoenix %.1f: %.0f times; Phoenix's first %.1f s; answers are the same\n",
		name, us(a)/1000, us(b)/1000, us(median(cpu))/1000, us(b)/us(a), us(median(cpu))/us(a), r, s, r/s, first.All.Seconds())
	return p.stop()
}

func sameAnswers(ctx context.Context, m *wasm.Module, requests [][]byte, said []string) error {
	for k, s := range said {
		answer, _, err := m.Call(ctx, script.DefaultExport, requests[k%len(requests)], nil)
		if err != nil {
			return err
		}
		var a, b struct{ Score float64 }
		if err := errors.Join(json.Unmarshal(answer, &a, json.MatchCaseInsensitiveNames(true)), json.Unmarshal([]byte(s), &b, json.MatchCaseInsensitiveNames(true))); err != nil {
			return err
		}
		if a != b {
			return fmt.Errorf("it is answered %s by Phoenix and %s here", s, answer)
		}
	}
	return nil
}

// unpacked returns the path of the module in a wheel, unpacked into dir.
func unpacked(wheel, dir string) (string, error) {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return "", err
	}
	defer z.Close()
	for _, f := range z.File {
		if path.Ext(f.Name) != ".wasm" || strings.Contains(f.Name, "..") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return "", err
		}
		defer r.Close()
		file := filepath.Join(dir, "python.wasm")
		b, err := io.ReadAll(io.LimitReader(r, 64<<20))
		if err != nil {
			return "", err
		}
		return file, os.WriteFile(file, b, 0o600)
	}
	return "", fmt.Errorf("%s holds no module", wheel)
}
