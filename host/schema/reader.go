package schema

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
)

// A resource is a schema with an address of its own, and what within it can be
// named.
type resource struct {
	address   string // without a fragment
	root      any
	draft     *draft
	anchors   map[string]*object
	dynamicAt map[string]*object // those of the anchors that are dynamic
	dynamic   map[string]*part   // the same, read
}

// A reader makes parts of decoded schemas that were surveyed. It follows
// references within them, and to the schemas of schemas; nothing is loaded.
type reader struct {
	formats bool                        // format is an assertion in every draft
	check   func(d *draft, v any) error // holds what was not known to be a schema to its draft

	resources map[string]*resource // by address
	all       []*resource
	homes     map[*object]*resource // what schemas belong to, for every one that is known to be one
	parts     map[*object]*part
	tracks    bool
}

// read reads the schema of an address. The document is of a draft; without one it
// is that which the program carries.
func (r *reader) read(address string, d *draft, document any) (*Schema, error) {
	r.resources, r.homes, r.parts = map[string]*resource{}, map[*object]*resource{}, map[*object]*part{}
	if d != nil {
		if _, err := r.add(address, d, document); err != nil {
			return nil, err
		}
	}
	home, err := r.find(address)
	if err != nil {
		return nil, err
	}
	root, err := r.part(home.root, home)
	if err == nil {
		err = r.readDynamic()
	}
	if err == nil {
		err = r.checkLoops()
	}
	if err != nil {
		return nil, err
	}
	return &Schema{root: root, tracks: r.tracks}, nil
}

// add takes a document, whose root has an address.
func (r *reader) add(address string, d *draft, document any) (*resource, error) {
	home := r.resource(address, d, document)
	if o, ok := document.(*object); ok {
		if own, _ := d.idOf(o); own != "" {
			absolute, err := resolve(address, own)
			if err != nil {
				return nil, err
			}
			home.address, _ = split(absolute)
			r.resources[home.address] = home
		}
		if err := checkVocabulary(d, o); err != nil {
			return nil, err
		}
		r.homes[o] = home
		return home, r.within(o, home)
	}
	return home, nil
}

func (r *reader) resource(address string, d *draft, root any) *resource {
	home := &resource{address: address, root: root, draft: d, anchors: map[string]*object{}, dynamicAt: map[string]*object{}, dynamic: map[string]*part{}}
	r.resources[address] = home
	r.all = append(r.all, home)
	return home
}

// checkVocabulary refuses a schema that needs a vocabulary which its draft does
// not have.
func checkVocabulary(d *draft, o *object) error {
	list, ok := o.at["$vocabulary"].(*object)
	if !ok || d.version < 2019 {
		return nil
	}
	for _, name := range list.names {
		if needed, _ := list.at[name].(bool); needed && !d.knows(name) {
			return fmt.Errorf("it needs the vocabulary %q, which is unknown", clip(name))
		}
	}
	return nil
}

// idOf returns the address that a schema gives itself, and its fragment, which
// names it in drafts up to 7.
func (d *draft) idOf(o *object) (address, fragment string) {
	if _, refers := o.at["$ref"]; refers && d.version <= 7 {
		return "", ""
	}
	id, _ := o.at[d.id].(string)
	return split(id)
}

// index notes a schema, and all within it, unless it is known.
func (r *reader) index(v any, home *resource) error {
	o, ok := v.(*object)
	if !ok || r.homes[o] != nil {
		return nil
	}
	if own, _ := home.draft.idOf(o); own != "" {
		absolute, err := resolve(home.address, own)
		if err != nil {
			return err
		}
		address, _ := split(absolute)
		if r.resources[address] != nil {
			return fmt.Errorf("the address %s is there twice", within(address))
		}
		home = r.resource(address, home.draft, o)
	}
	r.homes[o] = home
	return r.within(o, home)
}

// within notes the names of a schema, and the schemas that it holds.
func (r *reader) within(o *object, home *resource) error {
	home.name(o)
	for _, keyword := range o.names {
		at := home.draft.parts[keyword]
		var list []any
		switch v := o.at[keyword].(type) {
		case *object:
			if at&inItself != 0 {
				list = append(list, v)
			}
			for k := 0; at&inMembers != 0 && k < len(v.names); k++ {
				list = append(list, v.at[v.names[k]])
			}
		case []any:
			if at&inItems != 0 {
				list = v
			}
		}
		for _, v := range list {
			if err := r.index(v, home); err != nil {
				return err
			}
		}
	}
	return nil
}

// name notes the anchors of a schema. The first of a name counts.
func (home *resource) name(o *object) {
	note := func(in map[string]*object, name string) {
		if in[name] == nil && name != "" {
			in[name] = o
		}
	}
	if home.draft.version <= 7 {
		_, fragment := home.draft.idOf(o)
		note(home.anchors, fragment)
		return
	}
	name, _ := o.at["$anchor"].(string)
	note(home.anchors, name)
	if name, _ = o.at["$dynamicAnchor"].(string); home.draft.version >= 2020 {
		note(home.anchors, name)
		note(home.dynamicAt, name)
	}
}

