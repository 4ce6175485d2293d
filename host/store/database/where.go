package database

import (
	"fmt"
	"strings"
)

// where collects conditions of a query and their arguments.
type where struct {
	conditions []string
	args       []any
}

// and adds a condition, with a ? in the place of each of its arguments.
func (w *where) and(condition string, args ...any) {
	for _, arg := range args {
		w.args = append(w.args, arg)
		condition = strings.Replace(condition, "?", fmt.Sprintf("$%d", len(w.args)), 1)
	}
	w.conditions = append(w.conditions, condition)
}

// filter adds a condition on a text, unless the text is empty.
func (w *where) filter(condition, value string) {
	if value != "" {
		w.and(condition, text(value))
	}
}

func (w *where) clause() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conditions, " AND ")
}
