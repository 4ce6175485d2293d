package database

import (
	"context"
	"fmt"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/store"
)

const evaluationColumns = `id, run, started, case_id, repeat, rubric_id, rubric_version, rubric_digest, target_type, status, score, passed, evaluated_by, row_offset, row_length`

func scanEvaluation(row scanner) (store.Evaluation, error) {
	var e store.Evaluation
	err := row.Scan(of(&e.ID), of(&e.Run), at(&e.At), of(&e.Case), &e.Repeat, of(&e.Rubric), of(&e.RubricVersion), of(&e.RubricDigest),
		of(&e.TargetType), of(&e.Status), &e.Score, &e.Passed, of(&e.By), &e.Offset, &e.Length)
	return e, err
}

// Evaluation implements store.Runs.
func (b *DB) Evaluation(ctx context.Context, id string) (e store.Evaluation, err error) {
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
	w := selection(f)
	query := `SELECT ` + evaluationColumns + ` FROM evaluations` + w.clause() + ` ORDER BY started DESC, run DESC, place`
	if f.Limit > 0 {
		query += fmt.Sprintf(" LIMIT %d", f.Limit)
	}
	list, err := all(ctx, b.sql, scanEvaluation, query, w.args...)
	return list, b.fault(err)
}

// selection returns the conditions of a filter.
func selection(f store.Filter) where {
	w := where{}
	if f.Run != "" {
		w.and("started = (SELECT r.started FROM runs r WHERE r.id = ?)", text(f.Run))
		w.and("run = ?", text(f.Run))
	}
	for _, c := range []struct{ column, short, value string }{{"case_id", "case_key", f.Case}, {"rubric_id", "rubric_key", f.Rubric}} {
		if c.value != "" {
			w.and(c.short+" = ?", key(c.value))
			w.and(c.column+" = ?", text(c.value))
		}
	}
	w.filter("status = ?", string(f.Status))
	if f.Passed != nil { // in words: an index of some rows is used for no argument
		w.and("passed = " + map[bool]string{true: "TRUE", false: "FALSE"}[*f.Passed])
	}
	if !f.Since.IsZero() {
		w.and("started >= ?", micros(f.Since.Add(time.Microsecond-1))) // up to the next whole one
	}
	return w
}
