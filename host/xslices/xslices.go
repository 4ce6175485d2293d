// Package xslices has the functions on slices that package slices lacks.
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

// Pointers returns pointers to the elements of a list, in their order.
func Pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}
