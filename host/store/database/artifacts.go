package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/review"
)

const artifactColumns = `a.id, a.version, a.type, a.status, a.revision, a.body, a.content, a.provenance, a.sum`

type artifactRow struct {
	id, version, kind         string
	status                    review.Status
	revision                  int64
	body, content, provenance []byte // the body lacks content and provenance, which stay as they are
	sum                       string
}

func (r *artifactRow) computed() string {
	return sumOf([]byte(r.id), []byte(r.version), []byte(r.kind), []byte(r.status), fmt.Append(nil, r.revision), r.body, r.content, r.provenance)
}

// newArtifactRow returns the row of an artifact that is written with a revision.
func newArtifactRow(a *review.Artifact, revision int64) (*artifactRow, error) {
	body := *a
	body.Content, body.Provenance, body.Revision = nil, nil, revision
	body.Created, body.Updated = a.Created.UTC().Truncate(time.Microsecond), a.Updated.UTC().Truncate(time.Microsecond)
	b, err := json.Marshal(&body, json.Deterministic(true))
	if err != nil {
		return nil, fault.New(fault.Invalid, "artifact %q: %w", a.ID, err)
	}
	r := &artifactRow{id: a.ID, version: a.Version, kind: a.Type, status: a.Status, revision: revision, body: b, content: orEmpty(a.Content), provenance: orEmpty(a.Provenance)}
	r.sum = r.computed()
	return r, nil
}

func orEmpty(v jsontext.Value) []byte {
	if v == nil {
		return []byte{}
	}
	return v
}

// scanArtifact reads an artifact, and compares its sum.
func scanArtifact(row scanner) (*review.Artifact, error) {
	var r artifactRow
	err := row.Scan(of(&r.id), of(&r.version), of(&r.kind), of(&r.status), &r.revision, &r.body, &r.content, &r.provenance, &r.sum)
	if err != nil {
		return nil, err
	}
	a := &review.Artifact{}
	if r.sum != r.computed() || json.Unmarshal(r.body, a) != nil {
		return nil, damaged("artifact", r.id, r.version)
	}
	a.Content, a.Provenance = r.content, r.provenance
	return a, nil
}

// scanBrief reads an artifact without content and provenance. Its sum is not
// compared: it is of all of it.
func scanBrief(row scanner) (*review.Artifact, error) {
	var id, version string
	var body []byte
	if err := row.Scan(of(&id), of(&version), &body); err != nil {
		return nil, err
	}
	a := &review.Artifact{}
	if json.Unmarshal(body, a) != nil {
		return nil, damaged("artifact", id, version)
	}
	a.Content, a.Provenance = nil, nil
	return a, nil
}

