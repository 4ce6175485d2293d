package database_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/database"
)

// fill writes the same rubrics and artifacts to every store, with texts that databases are
// known to get wrong.
func fill(t testing.TB, s *database.DB) {
	t.Helper()
	var list []registry.Snapshot
	var written []*review.Artifact
	var events []review.Event
	for i, text := range odd {
		sn := snapshot(text, "1", "d")
		sn.Document = []byte(text + "\x00\xff")
		list = append(list, sn)
		a := artifact(text, "1")
		a.Tags, a.Content = []string{text}, fmt.Appendf(nil, "{ \"n\" :%d.50\n}", i)
		written = append(written, a)
		events = append(events, review.Event{ID: text, Version: "1", To: review.Draft, By: text, At: moment, Note: text})
	}
	got(s.PutRubrics(t.Context(), list))(t)
	got(s.DeleteRubric(t.Context(), odd[3], "ann", moment))(t)
	must(t, s.PutArtifacts(t.Context(), written, events))
	written[2].Status = review.Approved
	must(t, s.PutArtifacts(t.Context(), written[2:3], nil))
}

// content returns everything that fill writes to a store.
func content(t testing.TB, s *database.DB) (list []any) {
	t.Helper()
	list = append(list, got(s.Rubrics(t.Context(), registry.Filter{}))(t), got(s.Artifacts(t.Context(), review.Filter{Versions: true}))(t))
	for _, text := range odd {
		list = append(list, got(s.RubricEvents(t.Context(), text))(t), got(s.ArtifactEvents(t.Context(), text))(t))
		if sn, err := s.Rubric(t.Context(), text, "1"); err == nil {
			list = append(list, sn)
		}
		list = append(list, got(s.Artifacts(t.Context(), review.Filter{Tag: text}))(t))
	}
	return list
}

func backups(t *testing.T, open opener) {
	s := opened(t, open)
	var nothing, whole bytes.Buffer
	got(s.Backup(t.Context(), &nothing))(t)
	fill(t, s)
	r := runOf("run", moment)
	must(t, s.PutRun(t.Context(), r, sequence([]store.Evaluation{evaluation(r, "e1", "c")})))
	done := got(s.Backup(t.Context(), &whole))(t)
	if done.Rubrics != len(odd) || done.Artifacts != len(odd) {
		t.Errorf("%+v", done)
	}
	want := content(t, s)
	_, err := s.Restore(t.Context(), bytes.NewReader(nothing.Bytes()), false)
	fails(t, "in place of what is there", err, fault.Conflict)
	same(t, "after a refusal", content(t, s), want)
	got(s.Restore(t.Context(), &nothing, true))(t)
	if n := len(got(s.Artifacts(t.Context(), review.Filter{}))(t)); n != 0 {
		t.Errorf("%d artifacts after an empty backup", n)
	}
	again := got(s.Restore(t.Context(), bytes.NewReader(whole.Bytes()), false))(t)
	if again != done {
		t.Errorf("restored %+v, want %+v", again, done)
	}
	s = reopened(t, s, open)
	same(t, "after the backup", content(t, s), want)
	must(t, s.Check(t.Context()))
	if n := len(got(s.Evaluations(t.Context(), store.Filter{}))(t)); n != 1 {
		t.Error("the index has changed")
	}
	fails(t, "a taken version after a restore", s.PutArtifacts(t.Context(), []*review.Artifact{artifact("a", "1")}, nil), fault.Conflict)
}

// backupsWhileInUse makes backups while artifacts are written in pairs: each backup has
// both of a pair or none.
func backupsWhileInUse(t *testing.T, open opener) {
	s, other := opened(t, open), opened(t, open)
	done := make(chan error)
	go func() {
		var err error
		for i := 0; i < 30 && err == nil; i++ {
			id := fmt.Sprint(i)
			err = s.PutArtifacts(context.Background(), []*review.Artifact{artifact("left"+id, "1"), artifact("right"+id, "1")}, []review.Event{{ID: "left" + id, Version: "1", To: review.Draft, At: moment}})
		}
		done <- err
	}()
	for i := range 10 {
		var b bytes.Buffer
		n := got(other.Backup(t.Context(), &b))(t).Artifacts
		if lines := bytes.Count(b.Bytes(), []byte("\n")); n%2 != 0 || lines != 2+n+n+n/2 { // artifacts, their tags, events
			t.Errorf("backup %d has %d artifacts in %d lines", i, n, lines)
		}
	}
	must(t, <-done)
}

func restoreRefuses(t *testing.T, open opener) {
	s := opened(t, open)
	fill(t, s)
	want := content(t, s)
	var b bytes.Buffer
	got(s.Backup(t.Context(), &b))(t)
	lines := bytes.SplitAfter(b.Bytes(), []byte("\n"))
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	body := join(lines[1 : len(lines)-2]...)
	end := lines[len(lines)-2]
	// signed ends lines as a backup does, to forge one
	signed := func(parts ...[]byte) []byte {
		text := join(parts...)
		return join(text, fmt.Appendf(nil, "{\"end\":%d,\"sum\":\"%x\"}\n", bytes.Count(text, []byte("\n")), sha256.Sum256(text)))
	}
	for name, text := range map[string][]byte{
		"nothing":              nil,
		"something else":       []byte("{}\n"),
		"no JSON":              []byte("\x00\xff\n"),
		"no end":               join(lines[0], body),
		"half of the end":      join(lines[0], body, end[:len(end)/2]),
		"no line break":        bytes.TrimSuffix(b.Bytes(), []byte("\n")),
		"a line less":          join(lines[0], join(lines[2:]...)),
		"a line twice":         join(lines[0], lines[1], body, end),
		"a changed byte":       bytes.Replace(b.Bytes(), []byte("answer"), []byte("Answer"), 1),
		"a newer schema":       signed(bytes.Replace(lines[0], []byte(`"schema":`), []byte(`"schema":9`), 1)),
		"another format":       signed(bytes.Replace(lines[0], []byte(`"format":1`), []byte(`"format":2`), 1)),
		"a line twice, signed": signed(lines[0], lines[1], body),
		"another table":        signed(lines[0], []byte("{\"runs\":[\"x\"]}\n")),
		"too few values":       signed(lines[0], []byte("{\"latest_rubrics\":[\"x\"]}\n")),
		"a wrong type":         signed(lines[0], []byte("{\"latest_rubrics\":[\"x\",1]}\n")),
		"no such rubric":       signed(lines[0], []byte("{\"latest_rubrics\":[\"x\",\"1\"]}\n")),
		"a wrong sum":          signed(lines[0], bytes.Replace(lines[1], []byte("answer"), []byte("Answer"), 1)),
		"no row":               signed(lines[0], []byte("[]\n")),
	} {
		_, err := s.Restore(t.Context(), bytes.NewReader(text), true)
		fails(t, name, err, fault.Invalid)
		if t.Failed() {
			t.Fatalf("%s: %v", name, err)
		}
	}
	same(t, "after all that", content(t, s), want)
	got(s.Restore(t.Context(), bytes.NewReader(signed(lines[0], body)), true))(t)
}
