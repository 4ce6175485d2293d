package dialect

import (
	"cmp"
	"reflect"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Encode writes a document in a dialect and a format; the empty format is the
// document's own, the empty dialect too.
//
// In its own dialect an unchanged document is written as it was read, with its
// comments and the order of its keys: nothing is lost. One whose rubrics or cases
// were changed is written from them; parts that a rubric does not hold, such as
// settings of the system under test, are then among the losses unless they could be
// put back in their places.
//
// In another dialect losses lists the parts that it cannot hold, each with the path
// in the document's rubric. A loss of severity Warning leaves every score unchanged:
// a name, a note, a judge setting. One of severity Error changes the measurement, and
// the caller should ask before using the result. An error means that no document can
// be written.
func Encode(doc *Document, to, format string) (out []byte, losses diag.List, err error) {
	to = cmp.Or(to, doc.Dialect)
	if err := Known(to); err != nil {
		return nil, nil, err
	}
	format = cmp.Or(format, doc.Format)
	if to == doc.Dialect && doc.untouched() {
		out, err := document.Write(doc.tree, format)
		return out, nil, err
	}
	return rewrite(doc, find(to), format)
}

func rewrite(doc *Document, speaks *dialect, format string) (out []byte, losses diag.List, err error) {
	to := speaks.name
	e := &encoder{to: to, file: doc.File, written: map[string]bool{}}
	tree := speaks.encode(e, doc)
	e.leftKept(doc)
	if tree == nil {
		return nil, e.losses, fault.New(fault.Invalid, "%s cannot be written as %s: %w", cmp.Or(doc.File, "the document"), to, e.refusal())
	}
	e.mark(tree)
	if out, err = document.Write(tree, format); err != nil {
		return nil, e.losses, err
	}
	if _, err := Decode("", out, Options{Dialect: to, Format: format}); err != nil {
		return nil, e.losses, fault.New(fault.Invalid, "this rubric cannot be written as %s: %w", to, err)
	}
	return out, e.losses, nil
}

// NativeSchemaFile is the name under which native documents may refer to their
// schema, for editors: a file beside them.
const NativeSchemaFile = "rubric.schema.json"

// mark lets a document say which dialect it is in, if its structure does not.
func (e *encoder) mark(tree *node) {
	if tree.Is(document.Object) && Detect(tree).Dialect != e.to {
		tree.Members = append([]member{{Key: "$schema", Value: textOf(marker(e.to))}}, tree.Members...)
	}
}

// untouched reports whether the document still equals its source.
func (doc *Document) untouched() bool {
	if doc.tree == nil || doc.src == nil {
		return false
	}
	again, err := Decode(doc.File, doc.src.Bytes, Options{Dialect: doc.Dialect, Format: doc.Format})
	if err == nil && doc.Selected != "" {
		again, err = again.Select(doc.Selected)
	}
	return err == nil && reflect.DeepEqual(again.Rubrics, doc.Rubrics) && reflect.DeepEqual(again.Rubric, doc.Rubric) && reflect.DeepEqual(again.Cases, doc.Cases)
}
