package worker

// Workers returns how many workers were started so far; 1 if none has died.
func (m *Module) Workers() (n int) {
	m.inspect(func(o *owner) { n = o.workers })
	return n
}

// inspect has the owner call f, and waits.
func (m *Module) inspect(f func(o *owner)) {
	done := make(chan struct{})
	posted := m.owner.post(func(o *owner) {
		defer close(done)
		f(o)
	})
	if posted {
		<-done
		return
	}
	<-m.owner.ended
	f(m.owner) // it is unused elsewhere
}
