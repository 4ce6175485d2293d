// Package wasmtest assembles the modules that tests hold the sandbox to.
//
// Stability: experimental.
package wasmtest

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	wasmbin "github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Assemble compiles the part of the text format that the test modules use:
// named functions, locals, globals and labels, folded and flat instructions,
// and (module binary "..."). It panics on anything else: the texts are ours.
func Assemble(text string) []byte {
	root, _ := parse(tokenize(text))
	if len(root.list) > 1 && root.list[1].atom == "binary" {
		var b []byte
		for _, s := range root.list[2:] {
			b = append(b, s.text()...)
		}
		return b
	}
	a := &assembler{names: map[string]uint32{}}
	for _, field := range root.list[1:] {
		a.declare(field)
	}
	for _, define := range a.later {
		define()
	}
	return a.m.Append(nil)
}

// A node is an atom, a string, or a list.
type node struct {
	atom string
	list []node
}

func (n node) head() string {
	if len(n.list) == 0 {
		return ""
	}
	return n.list[0].atom
}

func (n node) text() string {
	s, err := strconv.Unquote(hexadecimal.ReplaceAllString(n.atom, `\x$1`))
	if err != nil {
		panic(err)
	}
	return s
}

var (
	hexadecimal = regexp.MustCompile(`\\([0-9a-fA-F]{2})`) // an escaped byte
	tokens      = regexp.MustCompile(`;;.*|[()]|"[^"]*"|[^\s()"]+`)
)

func tokenize(text string) []string {
	return slices.DeleteFunc(tokens.FindAllString(text, -1), func(t string) bool { return strings.HasPrefix(t, ";;") })
}

func parse(tokens []string) (node, []string) {
	if tokens[0] != "(" {
		return node{atom: tokens[0]}, tokens[1:]
	}
	var n node
	tokens = tokens[1:]
	for tokens[0] != ")" {
		var child node
		child, tokens = parse(tokens)
		n.list = append(n.list, child)
	}
	return n, tokens[1:]
}

type assembler struct {
	m     wasmbin.Module
	names map[string]uint32 // "func $f", "global $g", "type $t"
	later []func()          // work that needs all names
}

func valType(n node) wasmbin.ValType {
	return map[string]wasmbin.ValType{
		"i32": wasmbin.I32, "i64": wasmbin.I64, "f32": wasmbin.F32, "f64": wasmbin.F64,
		"funcref": wasmbin.FuncRef, "externref": wasmbin.ExternRef,
	}[n.atom]
}

func number(s string, bits int) int64 {
	s = strings.ReplaceAll(s, "_", "")
	if v, err := strconv.ParseInt(s, 0, 64); err == nil {
		return v
	}
	v, err := strconv.ParseUint(s, 0, bits)
	if err != nil {
		panic(err)
	}
	if bits == 32 {
		return int64(int32(v))
	}
	return int64(v)
}

// take removes a leading $name.
func take(list []node) (name string, rest []node) {
	if len(list) > 0 && strings.HasPrefix(list[0].atom, "$") {
		return list[0].atom, list[1:]
	}
	return "", list
}

// exports takes (export "...") forms off the front.
func (a *assembler) exports(list []node, kind wasmbin.Kind, index uint32) []node {
	for len(list) > 0 && list[0].head() == "export" {
		a.m.Exports = append(a.m.Exports, wasmbin.Export{Name: list[0].list[1].text(), Kind: kind, Index: index})
		list = list[1:]
	}
	return list
}

func size(list []node) wasmbin.Size {
	s := wasmbin.Size{Min: uint32(number(list[0].atom, 32))}
	if len(list) > 1 && list[1].atom != "funcref" {
		s.Max, s.HasMax = uint32(number(list[1].atom, 32)), true
	}
	return s
}

func (a *assembler) declare(f node) {
	name, rest := take(f.list[1:])
	switch f.head() {
	case "type":
		a.names["type "+name] = a.signature(rest[0].list[1:], nil)
	case "import":
		sub, body := take(rest[2].list[1:])
		a.names["func "+sub] = uint32(len(a.m.Imports))
		a.m.Imports = append(a.m.Imports, wasmbin.Import{Module: rest[0].text(), Name: rest[1].text(), Kind: wasmbin.FunctionKind, Type: a.signature(body, nil)})
	case "memory":
		a.m.Memories = append(a.m.Memories, size(a.exports(rest, wasmbin.MemoryKind, 0)))
	case "table":
		a.m.Tables = append(a.m.Tables, wasmbin.Table{Of: wasmbin.FuncRef, Size: size(a.exports(rest, wasmbin.TableKind, 0))})
	case "global":
		a.names["global "+name] = uint32(len(a.m.Globals))
		rest = a.exports(rest, wasmbin.GlobalKind, uint32(len(a.m.Globals)))
		g := wasmbin.Global{}
		if rest[0].head() == "mut" {
			g.Mutable, g.Type = true, valType(rest[0].list[1])
		} else {
			g.Type = valType(rest[0])
		}
		g.Init = a.constant(rest[1])
		a.m.Globals = append(a.m.Globals, g)
	case "func":
		a.function(name, rest)
	case "start":
		a.later = append(a.later, func() { i := a.names["func "+f.list[1].atom]; a.m.Start = &i })
	case "data":
		if rest[0].head() == "" {
			a.m.Data = append(a.m.Data, wasmbin.PassiveData([]byte(rest[0].text())))
			a.later = append(a.later, func() { n := uint32(len(a.m.Data)); a.m.DataCount = &n })
			return
		}
		a.m.Data = append(a.m.Data, wasmbin.Data{Offset: a.constant(rest[0]), Bytes: []byte(rest[1].text())})
	case "elem":
		a.later = append(a.later, func() {
			e := wasmbin.Element{Type: wasmbin.FuncRef, Offset: a.constant(rest[0])}
			for _, n := range rest[1:] {
				e.Functions = append(e.Functions, a.names["func "+n.atom])
			}
			a.m.Elements = append(a.m.Elements, e)
		})
	default:
		panic("cannot assemble " + f.head())
	}
}

