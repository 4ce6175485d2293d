package document

import (
	"strconv"

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
