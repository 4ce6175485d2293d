package database

import (
	"context"
	"database/sql"

	"github.com/rubric-host/rubric-host/host/feedback"
	"github.com/rubric-host/rubric-host/host/xslices"
)

const noteColumns = `id, run, case_id, repeat, criterion, agree, label, value, comment, noted_by, noted_at`

func scanNote(row scanner) (feedback.Note, error) {
	var n feedback.Note
	var label sql.NullString
	err := row.Scan(of(&n.ID), of(&n.Run), of(&n.Case), &n.Repeat, of(&n.Criterion), &n.Agree, &label, &n.Value, of(&n.Comment), of(&n.By), at(&n.At))
	if label.Valid {
		n.Label = new(unescapes.Replace(label.String))
	}
	return n, err
}

// PutNotes implements feedback.Store.
func (b *DB) PutNotes(ctx context.Context, run string, notes []feedback.Note) (added int, err error) {
	if err := checkID("run", run); err != nil {
		return 0, err
	}
	err = b.write(ctx, "notes", func(tx *sql.Tx) error {
		ids, err := all(ctx, tx, func(row scanner) (id string, err error) {
			err = row.Scan(of(&id))
			return id, err
		}, `SELECT id FROM notes WHERE run = $1`, text(run))
		if err != nil {
			return err
		}
		has, wanted := xslices.Set(ids), map[string]bool{}
		for _, n := range notes {
			wanted[n.ID] = true
			if has[n.ID] {
				continue
			}
			has[n.ID] = true
			if err := addNote(ctx, tx, run, &n); err != nil {
				return err
			}
			added++
		}
		for _, id := range ids {
			if wanted[id] {
				continue
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM notes WHERE run = $1 AND id = $2`, text(run), text(id)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// addNote appends a note with the next number.
func addNote(ctx context.Context, tx *sql.Tx, run string, n *feedback.Note) error {
	var label *text
	if n.Label != nil {
		label = new(text(*n.Label))
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO notes (seq, `+noteColumns+`)
		VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM notes), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		text(n.ID), text(run), text(n.Case), n.Repeat, text(n.Criterion), n.Agree, label, n.Value, text(n.Comment), text(n.By), micros(n.At))
	return err
}

// Notes implements feedback.Store.
func (b *DB) Notes(ctx context.Context, f feedback.Filter) ([]feedback.Note, error) {
	w := where{}
	w.filter("run = ?", f.Run)
	w.filter("case_id = ?", f.Case)
	w.filter("criterion = ?", f.Criterion)
	w.filter("noted_by = ?", f.By)
	list, err := all(ctx, b.sql, scanNote, `SELECT `+noteColumns+` FROM notes`+w.clause()+` ORDER BY seq`, w.args...)
	return list, b.fault(err)
}