func (a *assembler) constant(n node) wasmbin.ConstExpr {
	b := (&body{a: a}).expr(nil, n)
	return append(b, 0x0b)
}

// signature returns the index of the type that (param) and (result) forms
// spell, and notes parameter names.
func (a *assembler) signature(list []node, params *[]string) uint32 {
	var t wasmbin.FuncType
	for _, f := range list {
		name, types := take(f.list[1:])
		for _, v := range types {
			switch f.head() {
			case "param":
				t.Params = append(t.Params, valType(v))
				if params != nil {
					*params = append(*params, name)
				}
			case "result":
				t.Results = append(t.Results, valType(v))
			}
		}
	}
	for i, known := range a.m.Types {
		if fmt.Sprint(known) == fmt.Sprint(t) {
			return uint32(i)
		}
	}
	a.m.Types = append(a.m.Types, t)
	return uint32(len(a.m.Types) - 1)
}

func (a *assembler) function(name string, rest []node) {
	index := uint32(len(a.m.Imports) + len(a.m.Functions))
	a.names["func "+name] = index
	rest = a.exports(rest, wasmbin.FunctionKind, index)
	at := 0
	for at < len(rest) && (rest[at].head() == "param" || rest[at].head() == "result") {
		at++
	}
	b := &body{a: a}
	a.m.Functions = append(a.m.Functions, a.signature(rest[:at], &b.locals))
	slot := len(a.m.Code)
	a.m.Code = append(a.m.Code, wasmbin.Body{})
	a.later = append(a.later, func() {
		var code wasmbin.Body
		rest := rest[at:]
		for len(rest) > 0 && rest[0].head() == "local" {
			name, types := take(rest[0].list[1:])
			for _, v := range types {
				b.locals = append(b.locals, name)
				code.Locals = append(code.Locals, wasmbin.Locals{Count: 1, Type: valType(v)})
			}
			rest = rest[1:]
		}
		code.Code = append(b.sequence(nil, rest), 0x0b)
		a.m.Code[slot] = code
	})
}

// A body assembles the code of one function.
type body struct {
	a      *assembler
	locals []string
	labels []string // innermost last
}

// sequence assembles folded and flat instructions.
func (b *body) sequence(out []byte, list []node) []byte {
	for len(list) > 0 {
		n := list[0]
		list = list[1:]
		if n.atom == "" {
			out = b.expr(out, n)
			continue
		}
		imm := immediates(n.atom, list)
		out = b.instruction(out, n.atom, list[:imm])
		list = list[imm:]
	}
	return out
}

// expr assembles one folded instruction.
func (b *body) expr(out []byte, n node) []byte {
	op := n.head()
	code, isBlock := map[string]byte{"block": 2, "loop": 3, "if": 4}[op]
	if !isBlock {
		args := n.list[1:]
		imm := immediates(op, args)
		out = b.sequence(out, args[imm:])
		return b.instruction(out, op, args[:imm])
	}
	label, rest := take(n.list[1:])
	of := byte(0x40)
	if len(rest) > 0 && rest[0].head() == "result" {
		of, rest = byte(valType(rest[0].list[1])), rest[1:]
	}
	arms := [][]node{rest}
	if op == "if" {
		for arms = nil; len(rest) > 0; rest = rest[1:] {
			if rest[0].head() == "then" || rest[0].head() == "else" {
				arms = append(arms, rest[0].list[1:])
			} else {
				out = b.expr(out, rest[0])
			}
		}
	}
	out = append(out, code, of)
	b.labels = append(b.labels, label)
	for k, arm := range arms {
		if k > 0 {
			out = append(out, 5)
		}
		out = b.sequence(out, arm)
	}
	b.labels = b.labels[:len(b.labels)-1]
	return append(out, 0x0b)
}

