// Package postgrestest starts a PostgreSQL server for tests.
//
// Stability: experimental.
package postgrestest

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// A Server is a running server with nothing in it, which listens on a socket only.
type Server struct {
	url     string
	stop    func()
	schemas atomic.Int64
}

// Wanted reports whether CI_REQUIRE_POSTGRES is set, as make postgres-check does. It panics if
// there is no server to start.
func Wanted() bool {
	wanted := os.Getenv("CI_REQUIRE_POSTGRES") != ""
	if wanted && programs() == "" {
		panic("no PostgreSQL server is installed")
	}
	return wanted
}

// URL returns the URL of the database.
func (s *Server) URL() string { return s.url }

// Fresh returns the URL of a new, empty schema.
func (s *Server) Fresh() string {
	return fmt.Sprintf("%s&search_path=test_%d", s.url, s.schemas.Add(1))
}

// Stop ends the server, and removes its files.
func (s *Server) Stop() { s.stop() }

// Start starts a server. PostgreSQL refuses to run as root: then it runs as nobody.
func Start() (*Server, error) {
	bin := programs()
	dir, err := os.MkdirTemp(inMemory(), "postgres")
	if err != nil {
		dir, err = os.MkdirTemp("", "postgres")
	}
	if err != nil {
		return nil, err
	}
	as, err := owner(dir)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	var out bytes.Buffer
	run := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "-N")
	run.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	run.SysProcAttr, run.Dir, run.Stdout, run.Stderr = as, dir, &out, &out
	if err := run.Run(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out.String())
	}
	db := exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200")
	db.SysProcAttr, db.Dir, db.Stdout, db.Stderr = as, dir, &out, &out
	if err := db.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		db.Process.Signal(syscall.SIGINT) //nolint:errcheck // it ends with the tests, one way or the other
		db.Wait()                         //nolint:errcheck // see above
		os.RemoveAll(dir)                 //nolint:errcheck // a temporary directory
	}
	at := "postgres:///postgres?" + url.Values{"host": {dir}, "user": {"tester"}}.Encode()
	for range 600 {
		ready := exec.Command(filepath.Join(bin, "pg_isready"), "-q", "-h", dir)
		if ready.Run() == nil {
			return &Server{url: at, stop: stop}, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	stop()
	return nil, fmt.Errorf("the server does not start:\n%s", out.String())
}

// programs returns the directory of the newest server that is installed, or "".
func programs() string {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return ""
	}
	slices.SortFunc(found, func(a, b string) int { return number(b) - number(a) })
	return filepath.Dir(found[0])
}

// number returns the major version in the path of a program.
func number(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}
