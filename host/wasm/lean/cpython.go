package lean

// CPython312 returns what is known of the build of CPython 3.12 that scripts run in,
// with digest e5dc5a39.
//
// The function is _PyEval_EvalFrameDefault, which executes Python's instructions. Its
// frame has some 1,700 variables; listed are those whose addresses it gives away. Where
// they lie is what the module's debug information says of them (cpython_test.go); the
// first 252 bytes have no names: they are lists of arguments.
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
