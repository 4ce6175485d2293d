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
