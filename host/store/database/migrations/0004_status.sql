-- Evaluations of a status in the order in which they are listed.

DROP INDEX evaluations_status;
CREATE INDEX evaluations_status ON evaluations (status, started DESC, run DESC, place);