// find returns the resource of an address.
func (r *reader) find(address string) (*resource, error) {
	if home := r.resources[address]; home != nil {
		return home, nil
	}
	text, d := carried(address)
	if text == nil {
		return nil, errOutside(address)
	}
	for _, home := range r.all { // spelt otherwise
		if bare(home.address) == bare(address) {
			return home, nil
		}
	}
	v, err := decode(text, schemaBounds)
	if err != nil {
		return nil, err
	}
	return r.add(address, d, v)
}

// follow returns the part that a reference in a resource means, and what it was
// read from.
func (r *reader) follow(ref string, from *resource) (*part, any, error) {
	absolute, err := resolve(from.address, ref)
	if err != nil {
		return nil, nil, err
	}
	address, fragment := split(absolute)
	home, err := r.find(address)
	if err != nil {
		return nil, nil, err
	}
	v := home.root
	switch {
	case strings.HasPrefix(fragment, "/"):
		v, home, err = r.walk(fragment[1:], home)
	case fragment != "":
		if o := home.anchors[fragment]; o != nil {
			v = o
		} else {
			err = errNotThere
		}
	}
	if errors.Is(err, errNotThere) {
		err = fmt.Errorf("%s not found", within(absolute))
	}
	if err != nil {
		return nil, nil, err
	}
	p, err := r.part(v, home)
	return p, v, err
}

var errNotThere = errors.New("not found")

// walk follows a JSON pointer. What it leads to is a schema from then on.
func (r *reader) walk(pointer string, home *resource) (any, *resource, error) {
	v := home.root
	for _, token := range strings.Split(pointer, "/") {
		next, ok := step(v, token)
		if !ok {
			return nil, nil, errNotThere
		}
		v = next
		if o, ok := v.(*object); ok && r.homes[o] != nil {
			home = r.homes[o]
		}
	}
	if o, ok := v.(*object); !ok || r.homes[o] == nil { // nobody has held it to the schema of schemas
		if err := r.check(home.draft, v); err != nil {
			return nil, nil, err
		}
	}
	return v, home, r.index(v, home)
}

// part reads a schema that was indexed.
func (r *reader) part(v any, home *resource) (*part, error) {
	switch v := v.(type) {
	case bool:
		p := newPart(home.draft, home)
		p.always = &v
		return p, nil
	case *object:
		if p := r.parts[v]; p != nil {
			return p, nil
		}
		if own := r.homes[v]; own != nil {
			home = own
		}
		p := newPart(home.draft, home)
		r.parts[v] = p
		k := keywords{reader: r, part: p, object: v}
		k.read()
		return p, k.err
	}
	return nil, fmt.Errorf("expected object, but got %s, where a schema is meant", typeOf(v))
}

// readDynamic reads what has a dynamic anchor, wherever that is: any of it may be
// what a dynamic reference means.
func (r *reader) readDynamic() error {
	for again := true; again; {
		again = false
		for k := 0; k < len(r.all); k++ { // it grows
			home := r.all[k]
			for _, name := range slices.Sorted(maps.Keys(home.dynamicAt)) {
				if home.dynamic[name] != nil {
					continue
				}
				p, err := r.part(home.dynamicAt[name], home)
				if err != nil {
					return err
				}
				home.dynamic[name], again = p, true
			}
		}
	}
	return nil
}

// checkLoops refuses parts that hand a value on to themselves.
func (r *reader) checkLoops() error {
	const underWay, done = 1, 2
	state := map[*part]byte{}
	var visit func(p *part) bool
	visit = func(p *part) bool {
		switch {
		case p == nil || state[p] == done:
			return true
		case state[p] == underWay:
			return false
		}
		state[p] = underWay
		for _, next := range p.inPlace() {
			if !visit(next) {
				return false
			}
		}
		state[p] = done
		return true
	}
	for _, p := range r.parts {
		if !visit(p) {
			return errors.New("infinite loop: a reference leads back to itself")
		}
	}
	return nil
}

// resolve returns the address that a reference means where an address is base.
func resolve(base, ref string) (string, error) {
	switch {
	case ref == "":
		return base, nil
	case strings.HasPrefix(ref, "urn:"):
		return ref, nil
	}
	to, err := url.Parse(ref)
	if err != nil {
		return "", fmt.Errorf("%q is no address", clip(ref))
	}
	if to.IsAbs() {
		return ref, nil
	}
	if strings.HasPrefix(base, "urn:") {
		return base + ref, nil
	}
	from, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("%q is no address", clip(base))
	}
	return from.ResolveReference(to).String(), nil
}

// split cuts an address from its fragment.
func split(address string) (before, fragment string) {
	before, fragment, _ = strings.Cut(address, "#")
	if fragment == "/" {
		fragment = ""
	}
	return before, fragment
}

// within writes an address for a message.
func within(address string) string { return clip(strings.TrimPrefix(address, base)) }

// step goes one token of a JSON pointer further.
func step(v any, token string) (any, bool) {
	token, err := url.PathUnescape(token)
	if err != nil {
		return nil, false
	}
	token = unescape(token)
	switch in := v.(type) {
	case *object:
		inner, ok := in.at[token]
		return inner, ok
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(in) {
			return in[i], true
		}
	}
	return nil, false
}

// refused classes what reading finds wrong with a schema.
func refused(err error) error {
	if fault.Is(err, fault.Invalid) {
		return err
	}
	return fault.New(fault.Invalid, "the schema is not valid: %s", clip(err.Error()))
}
