package worker

import "testing"

// TestCalls_WindowBoundsFlight fills the window by number and by bytes, and retries a call
// alone.
func TestCalls_WindowBoundsFlight(t *testing.T) {
	add := func(q *calls, n, size int, alone bool) {
		for range n {
			q.waiting = append(q.waiting, &pending{callRequest: callRequest{id: uint64(len(q.waiting))}, size: size, alone: alone})
		}
	}
	for _, tt := range []struct {
		name         string
		n, size      int
		alone        bool
		first, begun int
	}{
		{"number", 100, 1, false, 64, 2},
		{"bytes", 5, windowBytes / 3, false, 3, 2},
		{"one that is larger", 2, windowBytes + 1, false, 1, 1},
		{"retried", 3, 1, true, 1, 1},
	} {
		q := calls{parallel: 2}
		add(&q, tt.n, tt.size, tt.alone)
		if got := len(q.launch()); got != tt.first || len(q.begun()) != tt.begun || len(q.launch()) != 0 {
			t.Errorf("%s: %d calls in flight, %d begun", tt.name, got, len(q.begun()))
		}
		done := 0
		for ; len(q.flight) > 0; done++ {
			if c := q.land(0); c.since.IsZero() {
				t.Errorf("%s: call %d has not begun", tt.name, c.id)
			}
			q.launch()
			q.begun()
		}
		if done != tt.n || q.bytes != 0 || len(q.waiting) != 0 {
			t.Errorf("%s: %d calls were answered, %d bytes and %d calls are left", tt.name, done, q.bytes, len(q.waiting))
		}
	}
}
