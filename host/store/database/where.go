package database

import (
	"fmt"
	"slices"
	"strings"
)

// where collects conditions of a query and their arguments.
type where struct {
	conditions []string
	args       []any
}

// and adds a condition that ends with the place of its argument.
func (w *where) and(condition string, arg any) {
	w.args = append(w.args, arg)
	w.conditions = append(w.conditions, fmt.Sprintf("%s$%d", condition, len(w.args)))
}

// clause returns the conditions as a query has them.
func (w *where) clause() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conditions, " AND ")
}

// limited returns the end of a query that returns at most n rows; 0: no limit.
func limited(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" LIMIT %d", n)
}

// clone returns a copy that may get other conditions.
func (w where) clone() where { return where{slices.Clone(w.conditions), slices.Clone(w.args)} }
