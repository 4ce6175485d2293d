package runner

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// List returns the ids of the runs below root, oldest first by their recorded
// start: names follow the clock, which may have been set back. Runs whose record
// names no start come first. A root that does not exist has none.
func List(root string) ([]string, error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, dirFault(root, err)
	}
	type begun struct {
		id string
		at time.Time
	}
	var list []begun
	for _, e := range entries {
		path := filepath.Join(root, e.Name(), RunFile)
		if _, err := os.Stat(path); err == nil {
			list = append(list, begun{e.Name(), startOf(path)})
		}
	}
	slices.SortFunc(list, func(a, b begun) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	return xslices.Map(list, func(b begun) string { return b.id }), nil
}

// startOf reads when a run began from the beginning of its record. The zero time:
// the record does not say.
func startOf(path string) time.Time {
	f, err := file.Open(path, os.O_RDONLY)
	if err != nil {
		return time.Time{}
	}
	defer f.Close()
	var run struct {
		Started time.Time `json:"started"`
	}
	_ = json.UnmarshalRead(io.LimitReader(f, 16<<10), &run) // what is behind the time may be cut
	return run.Started
}

// Find returns the directory of the run that name means: a path, also of its RunFile, a directory's name or id,
// the beginning, the end or four characters and more of only one name, or "latest": the one that began last,
// or "previous": the one before it.
func Find(root, name string) (string, error) {
	if name == "" { // a variable that is not set, which would be the beginning of any id
		return "", fault.New(fault.Usage, "the name of the run is empty")
	}
	dir := name
	if filepath.Base(name) == RunFile {
		dir = filepath.Dir(name)
	}
	if _, err := os.Stat(filepath.Join(dir, RunFile)); err == nil {
		return dir, nil
	}
	ids, err := List(root)
	if err != nil {
		return "", err
	}
	var found []string
	for _, id := range ids {
		if id == name {
			return filepath.Join(root, id), nil
		}
		if strings.HasPrefix(id, name) || strings.HasSuffix(id, name) || len(name) >= 4 && strings.Contains(id, name) {
			found = append(found, id)
		}
	}
	for i := 0; i < len(ids) && len(found) == 0; i++ { // the directory may have been renamed
		if run, err := ReadRun(filepath.Join(root, ids[i])); err == nil && run.ID == name {
			found = ids[i : i+1]
		}
	}
	switch {
	case name == "latest" && len(ids) > 0:
		return filepath.Join(root, ids[len(ids)-1]), nil
	case name == "previous" && len(ids) > 1:
		return filepath.Join(root, ids[len(ids)-2]), nil
	case len(found) == 1:
		return filepath.Join(root, found[0]), nil
	case len(found) > 1:
		const most = 5
		newest := found[max(0, len(found)-most):]
		return "", fault.WithHint(fault.New(fault.NotFound, "%q matches %d runs, the newest %s", name, len(found), strings.Join(newest, ", ")), "write more of the id")
	}
	hint := fault.OptionListRuns + " shows all runs"
	for _, dir := range []string{name, filepath.Join(root, name)} {
		switch info, err := os.Stat(dir); {
		case err != nil:
		case info.IsDir():
			return "", fault.WithHint(fault.New(fault.NotFound, "the directory %s is not a run: it has no %s", dir, RunFile), "%s", hint)
		default:
			return "", fault.WithHint(fault.New(fault.NotFound, "%s is a file, not a run", dir), "name the run by its id or directory; %s", hint)
		}
	}
	if len(ids) == 0 {
		return "", fault.WithHint(fault.New(fault.NotFound, "there are no runs in %s", root), "evaluate a dataset to make one")
	}
	if name == "previous" {
		return "", fault.WithHint(fault.New(fault.NotFound, "there is no run before %s in %s", ids[0], root), "%s", hint)
	}
	if near := diag.Suggest(name, append(ids, "latest", "previous")); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return "", fault.WithHint(fault.New(fault.NotFound, "no run %q in %s", name, root), "%s", hint)
}

// FindFinished is Find for a run that another one starts from: latest and previous mean finished
// runs, for an unfinished one may be the run that the command resumes. past names the newest run
// that was passed over; empty: none was.
func FindFinished(root, name string) (dir, past string, err error) {
	back := map[string]int{"latest": 1, "previous": 2}[name]
	if dir, err = Find(root, name); err != nil || back == 0 || filepath.Base(dir) == name {
		return dir, "", err
	}
	ids, err := List(root)
	if err != nil {
		return "", "", err
	}
	for _, id := range slices.Backward(ids) {
		dir := filepath.Join(root, id)
		if run, err := ReadRun(dir); err != nil || run.Status != result.Finished {
			past = cmp.Or(past, id)
		} else if back--; back == 0 {
			return dir, past, nil
		}
	}
	return "", "", fault.WithHint(fault.New(fault.NotFound, "%q: no such run in %s is finished", name, root), "%s", fault.OptionListRuns+" shows all runs")
}
