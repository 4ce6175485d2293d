package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/cache"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// answersDir is the directory of the answer cache: below --cache-dir if that is
// given, else below the user's cache directory. Empty if there is none.
func answersDir(cacheDir string) string {
	if cacheDir != "" {
		return filepath.Join(cacheDir, "answers")
	}
	return userCache("answers")
}

// userCache returns a directory of the program below the user's cache directory; empty if there
// is none, as without a home.
func userCache(part string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "rubric-host", part)
}

// compiledCache is the usual directory of compiled plugins; empty if there is none.
func compiledCache() string { return userCache("compiled") }

// runtimeVariable names the directory of installed runtimes, where it is not the
// usual one.
const runtimeVariable = "RUBRIC_HOST_RUNTIMES"

// runtimeDir is where the runtimes of scripts, and the data files of plugins, are installed; empty
// if no home directory is known.
func runtimeDir() string { return cmp.Or(os.Getenv(runtimeVariable), userCache("runtimes")) }

func cacheCommand(p *program) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use: "cache", Short: "Show, shrink and clear the cache of answers",
		Long: "The cache keeps judge answers, and results of plugin calls that take over a millisecond, by\n" +
			"the digest of everything that decides them. eval --cache off, read or refresh changes its use.",
	}
	cmd.PersistentFlags().StringVar(&dir, "cache-dir", "", "directory of caches (default: in the user's cache directory)")
	info := &cobra.Command{
		Use: "info", Short: "Show where the cache is and how large", Example: "rubric-host cache info --json",
		RunE: func(*cobra.Command, []string) error { return cacheInfo(p.console, answersDir(dir)) },
	}
	maxSize := "1GiB"
	prune := &cobra.Command{
		Use: "prune", Short: "Remove the least recently used answers above a size",
		Example: "rubric-host cache prune --max-size 200MiB",
		RunE:    func(*cobra.Command, []string) error { return cachePrune(p.console, answersDir(dir), maxSize) },
	}
	prune.Flags().StringVar(&maxSize, "max-size", maxSize, "size to keep, such as 200MiB or 1GiB")
	clear := &cobra.Command{
		Use: "clear", Short: "Remove every answer", Example: "rubric-host cache clear",
		RunE: func(*cobra.Command, []string) error { return p.removedAnswers(cache.Clear(answersDir(dir))) },
	}
	cmd.AddCommand(info, prune, clear)
	return cmd
}

func cacheInfo(con *console, dir string) error {
	info, err := cache.Describe(dir)
	if err != nil {
		return fault.As(fault.Invalid, err)
	}
	if con.json {
		return con.printJSON(struct {
			cache.Info
			MaxBytes int64 `json:"max_bytes"`
		}{info, cache.DefaultMaxBytes})
	}
	t := con.table()
	t.row("directory", dir)
	t.row("answers", diag.Thousands(info.Entries))
	t.line("size", "%s of %s", sizeOf(info.Bytes), sizeOf(cache.DefaultMaxBytes))
	if info.Entries > 0 {
		t.line("last used", "%s to %s", moment(info.Oldest), moment(info.Newest))
	}
	return t.Flush()
}

func cachePrune(con *console, dir, maxSize string) error {
	limit, err := parseSize(maxSize)
	if err != nil {
		return fault.WithHint(fault.New(fault.Usage, "invalid --max-size %q: %w", maxSize, err), "use a number with a unit, such as 200MiB or 1GiB")
	}
	return con.removedAnswers(cache.Prune(dir, limit))
}

func (con *console) removedAnswers(n int, err error) error {
	if err != nil {
		return fault.As(fault.Invalid, err)
	}
	return con.answer(map[string]int{"removed": n}, "removed %s", diag.Count(n, "answer"))
}

// sizeUnits are the units of sizes, largest first.
var sizeUnits = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// sizeOf writes a number of bytes for a person.
func sizeOf(n int64) string {
	for _, u := range sizeUnits {
		if n >= u.bytes && u.bytes > 1 {
			return strconv.FormatFloat(float64(n)/float64(u.bytes), 'f', 1, 64) + " " + u.name
		}
	}
	return fmt.Sprintf("%d B", n)
}

// parseSize reads a number of bytes with a unit; without one it is bytes.
func parseSize(s string) (int64, error) {
	number, unit := strings.TrimSpace(s), int64(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(strings.ToUpper(number), strings.ToUpper(u.name)); ok {
			number, unit = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x >= 0 && x*float64(unit) < 1<<62) {
		return 0, fmt.Errorf("not a size")
	}
	return int64(x * float64(unit)), nil
}
