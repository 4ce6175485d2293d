package image

// OwnBytes returns how much of a memory is not shared with its image. It
// reports false where the system does not say.
func OwnBytes(m *Memory) (int, bool) {
	if !m.attached || m.sys.find == nil {
		return 0, false
	}
	err := m.written()
	total := 0
	for _, s := range m.spans {
		total += s.to - s.from
	}
	return total, err == nil
}

// Asked has f called each time that the system is asked which pages were written
// to. It reports false where that is never.
func (s *System) Asked(f func()) bool {
	find := s.find
	s.find = func(a *area) error {
		f()
		return find(a)
	}
	return find != nil && s.faults != nil
}

// Watched reports whether a memory is watched.
func Watched(m *Memory) bool { return m.watched }
