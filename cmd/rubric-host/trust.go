package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/store/postgres"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

// A project file, the rubric-host.yaml of the working directory or above, is part of a clone and untrusted: until
// the user trusts it, only harmless keys and values take effect (SECURITY.md). Others need no trust.

// A projectRule returns why an untrusted project file may not set a key to values, or
// "" if it may. own is the key's value in the user's own file, or "".
type projectRule func(p *configFile, values []string, own string) string

// projectRules are the keys that an untrusted project file may set, within bounds. A
// key that is neither here nor in harmlessKeys needs trust.
var projectRules = map[string]projectRule{
	"plugins": readsInside, "data": readsInside, "outputs": readsInside, "verdicts": readsInside,
	"replay": readsInside, "system-prompt": readsInside, "input": readsInside,
	"runs": writesInside, "record": writesInside, "out": writesInside, "sarif": writesInside,

	"fuel":        atMost(2_000_000_000),
	"peer-fuel":   atMost(20_000_000_000),
	"cpu":         atMost(float64(runtime.NumCPU())),
	"concurrency": atMost(mostJudgeCalls),
	"max-cost":    atMost(math.Inf(1)), "max-tokens": atMost(math.Inf(1)),
	"timeout": atMost(math.Inf(1)), "case-timeout": atMost(math.Inf(1)),

	"allow": func(_ *configFile, values []string, _ string) string {
		return "it grants plugins files or network: " + strings.Join(values, ", ")
	},
	"cache-dir": func(_ *configFile, values []string, _ string) string {
		return "machine code is loaded from there: " + strings.Join(values, ", ")
	},
	"store": func(p *configFile, values []string, own string) string {
		if slices.ContainsFunc(values, postgres.Is) {
			return "results and rubrics are sent to a database server"
		}
		return writesInside(p, values, own)
	},
	"isolate": func(_ *configFile, values []string, _ string) string {
		if slices.Equal(values, []string{string(worker.Never)}) {
			return "it runs third-party plugins without a process of their own"
		}
		return ""
	},
}

// untrustedCode is the diagnostic code of keys that need trust.
const untrustedCode = "untrusted"

// mostJudgeCalls is the maximum of calls in flight with --concurrency auto.
const mostJudgeCalls = 200

// harmlessKeys are the keys that an untrusted project file may set to any value.
var harmlessKeys = strings.Fields(`
	abstain attempts corpus criterion dialect display emit estimate export fail-fast failed fmt-check
	format fresh gate id interpreter judge lang limit lines map max-unscored
	no-compile-cache no-normalize output-format quiet repeat resume sample seed shard show-case strategy
	strict tag time to-version trace unscored validate-only verbose watch with`)

// readsInside allows paths within the project directory.
func readsInside(p *configFile, values []string, _ string) string {
	for _, v := range values {
		paths, _ := filepath.Glob(v) // a bad pattern is a name
		for _, path := range append(paths, v) {
			if v != "-" && !p.inside(path) {
				return fmt.Sprintf("it reads outside of the project: %q", v)
			}
		}
	}
	return ""
}

// writesInside allows paths within the project directory, except version control data.
func writesInside(p *configFile, values []string, _ string) string {
	for _, v := range values {
		path := v
		if o, err := parseOut(v); p.key == "out" && err == nil {
			path = o.path
		}
		if path == "-" {
			continue
		}
		if !p.inside(path) {
			return fmt.Sprintf("it writes outside of the project: %q", v)
		}
		for _, part := range strings.Split(filepath.ToSlash(path), "/") {
			if slices.Contains([]string{".git", ".hg", ".jj", ".svn"}, strings.ToLower(part)) {
				return fmt.Sprintf("it writes to the data of version control: %q", v)
			}
		}
	}
	return ""
}

// inside reports whether a path is in the project directory after following links.
func (p *configFile) inside(path string) bool {
	dir, err := filepath.Abs(filepath.Dir(p.file))
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return false
	}
	if path, err = filepath.Abs(path); err != nil {
		return false
	}
	rest := ""
	for {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			rel, err := filepath.Rel(dir, filepath.Join(real, rest))
			return err == nil && filepath.IsLocal(rel)
		}
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) { // a link that leads nowhere yet
			return false
		}
		parent := filepath.Dir(path)
		if parent == path { // a drive that is not there
			return false
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}

// atMost allows values up to the default limit or, if the user's own file sets the key,
// up to that. 0, "auto" and "" stand for the default.
func atMost(usual float64) projectRule {
	return func(_ *configFile, values []string, own string) string {
		most := usual
		if x := limitOf(own); x > 0 {
			most = x
		}
		for _, v := range values {
			x := cmp.Or(limitOf(v), usual)
			if x > most {
				return fmt.Sprintf("it raises a limit: %s", v)
			}
		}
		return ""
	}
}