// PutArtifacts implements review.Store.
func (b *DB) PutArtifacts(ctx context.Context, written []*review.Artifact, events []review.Event) error {
	rows, err := newArtifactRows(written)
	if err != nil {
		return err
	}
	err = b.write(ctx, "artifacts", func(tx *sql.Tx) error {
		for i, r := range rows {
			if err := putArtifact(ctx, tx, r); err != nil {
				return err
			}
			if err := putTags(ctx, tx, r, written[i].Tags); err != nil {
				return err
			}
		}
		for _, e := range events {
			if err := addArtifactEvent(ctx, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, a := range written {
		a.Revision = rows[i].revision
	}
	return nil
}

// newArtifactRows returns the next revision of each artifact, checked.
func newArtifactRows(written []*review.Artifact) ([]*artifactRow, error) {
	rows := make([]*artifactRow, len(written))
	for i, a := range written {
		err := errors.Join(checkID("artifact id", a.ID), checkID("version", a.Version))
		for _, tag := range a.Tags {
			err = errors.Join(err, checkID("tag", tag))
		}
		if err != nil {
			return nil, err
		}
		if rows[i], err = newArtifactRow(a, a.Revision+1); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func putArtifact(ctx context.Context, tx *sql.Tx, r *artifactRow) error {
	var stored int64
	err := tx.QueryRowContext(ctx, `SELECT revision FROM artifacts WHERE id = $1 AND version = $2`, text(r.id), text(r.version)).Scan(&stored)
	switch {
	case errors.Is(err, sql.ErrNoRows) && r.revision > 1:
		return noArtifact(r.id, r.version)
	case errors.Is(err, sql.ErrNoRows):
		_, err := tx.ExecContext(ctx, `INSERT INTO artifacts (id, version, place, type, status, revision, body, content, provenance, sum)
			VALUES ($1, $2, (SELECT coalesce(max(place), 0) + 1 FROM artifacts WHERE id = $1), $3, $4, $5, $6, $7, $8, $9)`,
			text(r.id), text(r.version), text(r.kind), text(r.status), r.revision, r.body, r.content, r.provenance, r.sum)
		return err
	case err != nil:
		return err
	case r.revision == 1:
		return fault.New(fault.Conflict, "artifact %q has a version %q already", r.id, r.version)
	case stored != r.revision-1:
		return fault.WithHint(fault.New(fault.Conflict, "artifact %q version %q was changed meanwhile: its revision is %d, not %d", r.id, r.version, stored, r.revision-1), "read it again, and repeat the change")
	}
	_, err = tx.ExecContext(ctx, `UPDATE artifacts SET type = $3, status = $4, revision = $5, body = $6, content = $7, provenance = $8, sum = $9 WHERE id = $1 AND version = $2`,
		text(r.id), text(r.version), text(r.kind), text(r.status), r.revision, r.body, r.content, r.provenance, r.sum)
	return err
}

func putTags(ctx context.Context, tx *sql.Tx, r *artifactRow, tags []string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM artifact_tags WHERE id = $1 AND version = $2`, text(r.id), text(r.version)); err != nil {
		return err
	}
	for _, tag := range tags {
		if _, err := tx.ExecContext(ctx, `INSERT INTO artifact_tags (tag, id, version) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, text(tag), text(r.id), text(r.version)); err != nil {
			return err
		}
	}
	return nil
}

// addArtifactEvent appends an event with the next number.
func addArtifactEvent(ctx context.Context, tx *sql.Tx, e review.Event) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO artifact_events (seq, id, version, from_status, to_status, made_by, made_at, note)
		VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM artifact_events), $1, $2, $3, $4, $5, $6, $7)`,
		text(e.ID), text(e.Version), text(e.From), text(e.To), text(e.By), micros(e.At), text(e.Note))
	return err
}

func noArtifact(id, version string) error {
	if version == "" {
		return fault.New(fault.NotFound, "no artifact %q", id)
	}
	return fault.New(fault.NotFound, "no artifact %q with a version %q", id, version)
}

// newest selects the version that was created last.
const newest = `a.place = (SELECT max(n.place) FROM artifacts n WHERE n.id = a.id)`

// Artifact implements review.Store.
func (b *DB) Artifact(ctx context.Context, id, version string) (*review.Artifact, error) {
	w := where{}
	w.and("a.id = ?", text(id))
	if version == "" {
		w.and(newest)
	} else {
		w.and("a.version = ?", text(version))
	}
	a, err := scanArtifact(b.sql.QueryRowContext(ctx, `SELECT `+artifactColumns+` FROM artifacts a`+w.clause(), w.args...))
	if errors.Is(err, sql.ErrNoRows) {
		err = noArtifact(id, version)
	}
	return a, b.fault(err)
}

// Artifacts implements review.Store.
func (b *DB) Artifacts(ctx context.Context, f review.Filter) ([]*review.Artifact, error) {
	w := where{}
	if !f.Versions {
		w.and(newest)
	}
	w.filter("a.id = ?", f.ID)
	w.filter("a.type = ?", f.Type)
	w.filter("a.status = ?", string(f.Status))
	w.filter("EXISTS (SELECT 1 FROM artifact_tags t WHERE t.id = a.id AND t.version = a.version AND t.tag = ?)", f.Tag)
	columns, scan := artifactColumns, scanArtifact
	if f.Brief {
		columns, scan = `a.id, a.version, a.body`, scanBrief
	}
	list, err := all(ctx, b.sql, scan, `SELECT `+columns+` FROM artifacts a`+w.clause()+` ORDER BY a.id, a.place`, w.args...)
	return list, b.fault(err)
}

// ArtifactEvents implements review.Store.
func (b *DB) ArtifactEvents(ctx context.Context, id string) ([]review.Event, error) {
	list, err := all(ctx, b.sql, func(row scanner) (e review.Event, err error) {
		err = row.Scan(&e.Seq, of(&e.ID), of(&e.Version), of(&e.From), of(&e.To), of(&e.By), at(&e.At), of(&e.Note))
		return e, err
	}, `SELECT seq, id, version, from_status, to_status, made_by, made_at, note FROM artifact_events WHERE id = $1 ORDER BY seq`, text(id))
	return list, b.fault(err)
}
