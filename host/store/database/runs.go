package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/store"
)

// batch is the number of evaluations in one statement.
const batch = 50

const runColumns = `id, host, dir, rubric_id, rubric_version, plan_digest, started, size, changed`

func scanRun(row scanner) (store.Run, error) {
	var r store.Run
	err := row.Scan(of(&r.ID), of(&r.Host), of(&r.Dir), of(&r.Rubric), of(&r.Version), of(&r.Plan), at(&r.Started), &r.Size, at(&r.Changed))
	return r, err
}

// PutRun implements store.Runs.
func (b *DB) PutRun(ctx context.Context, r store.Run, rows iter.Seq2[store.Evaluation, error]) error {
	if err := checkID("run", r.ID); err != nil {
		return err
	}
	return b.write(ctx, "run "+r.ID, func(tx *sql.Tx) error {
		if _, err := dropRun(ctx, tx, r.ID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO runs (`+runColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			text(r.ID), text(r.Host), text(r.Dir), text(r.Rubric), text(r.Version), text(r.Plan), micros(r.Started), r.Size, micros(r.Changed))
		if err != nil {
			return err
		}
		add := &adder{tx: tx, unnumbered: b.d.Unnumbered, run: &r}
		defer add.close()
		for e, err := range rows {
			if err == nil {
				err = add.add(ctx, &e)
			}
			if err != nil {
				return err
			}
		}
		return add.flush(ctx)
	})
}

// An adder inserts evaluations in batches.
type adder struct {
	tx         *sql.Tx
	unnumbered bool // places of arguments are ?, not $1
	run        *store.Run
	place      int64
	args       []any
	full       *sql.Stmt // for a whole batch; nil: not prepared yet
}

const values = 18

func (a *adder) add(ctx context.Context, e *store.Evaluation) error {
	a.place++
	a.args = append(a.args, text(e.ID), text(a.run.ID), micros(a.run.Started), a.place, text(e.Case), key(e.Case), e.Repeat,
		text(e.Rubric), key(e.Rubric), text(e.RubricVersion), text(e.RubricDigest), text(e.TargetType),
		text(e.Status), e.Score, e.Passed, text(e.By), e.Offset, e.Length)
	if len(a.args) < batch*values {
		return nil
	}
	if a.full == nil {
		var err error
		if a.full, err = a.tx.PrepareContext(ctx, a.insertion(batch)); err != nil {
			return err
		}
	}
	_, err := a.full.ExecContext(ctx, a.args...)
	a.args = a.args[:0]
	return err
}

// flush inserts the evaluations that fill no batch.
func (a *adder) flush(ctx context.Context) error {
	if len(a.args) == 0 {
		return nil
	}
	_, err := a.tx.ExecContext(ctx, a.insertion(len(a.args)/values), a.args...)
	return err
}

func (a *adder) close() {
	if a.full != nil {
		a.full.Close() //nolint:errcheck // it ends with the transaction
	}
}

func (a *adder) insertion(n int) string {
	return `INSERT INTO evaluations (id, run, started, place, case_id, case_key, repeat, rubric_id, rubric_key, rubric_version, rubric_digest, target_type, status, score, passed, evaluated_by, row_offset, row_length) VALUES ` + places(n, values, a.unnumbered)
}

// places are the places of arguments for rows of an INSERT.
func places(rows, columns int, unnumbered bool) string {
	var s strings.Builder
	for i := range rows {
		if i > 0 {
			s.WriteByte(',')
		}
		for j := range columns {
			s.WriteByte("(,"[min(j, 1)])
			if unnumbered {
				s.WriteByte('?')
			} else {
				fmt.Fprintf(&s, "$%d", i*columns+j+1)
			}
		}
		s.WriteByte(')')
	}
	return s.String()
}

func dropRun(ctx context.Context, tx *sql.Tx, id string) (there bool, err error) {
	if _, err := tx.ExecContext(ctx, `DELETE FROM evaluations WHERE run = $1 AND started = (SELECT started FROM runs WHERE id = $1)`, text(id)); err != nil {
		return false, err
	}
	done, err := tx.ExecContext(ctx, `DELETE FROM runs WHERE id = $1`, text(id))
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// Run implements store.Runs.
func (b *DB) Run(ctx context.Context, id string) (store.Run, error) {
	r, err := scanRun(b.sql.QueryRowContext(ctx, `SELECT `+runColumns+` FROM runs WHERE id = $1`, text(id)))
	if errors.Is(err, sql.ErrNoRows) {
		err = fault.New(fault.NotFound, "no run %q in the index", id)
	}
	return r, b.fault(err)
}

// Runs implements store.Runs.
func (b *DB) Runs(ctx context.Context) ([]store.Run, error) {
	list, err := all(ctx, b.sql, scanRun, `SELECT `+runColumns+` FROM runs ORDER BY started DESC, id DESC`)
	return list, b.fault(err)
}

// DropRun implements store.Runs.
func (b *DB) DropRun(ctx context.Context, id string) (there bool, err error) {
	err = b.write(ctx, "run "+id, func(tx *sql.Tx) error {
		there, err = dropRun(ctx, tx, id)
		return err
	})
	return there && err == nil, err
}
