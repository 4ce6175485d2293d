//go:build !linux

package wasm_test

import "errors"

func residentPages() (int, error) { return 0, errors.ErrUnsupported }