// immediates returns how many of the following atoms belong to an instruction.
func immediates(op string, list []node) int {
	n := 0
	for n < len(list) && list[n].atom != "" && (strings.HasPrefix(list[n].atom, "$") || strings.Contains("-0123456789", list[n].atom[:1]) || strings.HasPrefix(list[n].atom, "offset=") || op == "ref.null") {
		n++
	}
	return n
}

// named resolves the immediates of an instruction.
var named = map[string]string{"call": "func ", "ref.func": "func ", "global.get": "global ", "global.set": "global ", "call_indirect": "type "}

func (b *body) instruction(out []byte, op string, imm []node) []byte {
	code, known := opcodes[op]
	if !known {
		panic("unknown instruction " + op)
	}
	if code > 0xff {
		out = append(out, 0xfc)
		out = wasmbin.AppendU32(out, uint32(code&0xff))
	} else {
		out = append(out, byte(code))
	}
	switch {
	case op == "i32.const":
		return wasmbin.AppendS64(out, number(imm[0].atom, 32))
	case op == "i64.const":
		return wasmbin.AppendS64(out, number(imm[0].atom, 64))
	case op == "f64.const":
		v, err := strconv.ParseFloat(imm[0].atom, 64)
		if err != nil {
			panic(err)
		}
		return binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
	case strings.Contains(op, ".load") || strings.Contains(op, ".store"):
		offset := uint64(0)
		if len(imm) > 0 {
			offset = uint64(number(strings.TrimPrefix(imm[0].atom, "offset="), 64))
		}
		return wasmbin.AppendU32(append(out, 0), uint32(offset))
	case op == "memory.copy":
		return append(out, 0, 0)
	case op == "memory.size" || op == "memory.grow" || op == "memory.fill":
		return append(out, 0)
	case op == "ref.null":
		return append(out, byte(wasmbin.FuncRef))
	case strings.HasPrefix(op, "table.") && len(imm) == 0:
		return append(out, 0)
	}
	for _, i := range imm {
		out = wasmbin.AppendU32(out, b.index(op, i.atom))
	}
	if op == "call_indirect" || op == "memory.init" {
		out = append(out, 0)
	}
	return out
}

func (b *body) index(op, s string) uint32 {
	if !strings.HasPrefix(s, "$") {
		return uint32(number(s, 32))
	}
	switch {
	case strings.HasPrefix(op, "local."):
		for i, l := range b.locals {
			if l == s {
				return uint32(i)
			}
		}
	case strings.HasPrefix(op, "br"):
		for i := range b.labels {
			if b.labels[len(b.labels)-1-i] == s {
				return uint32(i)
			}
		}
	default:
		if i, known := b.a.names[named[op]+s]; known {
			return i
		}
	}
	panic("unknown name " + s + " of " + op)
}

// opcodes by name: those that a row lists take consecutive codes.
var opcodes = func() map[string]int {
	m := map[string]int{}
	for _, row := range []struct {
		first int
		names string
	}{
		{0x00, "unreachable nop"},
		{0x0c, "br br_if br_table return call call_indirect"},
		{0x1a, "drop select"},
		{0x20, "local.get local.set local.tee global.get global.set table.get table.set"},
		{0x28, "i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u"},
		{0x36, "i32.store i64.store f32.store f64.store i32.store8 i32.store16"},
		{0x3f, "memory.size memory.grow i32.const i64.const f32.const f64.const"},
		{0x45, "i32.eqz i32.eq i32.ne i32.lt_s i32.lt_u i32.gt_s i32.gt_u i32.le_s i32.le_u i32.ge_s i32.ge_u"},
		{0x50, "i64.eqz i64.eq i64.ne i64.lt_s i64.lt_u i64.gt_s i64.gt_u"},
		{0x6a, "i32.add i32.sub i32.mul i32.div_s i32.div_u i32.rem_s i32.rem_u i32.and i32.or i32.xor i32.shl i32.shr_s i32.shr_u"},
		{0x7c, "i64.add i64.sub i64.mul i64.div_s i64.div_u i64.rem_s i64.rem_u i64.and i64.or i64.xor i64.shl i64.shr_s i64.shr_u i64.rotl i64.rotr"},
		{0x8b, "f32.abs f32.neg f32.ceil f32.floor f32.trunc f32.nearest f32.sqrt f32.add f32.sub f32.mul f32.div f32.min f32.max f32.copysign"},
		{0x99, "f64.abs f64.neg f64.ceil f64.floor f64.trunc f64.nearest f64.sqrt f64.add f64.sub f64.mul f64.div f64.min f64.max f64.copysign"},
		{0xa7, "i32.wrap_i64"}, {0xac, "i64.extend_i32_s i64.extend_i32_u"}, {0xb6, "f32.demote_f64"}, {0xbb, "f64.promote_f32"},
		{0xbc, "i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64"},
		{0xd0, "ref.null ref.is_null ref.func"},
		{0xfc08, "memory.init data.drop memory.copy memory.fill table.init elem.drop table.copy table.grow table.size table.fill"},
	} {
		for i, name := range strings.Fields(row.names) {
			m[name] = row.first + i
		}
	}
	return m
}()
