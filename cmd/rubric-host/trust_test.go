package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestConfig_UntrustedProjectFiles compares the tables of keys with the flags that exist, checks
// that a key in neither table is refused, and tries values at their bounds.
func TestConfig_UntrustedProjectFiles(t *testing.T) {
	known := newProgram(nil, nil, nil).settings.flagNames()
	for _, key := range harmlessKeys {
		if !slices.Contains(known, key) || projectRules[key] != nil {
			t.Errorf("%s: no flag has this key, or it has a rule too", key)
		}
	}
	for key := range projectRules {
		if !slices.Contains(known, key) {
			t.Errorf("%s: no flag has this key", key)
		}
	}
	// A key in neither table is refused, whatever its value.
	for _, key := range known {
		if projectRules[key] != nil || slices.Contains(harmlessKeys, key) {
			continue
		}
		p := &configFile{file: filepath.Join(t.TempDir(), configName), values: map[string]entry{key: {line: 1, values: []string{"x"}}}}
		p.restrict(nil)
		if list := p.needs(); len(list) != 1 || !strings.Contains(list[0].Message, key+" needs your trust: only you may set it: x") {
			t.Errorf("%s: %v, want it refused", key, list)
		}
	}
	// Keys that write or overwrite files which the command does not name are never harmless.
	for _, key := range []string{"allow", "cache-dir", "convert-out", "convert-force", "fmt-write", "migrate-out", "schema-out"} {
		if slices.Contains(harmlessKeys, key) || !slices.Contains(known, key) {
			t.Errorf("%s is harmless, or no key", key)
		}
	}

	dir := t.TempDir()
	project := filepath.Join(dir, "project")
	for _, d := range []string{"project/sub", "outside"} {
		must(t, os.MkdirAll(filepath.Join(dir, d), 0o700))
	}
	for link, to := range map[string]string{"out": "../outside", "in": "sub", "nowhere": "../outside/new", "file": "../outside/file"} {
		if err := os.Symlink(to, filepath.Join(project, link)); err != nil {
			if runtime.GOOS != "windows" {
				t.Fatal(err)
			}
			t.Skipf("needs the right to create symbolic links: %v", err)
		}
	}
	tests := []struct{ line, own, says string }{
		{"plugins: [sub, in]", "", ""},
		{"plugins: [sub, ../outside]", "", "reads outside"},
		{"data: /etc/passwd", "", "reads outside"},
		{"data: 'f*'", "", "reads outside"}, // it matches a link that leads out
		{"data: ['-', new/*.jsonl]", "", ""},
		{"replay: sub/../../outside/x", "", "reads outside"},
		{"system-prompt: out/x", "", "reads outside"},
		{"input: file", "", "reads outside"},
		{"runs: new/runs", "", ""},
		{"runs: out/runs", "", "writes outside"},
		{"record: nowhere", "", "writes outside"},
		{"record: nowhere/deeper", "", "writes outside"},
		{"record: .GIT/hooks/x", "", "version control"},
		{"fuel: 2000000000", "", ""},
		{"fuel: 2000000001", "", "raises a limit"},
		{"fuel: 3000000000", "fuel: 4000000000", ""},
		{"fuel: 0", "fuel: 1000", "raises a limit"},
		{"concurrency: auto", "", ""},
		{"concurrency: 201", "", "raises a limit"},
		{"concurrency: auto", "concurrency: 2", "raises a limit"},
		{"max-cost: 1000", "", ""},
		{"max-cost: 10", "max-cost: 5", "raises a limit"},
		{"max-cost: 0", "max-cost: 5", "raises a limit"},
		{"max-cost: 5", "max-cost: 5", ""},
		{"timeout: 2h", "timeout: 90m", "raises a limit"},
		{"timeout: 80m", "timeout: 90m", ""},
		{"isolate: always", "", ""},
		{"isolate: never", "", "without a process of their own"},
		{"allow: x=clock", "", "x=clock"},
		{"gate: mean>=0", "", ""},
		{"judges: {a: {model: m, temperature: 0}}", "", ""},
		{"judges: {a: {model: m, api_key_env: OPENAI_API_KEY}}", "", ""},
		{"judges: {a: {base_url: 'http://user:pa55@h/v1'}}", "", "and the value of $OPENAI_API_KEY, to http://user:xxxxx@h/v1"},
		{"judges: {a: {api_key_env: HOME}}", "", "the value of $HOME to a judge"},
		{"judges: {a: {concurrency: 500}}", "", "500 calls in flight"},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			s := someProgram().settings
			file, err := s.parse(filepath.Join(project, configName), []byte(tt.line+"\n"))
			must(t, err)
			own, err := s.parse("own", []byte(tt.own))
			must(t, err)
			file.restrict(own)
			got := file.needs()
			switch {
			case tt.says == "" && len(got) > 0:
				t.Errorf("refused: %v", got)
			case tt.says != "" && (len(got) != 1 || !strings.Contains(got[0].Message, tt.says)):
				t.Errorf("%v; want %q", got, tt.says)
			}
		})
	}
}
