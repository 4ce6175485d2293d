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
		"429":            answer("429 "+key, failure),
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
			dir := t.TempDir()
			t.Chdir(dir)
			for _, v := range []string{"HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
				t.Setenv(v, filepath.Join(dir, "home"))
			}
			t.Setenv("OPENAI_API_KEY", key)
			address, asked := parrot(t, sent)
			t.Setenv("OPENAI_BASE_URL", "http://"+address+"/v1")
			for file, text := range map[string]string{
				"r.yaml":     "rubric: r\npass: 0.5\ncriteria:\n  - {id: good, judge: It is good.}\n",
				"data.jsonl": `{"id":"a","input":"q","output":"x"}` + "\n" + `{"id":"b","input":"q","output":"y"}` + "\n",
			} {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var out, errOut bytes.Buffer
			args := []string{"eval", "r.yaml", "data.jsonl", "--judge", "openai:m", "-v", "-j", "1", "--attempts", "1", "--record", "calls.jsonl", "--timeout", "3s"}
			for _, ext := range []string{"html", "md", "csv", "json", "jsonl", "xml"} {
				args = append(args, "-o", "r."+ext)
			}
			run(args, strings.NewReader(""), &out, &errOut)
			run([]string{"failures", "latest", "a"}, strings.NewReader(""), &out, &errOut)
			if s := out.String() + errOut.String(); strings.Contains(s, key) {
				t.Errorf("printed:\n%s", s)
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
			if _, problem := os.Stat("r.html"); err != nil || problem != nil || files < 8 || asked.Load() == 0 {
				t.Errorf("%d files, %d requests, %v, %v: %s", files, asked.Load(), err, problem, errOut.String())
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
	if err != nil {
		t.Fatal(err)
	}
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
