package llm

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
)

// maxLine is the longest line of a recording, in bytes.
const maxLine = 32 << 20

// A Call is one recorded call, a line of a recording; see the package comment.
type Call struct {
	V int `json:"v"`
	CallID
	Round    int           `json:"round,omitzero"`     // which execution of the run asked, from 1; 0 outside of runs
	Redo     bool          `json:"redo,omitzero"`      // not a call: voids earlier rounds
	Retry    bool          `json:"retry,omitzero"`     // an earlier request asked the same question
	Sent     int           `json:"requests,omitzero"`  // 0 means 1
	Gone     bool          `json:"cancelled,omitzero"` // it was cancelled under way: it counts, and has no outcome
	Replayed bool          `json:"replayed,omitzero"`  // the answer came from another recording: nothing was sent
	NoText   bool          `json:"no_text,omitzero"`   // request and answer texts are left out; see Recorder.Begin
	Digest   string        `json:"digest,omitzero"`    // of the request
	Started  time.Time     `json:"started,omitzero"`
	Latency  int64         `json:"latency_ms,omitzero"`
	Request  Request       `json:"request,omitzero"`  // without ID
	Unpriced bool          `json:"unpriced,omitzero"` // without an answer, and at an unknown price
	Response *Response     `json:"answer,omitzero"`   // of a call that failed too, if the model said something
	Failed   *failedAnswer `json:"error,omitzero"`

	Answered bool  `json:"-"` // Response was recorded; once a line is read it is not nil
	Err      error `json:"-"` // why the answer is none; nil: it is one
}

type failedAnswer struct {
	Class   fault.Class `json:"class"`
	Message string      `json:"message"`
	Hint    string      `json:"hint,omitzero"`
}

type placedLine struct {
	call       *Call
	number     int   // from 1
	start, end int64 // in bytes
}

// readLines returns an iterator over the lines of a recording; name is used in messages. A line
// that is not a recorded call is an error of class fault.Invalid in its place, and reading continues
// after it; a last line without its line break was being written and is left out.
func readLines(r io.Reader, name string) iter.Seq2[placedLine, error] {
	return func(yield func(placedLine, error) bool) {
		lines := file.NewLines(r, maxLine)
		at := int64(0)
		for n := 1; ; n++ {
			b, size, err := lines.Next()
			switch {
			case b == nil && size > 0:
				err = fmt.Errorf("the line is longer than %d bytes", maxLine)
			case errors.Is(err, io.EOF): // a partial last line
				return
			}
			if err != nil {
				yield(placedLine{}, fault.New(fault.Invalid, "%s:%d: %w", name, n, err))
				return
			}
			place := placedLine{number: n, start: at, end: at + int64(size)}
			at = place.end
			if len(bytes.TrimSpace(b)) == 0 {
				continue
			}
			place.call, err = parseCall(b)
			if err != nil {
				err = diag.List{{Severity: diag.Error, Code: "recording", Pos: diag.Pos{File: name, Line: n}, Message: err.Error(), Hint: "record again"}}.Err()
			}
			if !yield(place, err) {
				return
			}
		}
	}
}

func parseCall(b []byte) (*Call, error) {
	c := new(Call)
	if err := json.Unmarshal(b, c); err != nil {
		return nil, fmt.Errorf("not a recorded call: %s", diag.Plain(err.Error()))
	}
	c.CallID = c.CallID.normal()
	switch {
	case c.V != 0 && c.V != formatVersion: // hand-written lines may leave it out
		return nil, fmt.Errorf("version %d of the format: this program reads %d", c.V, formatVersion)
	case c.Redo:
		return &Call{CallID: c.CallID, Round: c.Round, Request: c.Request, Redo: true}, nil
	case c.Response == nil && c.Failed == nil:
		return nil, errors.New("the call has neither answer nor error")
	}
	canonical, err := c.Request.canonical()
	if err != nil {
		return nil, err
	}
	if is := digest.Of(canonical); !c.NoText {
		if c.Digest != "" && c.Digest != is {
			return nil, errors.New("the digest is not that of its request: the line was changed by hand")
		}
		c.Digest = is
	}
	c.Latency = min(max(0, c.Latency), 1<<40)
	if a := c.Response; a != nil {
		c.Answered, a.TokensIn, a.TokensOut = true, tokens(a.TokensIn), tokens(a.TokensOut)
		a.price(a.CostUSD, a.Unpriced)
	} else {
		c.Response = &Response{Unpriced: c.Unpriced}
	}
	c.Response.Requests = max(0, min(c.Sent, 1<<20))
	if e := c.Failed; e != nil {
		c.Err = e.error()
		if c.Gone {
			c.Err = errors.New(diag.Plain(e.Message)) // of no class: the judge said nothing
		}
	}
	return c, nil
}

