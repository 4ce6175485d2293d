// Package xslices has the functions on lists that package slices lacks.
//
// Stability: experimental.
package xslices

// Map returns the results of f for the elements of a list, in their order. It is never nil.
func Map[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// Filter returns the elements of a list that f accepts, in their order; nil if there are none.
func Filter[T any](list []T, f func(T) bool) (out []T) {
	for _, x := range list {
		if f(x) {
			out = append(out, x)
		}
	}
	return out
}

// Count returns the number of elements of a list that f accepts.
func Count[T any](list []T, f func(T) bool) (n int) {
	for _, x := range list {
		if f(x) {
			n++
		}
	}
	return n
}

// Find returns a pointer to the first element of a list that f accepts, nil if there is none.
func Find[T any](list []T, f func(*T) bool) *T {
	for i := range list {
		if f(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// Set returns the elements of a list as a set.
func Set[T comparable](list []T) map[T]bool {
	out := make(map[T]bool, len(list))
	for _, x := range list {
		out[x] = true
	}
	return out
}

// Pointers returns pointers to the elements of a list, in their order.
func Pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// Unique returns the elements of lists, each once, in the order in which they come first; nil if there are none.
func Unique[T comparable](lists ...[]T) (out []T) {
	seen := map[T]bool{}
	for _, list := range lists {
		for _, x := range list {
			if !seen[x] {
				seen[x] = true
				out = append(out, x)
			}
		}
	}
	return out
}
