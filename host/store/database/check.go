package database

import (
	"context"
	"errors"
)

// checkSums reads every rubric and artifact, and returns those that are not what was
// written.
func (b *DB) checkSums(ctx context.Context) error {
	var problems []error
	for _, c := range []struct {
		query string
		scan  func(scanner) error
	}{
		{`SELECT ` + rubricColumns + ` FROM rubrics r ORDER BY r.id, r.version`, func(row scanner) error { _, err := scanRubric(row); return err }},
		{`SELECT ` + artifactColumns + ` FROM artifacts a ORDER BY a.id, a.place`, func(row scanner) error { _, err := scanArtifact(row); return err }},
	} {
		rows, err := b.sql.QueryContext(ctx, c.query)
		if err != nil {
			return b.fault(err)
		}
		for rows.Next() && len(problems) < 10 {
			if err := c.scan(rows); err != nil {
				problems = append(problems, b.fault(err))
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			problems = append(problems, b.fault(err))
		}
	}
	return errors.Join(problems...)
}