// limitOf parses a number or a duration in seconds; it returns 0 for anything else.
func limitOf(v string) float64 {
	if d, err := time.ParseDuration(v); err == nil {
		return d.Seconds()
	}
	x, err := strconv.ParseFloat(v, 64)
	if err != nil || x != x {
		return 0
	}
	return x
}

// restrict marks the keys and judges of an untrusted project file that need trust.
func (p *configFile) restrict(own *configFile) {
	for key, e := range p.values {
		p.key = key
		switch rule := projectRules[key]; {
		case rule != nil:
			usual := ""
			if own != nil && len(own.values[key].values) == 1 {
				usual = own.values[key].values[0]
			}
			e.needs = rule(p, e.values, usual)
		case !slices.Contains(harmlessKeys, key):
			e.needs = "only you may set it: " + strings.Join(e.values, ", ")
		}
		p.values[key] = e
	}
	for _, j := range p.judges {
		j.untrusted = true
		switch url, keyed := j.written["base_url"]; {
		case keyed:
			j.needs = fmt.Sprintf("it sends cases, and the value of $%s, to %s", j.keyEnv, withoutUser(url.values[0]))
		case j.keyEnv != defaultKeyEnv:
			j.needs = fmt.Sprintf("it sends the value of $%s to a judge", j.keyEnv)
		case j.concurrency > mostJudgeCalls:
			j.needs = fmt.Sprintf("it raises a limit: %d calls in flight", j.concurrency)
		}
	}
}

// prices lists the judges whose prices need trust where a limit depends on them.
func (p *configFile) prices() (list diag.List) {
	for name, j := range p.judges {
		if j.needs == "" && j.endpoint.Priced() {
			list.Add(p.need(j.line, "judges."+name, pricesDecide))
		}
	}
	return list
}

// needs lists the keys and judges that need trust, by line.
func (p *configFile) needs() diag.List {
	var list diag.List
	for key, e := range p.values {
		if e.needs != "" {
			list.Add(p.need(e.line, key, e.needs))
		}
	}
	for name, j := range p.judges {
		if j.needs != "" {
			list.Add(p.need(j.line, "judges."+name, j.needs))
		}
	}
	list.Sort()
	return list
}

func (p *configFile) need(line int, key, why string) diag.Diagnostic {
	return diag.Diagnostic{Severity: diag.Error, Code: untrustedCode, Pos: diag.Pos{File: p.file, Line: line}, Message: fmt.Sprintf("%s needs your trust: %s", key, why)} // never truncated: the rest could be the dangerous part
}

// untrusted returns an error that lists the refused keys that a command would use.
func (p *configFile) untrusted(list diag.List) error {
	state := "read"
	if p.changed {
		state = "it changed since you trusted it; read"
	}
	for i := range list {
		list[i].Hint = ""
	}
	list[len(list)-1].Hint = fmt.Sprintf("%s %s, then run: rubric-host config trust %s", state, p.file, diag.Shell(filepath.Dir(p.file)))
	return list.Err()
}

// usable returns an error if other users can write to a project file.
func usable(path string) error {
	for _, name := range []string{path, filepath.Dir(path)} {
		info, err := os.Stat(name)
		if err == nil {
			err = private.CheckWrite(name, info)
		}
		if err != nil {
			return fault.WithHint(fault.New(fault.Invalid, "configuration: %w", err),
				"to use it anyway: --config %s; to use none: --config %s", diag.Shell(path), noConfig)
		}
	}
	return nil
}

// trustMark returns the path of a project file, with links resolved, and that of the file in the user's state
// directory which says with what content it is trusted. The project file may be gone.
func trustMark(path string) (real, mark string, err error) {
	if real, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	if resolved, err := filepath.EvalSymlinks(real); err == nil {
		real = resolved
	}
	dir, err := private.StateDir()
	return real, filepath.Join(dir, "trusted", strings.TrimPrefix(digest.Of([]byte(real)), "sha256:")), err
}

// trustText is the content of the mark of a project file with that content.
func trustText(real string, src []byte) []byte { return []byte(digest.Of(src) + " " + real + "\n") }

// trust reports whether the user trusts a project file with that content.
func (p *configFile) trust(src []byte) (trusted bool, err error) {
	real, mark, err := trustMark(p.file)
	if err != nil {
		return false, nil //nolint:nilerr // as in a container without a home: nothing is trusted
	}
	info, err := os.Lstat(mark)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = private.Check(mark, info)
	}
	if err != nil {
		return false, fault.New(fault.Invalid, "trusted project files: %w", err)
	}
	text, err := file.Read(mark, maxConfig)
	if err != nil {
		return false, err
	}
	p.changed = !bytes.Equal(text, trustText(real, src))
	return !p.changed, nil
}
