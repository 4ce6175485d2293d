package database

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/store"
)

// A kept table is one that no scan makes again. Kinds has a letter for each column: t is
// text, i an integer, b bytes.
type kept struct{ table, columns, kinds, order string }

// keptTables are all of them, in the order in which their rows can be inserted. A
// migration that changes one of them has to say here how rows of older backups are read.
var keptTables = []kept{
	{"rubrics", "id, version, name, target_type, dialect, digest, document, format, registered_by, registered_at, sum", "ttttttbttit", "id, version"},
	{"latest_rubrics", "id, version", "tt", "id"},
	{"rubric_events", "seq, id, version, action, made_by, made_at", "itttti", "seq"},
	{"artifacts", "id, version, place, type, status, revision, body, content, provenance, sum", "ttittibbbt", "id, place"},
	{"artifact_tags", "tag, id, version", "ttt", "tag, id, version"},
	{"artifact_events", "seq, id, version, from_status, to_status, made_by, made_at, note", "itttttit", "seq"},
}

// backupFormat is the version of the form of backups.
const backupFormat = 1

// maxBackupLine bounds a line of a backup, in bytes.
const maxBackupLine = 1 << 30

// A backupHead is the first line of a backup.
type backupHead struct {
	Backup string    `json:"backup"` // "rubric-host"
	Format int       `json:"format"`
	Schema int       `json:"schema"` // of the database
	At     time.Time `json:"made_at"`
}

// A backupEnd is the last line of a backup: without it the backup is not whole.
type backupEnd struct {
	Lines int    `json:"end"` // before it
	Sum   string `json:"sum"` // SHA-256 of them
}

// Backup writes a consistent copy of rubrics and artifacts with their histories while
// the database is in use: JSON lines, of which the last one has their digest. Every
// driver reads them. The index of runs is left out.
func (b *DB) Backup(ctx context.Context, w io.Writer) (done store.Backup, err error) {
	tx, err := b.sql.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: b.d.Snapshot})
	if err != nil {
		return done, b.fault(err)
	}
	defer tx.Rollback() //nolint:errcheck // it only reads
	if err := sums(ctx, tx); err != nil {
		return done, b.fault(err)
	}
	out := &backupWriter{to: w, sum: sha256.New()}
	head := backupHead{"rubric-host", backupFormat, 0, time.Now().UTC().Truncate(time.Microsecond)}
	if head.Schema, err = appliedVersion(ctx, tx); err != nil {
		return done, b.fault(err)
	}
	done.At = head.At
	if err := out.line(head); err != nil {
		return done, err
	}
	for _, k := range keptTables {
		if err := k.write(ctx, tx, out); err != nil {
			return done, b.fault(err)
		}
		count(&done, k.table, out.rows)
	}
	return done, out.line(backupEnd{out.lines, hex.EncodeToString(out.sum.Sum(nil))})
}

func count(done *store.Backup, table string, rows int) {
	switch table {
	case "rubrics":
		done.Rubrics += rows
	case "artifacts":
		done.Artifacts += rows
	}
}

type backupWriter struct {
	to    io.Writer
	sum   hash.Hash
	lines int
	rows  int // of the table
}

func (w *backupWriter) line(v any) error {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return fault.As(fault.Internal, err)
	}
	text = append(text, '\n')
	w.sum.Write(text)
	w.lines++
	if _, err := w.to.Write(text); err != nil {
		return fault.New(fault.Storage, "the backup: %w", err)
	}
	return nil
}

