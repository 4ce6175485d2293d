package lean

// CPython312 describes the build of CPython 3.12 that scripts run in, with digest e5dc5a39.
//
// The function is _PyEval_EvalFrameDefault, the bytecode interpreter. Its frame has some 1,700
// variables; listed are those whose addresses escape. Their offsets are from the module's
// debug information (cpython_test.go). The first 252 bytes are unnamed argument lists.
func CPython312() Options {
	return Options{Objects: map[uint32][]Object{
		3240: {
			{0, 252},
			{312, 316}, {316, 320}, {320, 324}, // lasti, handler, level
			{832, 836},                 // result
			{840, 844},                 // callargs
			{1880, 1884},               // res
			{2064, 2080},               // stack[4]
			{2856, 2860}, {2860, 2864}, // match, rest
			{3652, 3656},               // meth
			{3720, 3724},               // method_found
			{3872, 3876}, {3876, 3884}, // super, stack[2]
			{5140, 5144}, // retval
			{5200, 5204}, // iter
			{6728, 6772}, // entry_frame
			{6776, 6784}, // cframe
		},
	}}
}
