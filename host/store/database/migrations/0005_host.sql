-- Whose run directory it is: two machines may have the same paths. The next scan of each
-- makes the index of runs again.

DELETE FROM evaluations;
DELETE FROM runs;
ALTER TABLE runs ADD COLUMN host TEXT NOT NULL DEFAULT '';