// write writes the rows of a table.
func (k *kept) write(ctx context.Context, tx *sql.Tx, w *backupWriter) error {
	rows, err := tx.QueryContext(ctx, `SELECT `+k.columns+` FROM `+k.table+` ORDER BY `+k.order)
	if err != nil {
		return err
	}
	defer rows.Close()
	w.rows = 0
	for rows.Next() {
		values, targets := make([]any, len(k.kinds)), make([]any, len(k.kinds))
		for i, kind := range k.kinds {
			values[i] = column(kind)
			targets[i] = values[i]
			if s, ok := values[i].(*text); ok {
				targets[i] = of(s)
			}
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		if err := w.line(map[string][]any{k.table: values}); err != nil {
			return err
		}
		w.rows++
	}
	return rows.Err()
}

// Restore puts a backup in place of the rubrics and artifacts, as a whole or not at
// all, while the database is in use. The error is of class fault.Conflict if there are
// any and replace is false, and fault.Invalid if the backup is not whole.
func (b *DB) Restore(ctx context.Context, r io.Reader, replace bool) (done store.Backup, err error) {
	err = b.write(ctx, "rubrics", func(tx *sql.Tx) error {
		if b.d.Lock != nil {
			if err := b.d.Lock(ctx, tx, "artifacts"); err != nil {
				return err
			}
		}
		if err := empty(ctx, tx, replace); err != nil {
			return err
		}
		in := &backupReader{lines: file.NewLines(r, maxBackupLine), sum: sha256.New()}
		done, err = in.restore(ctx, tx)
		if err != nil {
			return err
		}
		return sums(ctx, tx)
	})
	if err != nil {
		return store.Backup{}, err
	}
	return done, nil
}

// empty deletes the rows of the backed-up tables. Unless allowed, it refuses if there
// are any.
func empty(ctx context.Context, tx *sql.Tx, may bool) error {
	for _, k := range slices.Backward(keptTables) {
		done, err := tx.ExecContext(ctx, `DELETE FROM `+k.table)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n > 0 && !may {
			return errors.Join(err, fault.WithHint(fault.New(fault.Conflict, "the database has rubrics or artifacts, which a backup would replace"), "make a backup of it, and allow that it is replaced"))
		}
	}
	return nil
}

type backupReader struct {
	lines *file.Lines
	sum   hash.Hash
	n     int
}

func (r *backupReader) bad(format string, a ...any) error {
	return fault.WithHint(fault.New(fault.Invalid, "line %d of the backup: %w", r.n, fmt.Errorf(format, a...)), "nothing was restored; use another backup")
}

// next returns the next line, and whether it is the last one.
func (r *backupReader) next() ([]byte, error) {
	text, size, err := r.lines.Next()
	r.n++
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fault.New(fault.Invalid, "the backup: %w", err)
	case text == nil && size > 0:
		return nil, r.bad("it has more than %d bytes", maxBackupLine)
	case !bytes.HasSuffix(text, []byte("\n")):
		return nil, r.bad("the backup is not whole: it ends here")
	}
	return text, nil
}

func (r *backupReader) restore(ctx context.Context, tx *sql.Tx) (done store.Backup, err error) {
	text, err := r.next()
	if err != nil {
		return done, err
	}
	var head backupHead
	if err := json.Unmarshal(text, &head); err != nil || head.Backup != "rubric-host" {
		return done, r.bad("not a backup of rubric-host")
	}
	if head.Format != backupFormat || head.Schema < 1 || head.Schema > len(migrations) {
		return done, fault.WithHint(fault.New(fault.Invalid, "the backup has format %d and schema %d, this program knows format %d and schemas up to %d", head.Format, head.Schema, backupFormat, len(migrations)),
			"use the version of rubric-host that wrote it, or a newer one")
	}
	done.At = head.At
	for {
		r.sum.Write(text)
		sum := r.sum.Sum(nil)
		if text, err = r.next(); err != nil {
			return done, err
		}
		var end backupEnd
		if bytes.HasPrefix(text, []byte(`{"end":`)) {
			if json.Unmarshal(text, &end) != nil || end.Lines != r.n-1 || end.Sum != hex.EncodeToString(sum) {
				return done, r.bad("its content is not that of the backup that was made")
			}
			return done, nil
		}
		if err := r.insert(ctx, tx, text, &done); err != nil {
			return done, err
		}
	}
}

func (r *backupReader) insert(ctx context.Context, tx *sql.Tx, line []byte, done *store.Backup) error {
	var row map[string][]jsontext.Value
	if err := json.Unmarshal(line, &row); err != nil || len(row) != 1 {
		return r.bad("not a row")
	}
	for _, k := range keptTables {
		values, ok := row[k.table]
		if !ok {
			continue
		}
		args, err := k.args(values)
		if err != nil {
			return r.bad("%w", err)
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO `+k.table+` (`+k.columns+`) VALUES `+places(1, len(args), false), args...); err != nil {
			return err
		}
		count(done, k.table, 1)
		return nil
	}
	return r.bad("it is of no known table")
}

func (k *kept) args(values []jsontext.Value) ([]any, error) {
	if len(values) != len(k.kinds) {
		return nil, fmt.Errorf("a row of %s has %d values, not %d", k.table, len(k.kinds), len(values))
	}
	args := make([]any, len(values))
	for i, kind := range k.kinds {
		args[i] = column(kind)
		if err := json.Unmarshal(values[i], args[i]); err != nil {
			return nil, fmt.Errorf("value %d of a row of %s: %w", i+1, k.table, err)
		}
	}
	return args, nil
}

// column returns where a value of a kind goes; see kept.
func column(kind rune) any {
	switch kind {
	case 't':
		return new(text)
	case 'i':
		return new(int64)
	}
	return &[]byte{}
}
