package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestJudgeKey_ReachesNoArtefact evaluates against endpoints that send the API key
// back in every way, and looks for it in all that is printed and written: the run
// directory, reports of every format, the cache.
func TestJudgeKey_ReachesNoArtefact(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel()
	const key = "sk-canary-41d8c27b90"
	completion := func(finish, content string) string {
		return fmt.Sprintf(`{"id":"%s","object":"chat.completion","model":"%s","choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"%s"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`, key, key, content, finish)
	}
	failure := fmt.Sprintf(`{"error":{"message":"no such key: Bearer %s","type":"%s","code":"%s"}}`, key, key, key)
	answer := func(status, body string) string {
		return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: application/json\r\nX-Key: %s\r\nContent-Length: %d\r\n\r\n%s", status, key, len(body), body)
	}
	for name, sent := range map[string]string{
		"400":            answer("400 "+key, failure),
		"401":            answer("401 Unauthorized "+key, failure),
		"404":            answer("404 Not Found", failure),
		"429":            strings.Replace(answer("429 "+key, failure), "\r\n", "\r\nRetry-After: 86400\r\n", 1),
		"500":            answer("500 "+key, failure),
		"a page":         answer("502 Bad Gateway", "<html>"+key+"</html>"),
		"a redirect":     "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/?key=" + key + "\r\nContent-Length: 0\r\n\r\n",
		"no status":      "HTTP/1.1 000 " + key + "\r\n\r\n" + key,
		"no HTTP":        key + "\r\n\r\n",
		"bad header":     "HTTP/1.1 200 OK\r\n" + key + "\r\n\r\n",
		"bad length":     "HTTP/1.1 200 OK\r\nContent-Length: " + key + "\r\n\r\n",
		"finish reason":  answer("200 OK", completion(key, "")),
		"no answer":      answer("200 OK", completion("stop", "the key is "+key)),
		"a bad verdict":  answer("200 OK", completion("stop", `{"verdict":"`+key+`"}`)),
		"a reason":       answer("200 OK", completion("stop", `{"verdict":"MET","reason":"`+key+`","nonce":"`+key+`"}`)),
		"no JSON":        answer("200 OK", "{"+key),
		"answered twice": answer("200 OK", completion("stop", key)) + answer("200 OK", completion("stop", key)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			address, asked := parrot(t, sent)
			env := append(os.Environ(), "OPENAI_API_KEY="+key, "OPENAI_BASE_URL=http://"+address+"/v1")
			for _, v := range []string{"HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
				env = append(env, v+"="+filepath.Join(dir, "home"))
			}
			var printed bytes.Buffer
			program := func(args ...string) {
				cmd := exec.Command("rubric-host", args...)
				cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &printed, &printed
				if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
					t.Fatal(err)
				}
			}
			for file, text := range map[string]string{
				"r.yaml":     "rubric: r\npass: 0.5\ncriteria:\n  - {id: good, judge: It is good.}\n",
				"data.jsonl": `{"id":"a","input":"q","output":"x"}` + "\n" + `{"id":"b","input":"q","output":"y"}` + "\n",
			} {
				must(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			args := []string{"eval", "r.yaml", "data.jsonl", "--judge", "openai:m", "-v", "-j", "1", "--attempts", "1", "--record", "calls.jsonl", "--timeout", "3s"}
			for _, ext := range []string{"html", "md", "csv", "json", "jsonl", "xml"} {
				args = append(args, "-o", "r."+ext)
			}
			program(args...)
			program("failures", "latest", "a")
			if strings.Contains(printed.String(), key) {
				t.Errorf("printed:\n%s", &printed)
			}
			files := 0
			err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				files++
				text, err := os.ReadFile(path)
				if bytes.Contains(text, []byte(key)) {
					t.Errorf("%s has the key", path)
				}
				return err
			})
			if _, problem := os.Stat(filepath.Join(dir, "r.html")); err != nil || problem != nil || files < 8 || asked.Load() == 0 {
				t.Errorf("%d files, %d requests, %v, %v: %s", files, asked.Load(), err, problem, &printed)
			}
		})
	}
}

// parrot starts a server that sends the same bytes for every request, and returns
// its address and how many came.
func parrot(t *testing.T, sent string) (address string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for in := bufio.NewReader(c); ; {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					asked.Add(1)
					io.Copy(io.Discard, r.Body)
					if _, err := io.WriteString(c, sent); err != nil || !strings.HasPrefix(sent, "HTTP/1.1 ") || !strings.Contains(sent, "Content-Length: ") {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String(), asked
}
