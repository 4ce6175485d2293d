package document

import (
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
)

// longPath is where a path stops growing: hostile keys would make it as long as
// the document, once for each element below them.
const longPath = 400 // bytes

// Join returns the path of a member of the object at path, such as
// "criteria[2].weight". Paths are for people: long keys are cut.
func Join(path, key string) string {
	switch key = fault.Clip(key, 80); {
	case path == "":
		return key
	case len(path) > longPath:
		return path
	}
	return path + "." + key
}

// Index returns the path of element i, from 0, of the list at path.
func Index(path string, i int) string {
	if len(path) > longPath {
		return path
	}
	return path + "[" + strconv.Itoa(i) + "]"
}

// CutIndex splits a step of a path that Index made, "name[3]", into name and index.
func CutIndex(step string) (name string, i int, ok bool) {
	name, rest, found := strings.Cut(step, "[")
	i, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	if !found || err != nil || i < 0 {
		return step, 0, false
	}
	return name, i, true
}

// Find returns the element at a path below n, nil if there is none.
func (n *Node) Find(path string) *Node {
	for step := range strings.SplitSeq(path, ".") {
		name, i, indexed := CutIndex(step)
		if name != "" {
			n = n.Get(name)
		}
		switch {
		case !indexed:
		case n.Is(List) && i < len(n.Items):
			n = n.Items[i]
		default:
			return nil
		}
	}
	return n
}
