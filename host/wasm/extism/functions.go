package extism

// A Function is one function that plugins may import from Module.
type Function struct {
	Name  string
	Shape string // letters of parameters, colon, letters of results: i is i32, I is i64

	// Invoke takes arguments as wazero passes them, and may leave a result in args[0]. An error ends
	// the call of the plugin.
	Invoke func(k *Kernel, args []uint64) error
}

// Module is the name of the module that plugins import the functions from.
const Module = "extism:host/env"

// Functions returns the functions that act on a Kernel alone. Requests over HTTP are the
// caller's. Functions that are meant for hosts, such as input_set, reset and
// memory_bytes, do not exist.
func Functions() []Function {
	return []Function{
		{"alloc", "I:I", func(k *Kernel, a []uint64) (err error) { a[0], err = k.Alloc(a[0]); return err }},
		{"free", "I:", func(k *Kernel, a []uint64) error { k.Free(a[0]); return nil }},
		{"length", "I:I", func(k *Kernel, a []uint64) error { a[0] = k.Length(a[0]); return nil }},
		{"length_unsafe", "I:I", func(k *Kernel, a []uint64) error { a[0] = k.Length(a[0]); return nil }},
		{"load_u8", "I:i", func(k *Kernel, a []uint64) (err error) { a[0], err = k.Load8(a[0]); return err }},
		{"load_u64", "I:I", func(k *Kernel, a []uint64) (err error) { a[0], err = k.Load64(a[0]); return err }},
		{"store_u8", "Ii:", func(k *Kernel, a []uint64) error { return k.Store8(a[0], byte(a[1])) }},
		{"store_u64", "II:", func(k *Kernel, a []uint64) error { return k.Store64(a[0], a[1]) }},

		{"input_length", ":I", func(k *Kernel, a []uint64) error { a[0] = k.InputLength(); return nil }},
		{"input_offset", ":I", func(k *Kernel, a []uint64) error { a[0] = k.InputAt(); return nil }},
		{"input_load_u8", "I:i", func(k *Kernel, a []uint64) error { a[0] = k.Input8(a[0]); return nil }},
		{"input_load_u64", "I:I", func(k *Kernel, a []uint64) error { a[0] = k.Input64(a[0]); return nil }},
		{"output_set", "II:", func(k *Kernel, a []uint64) error { return k.SetOutput(a[0], a[1]) }},
		{"error_set", "I:", func(k *Kernel, a []uint64) error { return k.SetError(a[0]) }},
		{"error_get", ":I", func(k *Kernel, a []uint64) error { a[0] = k.ErrorAt(); return nil }},

		{"config_get", "I:I", configGet},
		{"var_get", "I:I", func(k *Kernel, a []uint64) (err error) { a[0], err = k.Var(a[0]); return err }},
		{"var_set", "II:", func(k *Kernel, a []uint64) error { return k.SetVar(a[0], a[1]) }},

		{"get_log_level", ":i", func(_ *Kernel, a []uint64) error { a[0] = levelInfo; return nil }},
		{"log_trace", "I:", logger("")},
		{"log_debug", "I:", logger("")},
		{"log_info", "I:", logger("info: ")},
		{"log_warn", "I:", logger("warn: ")},
		{"log_error", "I:", logger("error: ")},
	}
}

// levelInfo is the lowest level whose messages are kept, as get_log_level reports it.
const levelInfo = 2

// parseCost is the price of parsing a byte of JSON, some 4 ns, in bytes copied.
const parseCost = 64

// configGet returns a block with the value of a key of the configuration, 0 if there is
// none. The plugin keeps the block of the key, as with Extism's own hosts.
func configGet(k *Kernel, a []uint64) error {
	key, err := k.Text(a[0], "the key of a configuration")
	if err != nil {
		return err
	}
	a[0] = 0
	value, ok := Config(k.request, key)
	k.Work += parseCost * (200 + len(k.request))
	if !ok {
		return nil
	}
	a[0], err = k.Place(value)
	return err
}

// logger returns a function that prints a message with its level to the log, and frees
// its block. Without a name of the level, the message is dropped.
func logger(level string) func(*Kernel, []uint64) error {
	return func(k *Kernel, a []uint64) error {
		text, err := k.Text(a[0], "a message")
		if err != nil {
			return err
		}
		if level != "" {
			k.log.Print([]byte(level))
			k.log.Print(text)
			k.log.Print([]byte{'\n'})
		}
		k.Free(a[0])
		return nil
	}
}
