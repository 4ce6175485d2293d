-- Evaluations by a version of a rubric. The key is that of id, NUL and version. The next
-- scan makes the index of runs again.

DELETE FROM evaluations;
DELETE FROM runs;
ALTER TABLE evaluations ADD COLUMN version_key BIGINT NOT NULL DEFAULT 0;
CREATE INDEX evaluations_version ON evaluations (version_key, started DESC, run DESC, place);
