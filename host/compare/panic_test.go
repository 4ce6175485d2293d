package compare

import "testing"

func TestRun_PanicsInTheCaller(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	run(make([]job, 100)) // none has its pairs
}
