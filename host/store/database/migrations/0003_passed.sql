-- Evaluations that passed, and those that did not, however few there are of a kind.

CREATE INDEX evaluations_failed ON evaluations (started DESC, run DESC, place) WHERE passed = FALSE;
CREATE INDEX evaluations_passed ON evaluations (started DESC, run DESC, place) WHERE passed = TRUE;
