package worker

func confine(h *hello) []Finding { return nil }