func (e *failedAnswer) error() error {
	class := e.Class
	if !class.OfJudge() {
		class = fault.JudgeAnswer
	}
	err := fault.New(class, "%s", diag.Plain(e.Message))
	if e.Hint != "" {
		err = fault.WithHint(err, "%s", diag.Plain(e.Hint))
	}
	return err
}

// newer reports whether c counts and not o, which has the same identity.
func (c *Call) newer(o *Call) bool {
	switch {
	case c.Round != o.Round:
		return c.Round > o.Round
	case c.Answered != o.Answered:
		return c.Answered
	}
	return !c.Started.Before(o.Started)
}

// conversation is the identity of a call without its attempt: all requests about the
// same questions, until there is a usable answer.
func (id *CallID) conversation() string {
	var b strings.Builder
	for _, s := range append([]string{id.Case, id.CaseDigest, strconv.Itoa(max(1, id.Repeat)), id.Rubric}, id.Criteria...) {
		b.WriteString(strconv.Itoa(len(s)))
		b.WriteByte(':')
		b.WriteString(s)
	}
	return b.String()
}

// String names the call for messages.
func (id CallID) String() string {
	var parts []string
	if id.Case != "" {
		parts = append(parts, fmt.Sprintf("case %q", id.Case))
	}
	if id.Repeat > 1 {
		parts = append(parts, fmt.Sprintf("repeat %d", id.Repeat))
	}
	switch {
	case len(id.Criteria) == 1 && id.Criteria[0] == "":
		parts = append(parts, "the whole rubric")
	case len(id.Criteria) > 1:
		parts = append(parts, "criteria "+fault.First(3, id.Criteria, ", "))
	case len(id.Criteria) == 1:
		parts = append(parts, "criterion "+id.Criteria[0])
	}
	if id.Attempt > 1 {
		parts = append(parts, fmt.Sprintf("attempt %d", id.Attempt))
	}
	if parts == nil {
		return "a call of no case"
	}
	return diag.Plain(strings.Join(parts, ", "))
}

// Calls finds recorded calls in a file without keeping them in memory. It is
// safe for concurrent use.
type Calls struct {
	file *os.File
	at   map[string][]span64 // by case, repeat and criterion
}

type span64 struct{ start, end int64 }

// OpenCalls indexes the recording in a file. Lines that are not calls, or have no
// texts, are left out. Close it when done. A missing file is an error that is
// fs.ErrNotExist.
func OpenCalls(path string) (*Calls, error) {
	f, err := file.Open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "%w", err)
	} else if err != nil {
		return nil, err
	}
	c := &Calls{file: f, at: map[string][]span64{}}
	for l, err := range readLines(f, path) {
		if err != nil || l.call.Redo || l.call.Gone || l.call.NoText {
			continue
		}
		for _, id := range l.call.Criteria {
			k := placeKey(l.call.Case, l.call.Repeat, id)
			c.at[k] = append(c.at[k], span64{l.start, l.end})
		}
	}
	return c, nil
}

func placeKey(caseID string, repeat int, criterion string) string {
	return (&CallID{Case: caseID, Repeat: repeat, Criteria: []string{criterion}}).conversation()
}

// Of returns every call about a criterion of a case and repeat, oldest first:
// those that failed, those whose answer was unusable, those of earlier rounds
// too. For a judge of the whole rubric the criterion is rubric.Overall, "".
func (c *Calls) Of(caseID string, repeat int, criterion string) ([]Call, error) {
	var out []Call
	for _, at := range c.at[placeKey(caseID, repeat, criterion)] {
		b := make([]byte, at.end-at.start)
		if _, err := c.file.ReadAt(b, at.start); err != nil {
			return nil, fault.New(fault.Invalid, "%w", err)
		}
		call, err := parseCall(b)
		if err != nil {
			return nil, fault.New(fault.Invalid, "%s: %w", c.file.Name(), err)
		}
		out = append(out, *call)
	}
	slices.SortStableFunc(out, func(a, b Call) int { return cmp.Or(cmp.Compare(a.Round, b.Round), a.Started.Compare(b.Started)) })
	return out, nil
}

// Close closes the file.
func (c *Calls) Close() error { return c.file.Close() }
