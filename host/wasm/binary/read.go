package binary

import (
	"bytes"
	"fmt"

	"github.com/rubric-host/rubric-host/host/fault"
)

const (
	magic   = "\x00asm"
	version = "\x01\x00\x00\x00"

	// componentLayer is the layer, the upper half of the version field, of a component.
	componentLayer = 1
)

// Section ids of the binary format.
const (
	customID byte = iota
	typeID
	importID
	functionID
	tableID
	memoryID
	globalID
	exportID
	startID
	elementID
	codeID
	dataID
	dataCountID
	tagID
)

// A section describes how to read one section.
type section struct {
	name string
	rank int // sections come in this order
	read func(*reader, *cursor)
}

var sections = [...]section{
	customID:    {"custom", 0, nil},
	typeID:      {"type", 1, (*reader).functionForms},
	importID:    {"import", 2, (*reader).imports},
	functionID:  {"function", 3, (*reader).functionTypes},
	tableID:     {"table", 4, (*reader).tableTypes},
	memoryID:    {"memory", 5, (*reader).memoryTypes},
	tagID:       {"tag", 6, (*reader).tags},
	globalID:    {"global", 7, (*reader).globalInits},
	exportID:    {"export", 8, (*reader).exports},
	startID:     {"start", 9, (*reader).start},
	elementID:   {"element", 10, (*reader).elementSegments},
	codeID:      {"code", 12, (*reader).bodies},
	dataID:      {"data", 13, (*reader).dataSegments},
	dataCountID: {"data count", 11, (*reader).dataCount},
}

// A reader is one run of Read.
type reader struct {
	m Module
	bounds

	// Bounds for the index checks of code; see env.
	imported                                                            int
	types, functions, tables, memories, globals, elements, data, tagged uint32

	entries uint64   // table entries so far
	listed  uint64   // elements so far
	results []uint32 // number of those of each function

	outline bool // skip code, data and names

	open    []Op     // scratch of walk
	carry   []uint32 // scratch of walk
	labels  []uint32 // scratch of walk
	clauses []Clause // scratch of walk
}

// Read decodes the module in b. The result shares memory with b, which must not be changed. An error has class fault.Refused and wraps a *Refusal.
func Read(b []byte, limits Limits) (*Module, error) {
	return (&reader{bounds: bounds{max: limits.WithDefaults()}}).module(b)
}

// Outline is Read without code, data and names: Code and Data are empty. Read may still refuse the
// module.
func Outline(b []byte, limits Limits) (*Module, error) {
	return (&reader{bounds: bounds{max: limits.WithDefaults()}, outline: true}).module(b)
}

func (r *reader) module(b []byte) (*Module, error) {
	c := &cursor{b: b, section: "module", bounds: &r.bounds}
	if c.hold(0, "FileBytes", uint64(len(b)), "bytes in the module"); c.ok() {
		header(c)
	}
	last := customID
	for c.ok() && c.left() > 0 {
		last = r.section(c, last)
	}
	if c.ok() {
		r.finish(c)
	}
	if !c.ok() {
		return nil, fault.As(fault.Refused, fmt.Errorf("module refused: %w", c.trouble))
	}
	r.m.Needs = r.needs
	return &r.m, nil
}

// header checks the first eight bytes, and recognises other formats.
func header(c *cursor) {
	b := c.b
	switch {
	case len(b) >= 8 && string(b[:4]) == magic && string(b[4:8]) == version:
		c.at = 8
	case len(b) >= 8 && string(b[:4]) == magic && b[6] == componentLayer && b[7] == 0:
		c.at = 4
		c.fail("this is a component, not a core module: rebuild for wasip1")
	case len(b) >= 4 && string(b[:4]) == magic:
		c.at = 4
		c.fail("unknown version of the binary format")
	case bytes.HasPrefix(bytes.TrimSpace(b), []byte("(module")):
		c.fail("this is WebAssembly text, not a binary: compile it with wat2wasm")
	default:
		c.fail("not a WebAssembly module")
	}
}

// section reads one section and returns its id if it counts for the order.
func (r *reader) section(c *cursor, last byte) byte {
	at := c.at
	id := c.u8()
	body := c.take(c.u32())
	if !c.ok() {
		return last
	}
	if int(id) >= len(sections) {
		c.at = at
		c.fail("unknown section %d", id)
		return last
	}
	s := sections[id]
	in := &cursor{b: body, base: c.at - len(body), section: s.name, bounds: &r.bounds}
	switch {
	case id == customID:
		r.custom(in, last)
		id = last
	case s.rank <= sections[last].rank:
		c.at = at
		c.fail("%s section after %s section", s.name, sections[last].name)
		return last
	case r.outline && (id == codeID || id == dataID):
		return id
	default:
		s.read(r, in)
	}
	if in.ok() && in.left() > 0 {
		in.fail("%d bytes too many", in.left())
	}
	if !in.ok() {
		c.trouble = in.trouble
	}
	return id
}

// finish checks consistency between sections.
func (r *reader) finish(c *cursor) {
	m := &r.m
	switch {
	case r.outline:
	case len(m.Functions) != len(m.Code):
		c.fail("%d functions without code", len(m.Functions)-len(m.Code))
	case m.DataCount != nil && int(*m.DataCount) != len(m.Data):
		c.fail("data count is %d, but the module has %d data segments", *m.DataCount, len(m.Data))
	case m.Count(MemoryKind) > 1:
		c.fail(manyMemories) // an imported one is among them
	default:
		c.hold(c.here(), "Tables", uint64(m.Count(TableKind)), "tables") // imported ones too
	}
}

func (r *reader) custom(c *cursor, after byte) {
	name := c.name()
	if !c.ok() {
		return
	}
	custom := Custom{Name: name, Bytes: c.take(uint32(c.left())), After: after}
	r.m.Customs = append(r.m.Customs, custom)
	c.hold(c.here(), "Customs", uint64(len(r.m.Customs)), "custom sections")
	if c.ok() && name == nameSection && !r.outline {
		names := &cursor{b: custom.Bytes, base: c.base + len(c.b) - len(custom.Bytes), section: nameSection}
		readNames(names, func(Name) {})
		c.trouble = names.trouble
	}
}

// CustomSection returns the first custom section with a name. It reads only the section headers, so
// it does not tell whether Read would accept the module. It reports false if there is no such
// section, or if b is not a module.
func CustomSection(b []byte, name string) ([]byte, bool) {
	c := &cursor{b: b, section: "module"}
	header(c)
	for c.ok() && c.left() > 0 {
		id := c.u8()
		in := &cursor{b: c.take(c.u32())}
		if c.ok() && id == customID && in.name() == name && in.ok() {
			return in.b[in.at:], true
		}
	}
	return nil, false
}
