package meter

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// boundedWork is the fuel up to which a function without loops, recursion and indirect
// calls needs no check: its caller has one.
const boundedWork = 256

// boundedExit is the fuel up to which a recursive function needs no check before it
// returns: a chain of returns stays cheap.
const boundedExit = 4_096

// A graph says which functions call which. Its nodes are the defined functions and, for indirect
// calls, the types: a call through a table may reach every function of its type whose address is taken.
type graph struct {
	a       *analysis
	targets map[uint32][]uint32 // defined functions by the number of their type, if their address is taken
}

func newGraph(a *analysis) graph {
	g := graph{a, map[uint32][]uint32{}}
	for f := range a.addressTaken {
		if f >= a.imported {
			t := a.types[a.m.Functions[f-a.imported]]
			g.targets[t] = append(g.targets[t], f-a.imported)
		}
	}
	return g
}

func (g *graph) nodes() int { return len(g.a.functions) + len(g.a.m.Types) }

// components finds the functions that may call themselves, directly or through others, by
// Tarjan's algorithm for strongly connected components (1972), without recursion.
type components struct {
	graph
	order []int32 // when a node was first seen, from 1
	low   []int32
	stack []uint32
	open  []bool // on stack
	seen  int32
}

// classify fills recursive, bounded and throws of all functions.
func (a *analysis) classify() {
	a.propagateThrows()
	g := &components{graph: newGraph(a)}
	g.order, g.low, g.open = make([]int32, g.nodes()), make([]int32, g.nodes()), make([]bool, g.nodes())
	for f := range a.functions {
		if g.order[f] == 0 {
			g.visit(uint32(f))
		}
	}
}

// typeNumbers gives equal types equal numbers: the index of the first, which it also returns by key.
func typeNumbers(types []binary.FuncType) (numbers []uint32, first map[string]uint32) {
	numbers, first = make([]uint32, len(types)), map[string]uint32{}
	var key []byte
	for i, t := range types {
		key = appendTypeKey(key[:0], t.Params, t.Results)
		n, known := first[string(key)]
		if !known {
			n = uint32(i)
			first[string(key)] = n
		}
		numbers[i] = n
	}
	return numbers, first
}

// appendTypeKey appends a key that only equal types share.
func appendTypeKey(key []byte, params, results []binary.ValType) []byte {
	for _, list := range [][]binary.ValType{params, results} {
		for _, v := range list {
			key = append(key, byte(v))
		}
		key = append(key, 0)
	}
	return key
}

// next returns the k-th successor of a node.
func (g *graph) next(node uint32, k int) (uint32, bool) {
	n := uint32(len(g.a.functions))
	if node >= n {
		list := g.targets[node-n]
		if k >= len(list) {
			return 0, false
		}
		return list[k], true
	}
	f := &g.a.functions[node]
	if k += f.callees[0]; k >= f.callees[1] {
		return 0, false
	}
	c := g.a.callees[k]
	if c&indirectly != 0 {
		return n + g.a.types[c&^indirectly], true
	}
	return c - g.a.imported, true
}

// A step is a node on the path from the root, with the next edge to follow.
type step struct {
	node uint32
	edge int
}

func (g *components) enter(node uint32) step {
	g.seen++
	g.order[node], g.low[node] = g.seen, g.seen
	g.stack, g.open[node] = append(g.stack, node), true
	return step{node: node}
}

func (g *components) visit(root uint32) {
	path := []step{g.enter(root)}
	for len(path) > 0 {
		s := &path[len(path)-1]
		to, more := g.next(s.node, s.edge)
		s.edge++
		switch {
		case more && g.order[to] == 0:
			path = append(path, g.enter(to))
		case more:
			if g.open[to] {
				g.low[s.node] = min(g.low[s.node], g.order[to])
			}
		default:
			node := s.node
			path = path[:len(path)-1]
			if len(path) > 0 {
				parent := path[len(path)-1].node
				g.low[parent] = min(g.low[parent], g.low[node])
			}
			if g.low[node] == g.order[node] {
				g.leave(node)
			}
		}
	}
}

// leave pops the component of root off the stack. The components that it calls are done.
func (g *components) leave(root uint32) {
	top := len(g.stack) - 1
	alone := g.stack[top] == root && !g.callsItself(root)
	for {
		node := g.stack[top]
		g.stack = g.stack[:top]
		g.open[node] = false
		if int(node) < len(g.a.functions) {
			f := &g.a.functions[node]
			f.recursive = !alone
			f.bounded = alone && g.bounded(f)
		}
		if node == root {
			return
		}
		top--
	}
}

func (g *graph) callsItself(node uint32) bool {
	for k := 0; ; k++ {
		to, more := g.next(node, k)
		if !more || to == node {
			return more
		}
	}
}

// bounded reports whether a function that is not recursive does little work. It adds the
// work of its callees to its own.
func (g *graph) bounded(f *function) bool {
	if f.unbounded {
		return false
	}
	for _, c := range g.a.callees[f.callees[0]:f.callees[1]] {
		callee := &g.a.functions[c-g.a.imported]
		if !callee.bounded {
			return false
		}
		f.work += callee.work
	}
	return f.work <= boundedWork
}
