package script

// Slower leaves QuickJS as it is for scripts that are loaded until it is undone.
func Slower() (undo func()) {
	was := quickjsSplit
	quickjsSplit = func() string { return "" }
	return func() { quickjsSplit = was }
}

// Marshal converts JSON as callCPython does.
func Marshal(json []byte) ([]byte, bool) { return new(marshaller).marshal(json) }
