package database

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
)

const rubricColumns = `r.id, r.version, r.name, r.target_type, r.dialect, r.digest, r.document, r.format, r.registered_by, r.registered_at, r.sum`

// scanRubric reads a snapshot, and compares its sum.
func scanRubric(row scanner) (registry.Snapshot, error) {
	var s registry.Snapshot
	var sum string
	err := row.Scan(of(&s.ID), of(&s.Version), of(&s.Name), of(&s.TargetType), of(&s.Dialect), of(&s.Digest), &s.Document, of(&s.Format), of(&s.By), at(&s.At), &sum)
	if err == nil && sum != sumOfRubric(&s) {
		err = damaged("rubric", s.ID, s.Version)
	}
	return s, err
}

// damaged is the error of a record whose checksum is wrong.
func damaged(what, id, version string) error {
	return fault.WithHint(fault.New(fault.Invalid, "the database is damaged: %s %q version %q has other content than was written", what, id, version), "restore a backup")
}

func sumOfRubric(s *registry.Snapshot) string {
	return sumOf([]byte(s.ID), []byte(s.Version), []byte(s.Name), []byte(s.TargetType), []byte(s.Dialect), []byte(s.Digest), s.Document, []byte(s.Format), []byte(s.By), fmt.Append(nil, micros(s.At)))
}

// sumOf returns the SHA-256 of parts and their lengths.
func sumOf(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// PutRubrics implements registry.Store.
func (b *DB) PutRubrics(ctx context.Context, list []registry.Snapshot) ([]registry.Action, error) {
	for i := range list {
		if err := errors.Join(checkID("rubric id", list[i].ID), checkID("version", list[i].Version)); err != nil {
			return nil, err
		}
	}
	actions := make([]registry.Action, len(list))
	err := b.write(ctx, "rubrics", func(tx *sql.Tx) (err error) {
		for i := range list {
			if actions[i], err = putRubric(ctx, tx, list[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return actions, nil
}

func putRubric(ctx context.Context, tx *sql.Tx, s registry.Snapshot) (registry.Action, error) {
	action := registry.Registered
	s.At = s.At.UTC().Truncate(time.Microsecond)
	old, err := rubricOf(ctx, tx, s.ID, s.Version)
	switch {
	case fault.Is(err, fault.NotFound):
		if err := insertRubric(ctx, tx, &s); err != nil {
			return "", err
		}
	case err != nil:
		return "", err
	case old.Digest != s.Digest:
		return "", fault.WithHint(fault.New(fault.Conflict, "rubric %q version %q is registered with other content", s.ID, s.Version), "give the changed rubric a new version")
	default:
		action = registry.Selected
		if latest, there, err := latestOf(ctx, tx, s.ID); err != nil || there && latest == s.Version {
			return registry.Unchanged, err
		}
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO latest_rubrics (id, version) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET version = excluded.version`, text(s.ID), text(s.Version))
	if err != nil {
		return "", err
	}
	return action, addRubricEvent(ctx, tx, registry.Event{ID: s.ID, Version: s.Version, Action: action, By: s.By, At: s.At})
}

// latestOf returns the latest version of a rubric, and whether it has one.
func latestOf(ctx context.Context, tx *sql.Tx, id string) (version string, there bool, err error) {
	err = tx.QueryRowContext(ctx, `SELECT version FROM latest_rubrics WHERE id = $1`, text(id)).Scan(of(&version))
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return version, err == nil, err
}

func insertRubric(ctx context.Context, tx *sql.Tx, s *registry.Snapshot) error {
	if s.Document == nil {
		s.Document = []byte{}
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO rubrics (id, version, name, target_type, dialect, digest, document, format, registered_by, registered_at, sum)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		text(s.ID), text(s.Version), text(s.Name), text(s.TargetType), text(s.Dialect), text(s.Digest), s.Document, text(s.Format), text(s.By), micros(s.At), sumOfRubric(s))
	return err
}

// addRubricEvent appends an event with the next number.
func addRubricEvent(ctx context.Context, tx *sql.Tx, e registry.Event) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO rubric_events (seq, id, version, action, made_by, made_at)
		VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM rubric_events), $1, $2, $3, $4, $5)`,
		text(e.ID), text(e.Version), text(e.Action), text(e.By), micros(e.At))
	return err
}

// Rubric implements registry.Store.
func (b *DB) Rubric(ctx context.Context, id, version string) (registry.Snapshot, error) {
	s, err := rubricOf(ctx, b.sql, id, version)
	return s, b.fault(err)
}

func rubricOf(ctx context.Context, q querier, id, version string) (s registry.Snapshot, err error) {
	if version == "" {
		s, err = scanRubric(q.QueryRowContext(ctx, `SELECT `+rubricColumns+` FROM rubrics r JOIN latest_rubrics l ON l.id = r.id AND l.version = r.version WHERE r.id = $1`, text(id)))
	} else {
		s, err = scanRubric(q.QueryRowContext(ctx, `SELECT `+rubricColumns+` FROM rubrics r WHERE r.id = $1 AND r.version = $2`, text(id), text(version)))
	}
	switch {
	case !errors.Is(err, sql.ErrNoRows):
		return s, err
	case version == "":
		return s, fault.New(fault.NotFound, "no rubric %q is registered", id)
	default:
		return s, fault.New(fault.NotFound, "rubric %q has no version %q", id, version)
	}
}

// Rubrics implements registry.Store.
func (b *DB) Rubrics(ctx context.Context, f registry.Filter) ([]registry.Snapshot, error) {
	w := where{}
	w.filter("r.target_type = ?", f.TargetType)
	list, err := all(ctx, b.sql, scanRubric, `SELECT `+rubricColumns+` FROM rubrics r JOIN latest_rubrics l ON l.id = r.id AND l.version = r.version`+w.clause()+` ORDER BY r.id`, w.args...)
	return list, b.fault(err)
}

// RubricEvents implements registry.Store.
func (b *DB) RubricEvents(ctx context.Context, id string) ([]registry.Event, error) {
	list, err := all(ctx, b.sql, func(row scanner) (e registry.Event, err error) {
		err = row.Scan(&e.Seq, of(&e.ID), of(&e.Version), of(&e.Action), of(&e.By), at(&e.At))
		return e, err
	}, `SELECT seq, id, version, action, made_by, made_at FROM rubric_events WHERE id = $1 ORDER BY seq`, text(id))
	return list, b.fault(err)
}

// DeleteRubric implements registry.Store.
func (b *DB) DeleteRubric(ctx context.Context, id, by string, when time.Time) (there bool, err error) {
	err = b.write(ctx, "rubrics", func(tx *sql.Tx) (err error) {
		e := registry.Event{ID: id, Action: registry.Deleted, By: by, At: when}
		if e.Version, there, err = latestOf(ctx, tx, id); err != nil || !there {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM latest_rubrics WHERE id = $1`, text(id)); err != nil {
			return err
		}
		return addRubricEvent(ctx, tx, e)
	})
	return there && err == nil, err
}
