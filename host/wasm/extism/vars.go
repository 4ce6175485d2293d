package extism

import (
	"bytes"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Vars are variables by name.
type Vars map[string][]byte

const (
	maxVars   = 100 // variables whose table is kept for the next call
	pairBytes = 40  // overhead that a variable counts beside its name and value, as in Extism's own hosts
)

// Vars returns the variables, to begin other calls with. They are shared with
// no later call.
func (k *Kernel) Vars() Vars {
	if k == nil {
		return nil
	}
	vars := k.vars
	k.vars = nil
	return vars
}

// Var frees the name at an address and returns the value of the variable in a
// new block; 0 if there is none, or it is empty.
func (k *Kernel) Var(name uint64) (uint64, error) {
	text, err := k.Text(name, "the name of a variable")
	if err != nil {
		return 0, err
	}
	value := k.vars[string(text)]
	k.Free(name)
	return k.Place(value)
}

// SetVar frees a name and a value and keeps the variable; value 0 removes it.
func (k *Kernel) SetVar(name, value uint64) error {
	text, err := k.Text(name, "the name of a variable")
	if err != nil {
		return err
	}
	if value == 0 {
		k.remove(string(text))
		k.Free(name)
		return nil
	}
	b, err := k.Text(value, "the value of a variable")
	if err != nil {
		return err
	}
	k.remove(string(text))
	if used := k.held + pairBytes + len(text) + len(b); used > k.limits.VarBytes {
		return fault.WithHint(fault.New(fault.Memory, "the plugin's variables take %d bytes, %d allowed", used, k.limits.VarBytes),
			"make it keep less")
	}
	k.put(string(text), b)
	k.Free(name)
	k.Free(value)
	return nil
}

func (k *Kernel) put(name string, value []byte) {
	if k.vars == nil {
		k.vars = Vars{}
	}
	k.held += pairBytes + len(name) + len(value)
	k.vars[name] = bytes.Clone(value)
}

func (k *Kernel) remove(name string) {
	if value, ok := k.vars[name]; ok {
		k.held -= pairBytes + len(name) + len(value)
		delete(k.vars, name)
	}
}
