package database

import (
	"context"
	"errors"
)

// summed are the queries of the tables whose rows have sums, and how a row is compared
// with its sum.
var summed = map[string]struct {
	query string
	scan  func(scanner) error
}{
	"rubrics":   {`SELECT ` + rubricColumns + ` FROM rubrics r ORDER BY r.id, r.version`, func(row scanner) error { _, err := scanRubric(row); return err }},
	"artifacts": {`SELECT ` + artifactColumns + ` FROM artifacts a ORDER BY a.id, a.place`, func(row scanner) error { _, err := scanArtifact(row); return err }},
}

// sums returns the first ten rows of a table whose checksum is wrong.
func sums(ctx context.Context, q querier, table string) error {
	c, ok := summed[table]
	if !ok {
		return nil
	}
	rows, err := q.QueryContext(ctx, c.query)
	if err != nil {
		return err
	}
	defer rows.Close()
	var problems []error
	for rows.Next() && len(problems) < 10 {
		if err := c.scan(rows); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(append(problems, rows.Err())...)
}
