package database

import (
	"context"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/store"
)

const evaluationColumns = `id, run, started, place, case_id, repeat, rubric_id, rubric_version, rubric_digest, target_type, status, score, passed, evaluated_by, row_offset, row_length`

// A placed evaluation is one with its place in its run.
type placed struct {
	store.Evaluation
	place int64
}

func scanEvaluation(row scanner) (placed, error) {
	var e placed
	err := row.Scan(of(&e.ID), of(&e.Run), at(&e.At), &e.place, of(&e.Case), &e.Repeat, of(&e.Rubric), of(&e.RubricVersion), of(&e.RubricDigest),
		of(&e.TargetType), of(&e.Status), &e.Score, &e.Passed, of(&e.By), &e.Offset, &e.Length)
	return e, err
}

// Evaluation implements store.Runs.
func (b *DB) Evaluation(ctx context.Context, id string) (store.Evaluation, error) {
	e, err := b.evaluation(ctx, id)
	return e.Evaluation, err
}

func (b *DB) evaluation(ctx context.Context, id string) (e placed, err error) {
	list, err := all(ctx, b.sql, scanEvaluation, `SELECT `+evaluationColumns+` FROM evaluations WHERE id = $1 LIMIT 2`, text(id))
	switch {
	case err != nil:
		return e, b.fault(err)
	case len(list) == 0:
		return e, fault.New(fault.NotFound, "no evaluation %q in the index", id)
	case len(list) > 1: // ids are short digests
		return e, fault.New(fault.Conflict, "two evaluations have the id %q: case %q of run %s, and case %q of run %s", id, list[0].Case, list[0].Run, list[1].Case, list[1].Run)
	}
	return list[0], nil
}

// Evaluations implements store.Runs.
func (b *DB) Evaluations(ctx context.Context, f store.Filter) ([]store.Evaluation, error) {
	if f.Version != "" && f.Rubric == "" {
		return nil, fault.New(fault.Usage, "version %q of no rubric: name the rubric, too", fault.Clip(f.Version, 60))
	}
	w := selection(f)
	if f.After == "" {
		return b.evaluations(ctx, w, f.Limit)
	}
	after, err := b.evaluation(ctx, f.After)
	if err != nil {
		return nil, err
	}
	rest := w.clone()
	rest.and("started = ? AND run = ? AND place > ?", micros(after.At), text(after.Run), after.place)
	list, err := b.evaluations(ctx, rest, f.Limit)
	if err != nil || f.Limit > 0 && len(list) == f.Limit {
		return list, err
	}
	older := w.clone()
	older.and("(started, run) < (?, ?)", micros(after.At), text(after.Run))
	limit := f.Limit
	if limit > 0 {
		limit -= len(list)
	}
	more, err := b.evaluations(ctx, older, limit)
	return append(list, more...), err
}

func (b *DB) evaluations(ctx context.Context, w where, limit int) ([]store.Evaluation, error) {
	list, err := all(ctx, b.sql, func(row scanner) (store.Evaluation, error) {
		e, err := scanEvaluation(row)
		return e.Evaluation, err
	}, `SELECT `+evaluationColumns+` FROM evaluations`+w.clause()+` ORDER BY started DESC, run DESC, place`+limited(limit), w.args...)
	return list, b.fault(err)
}

// selection returns the conditions of a filter, but for After.
func selection(f store.Filter) where {
	w := where{}
	if f.Run != "" {
		w.and("started = (SELECT r.started FROM runs r WHERE r.id = ?)", text(f.Run))
		w.and("run = ?", text(f.Run))
	}
	short := map[string]int64{"case_key": key(f.Case), "rubric_key": key(f.Rubric), "target_key": key(f.TargetType)}
	if f.Version != "" { // the databases do not know which index is the better one
		delete(short, "rubric_key")
		w.and("version_key = ?", versionKey(f.Rubric, f.Version))
	}
	for _, c := range []struct{ column, short, value string }{{"case_id", "case_key", f.Case}, {"rubric_id", "rubric_key", f.Rubric}, {"target_type", "target_key", f.TargetType}, {"rubric_version", "", f.Version}} {
		if k, ok := short[c.short]; ok && c.value != "" {
			w.and(c.short+" = ?", k)
		}
		w.filter(c.column+" = ?", c.value)
	}
	w.filter("status = ?", string(f.Status))
	if f.Passed != nil { // in words: an index of some rows is used for no argument
		w.and("passed = " + map[bool]string{true: "TRUE", false: "FALSE"}[*f.Passed])
	}
	if !f.Since.IsZero() {
		w.and("started >= ?", micros(f.Since.Add(time.Microsecond-1))) // up to the next whole one
	}
	if !f.Until.IsZero() {
		w.and("started <= ?", micros(f.Until))
	}
	return w
}

func versionKey(rubric, version string) int64 { return key(rubric + "\x00" + version) }
