package main

import (
	"cmp"
	"math"
	"os"
	"path/filepath"

	"github.com/dustin/go-humanize"
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
	t.line("size", "%s of %s", humanize.IBytes(uint64(info.Bytes)), humanize.IBytes(cache.DefaultMaxBytes))
	if info.Entries > 0 {
		t.line("last used", "%s to %s", moment(info.Oldest), moment(info.Newest))
	}
	return t.Flush()
}

func cachePrune(con *console, dir, maxSize string) error {
	limit, err := humanize.ParseBytes(maxSize)
	if err != nil || limit > math.MaxInt64 {
		return fault.WithHint(fault.New(fault.Usage, "invalid --max-size %q", maxSize), "use a number with a unit, such as 200MiB or 1GiB")
	}
	return con.removedAnswers(cache.Prune(dir, int64(limit)))
}

func (con *console) removedAnswers(n int, err error) error {
	if err != nil {
		return fault.As(fault.Invalid, err)
	}
	return con.answer(map[string]int{"removed": n}, "removed %s", diag.Count(n, "answer"))
}
