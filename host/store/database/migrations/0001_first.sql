-- Times are microseconds since 1970. Keys are the first eight bytes of a text's
-- SHA-256; that of a version is the key of rubric id, NUL and version. Sums are SHA-256
-- of what a row holds.

CREATE TABLE runs (
    id             TEXT COLLATE "C" PRIMARY KEY,
    host           TEXT NOT NULL,
    dir            TEXT NOT NULL,
    rubric_id      TEXT NOT NULL,
    rubric_version TEXT NOT NULL,
    plan_digest    TEXT NOT NULL,
    started        BIGINT NOT NULL,
    size           BIGINT NOT NULL,
    changed        BIGINT NOT NULL
);

CREATE TABLE evaluations (
    id             TEXT NOT NULL,
    run            TEXT COLLATE "C" NOT NULL,
    started        BIGINT NOT NULL,
    place          BIGINT NOT NULL,
    case_id        TEXT NOT NULL,
    case_key       BIGINT NOT NULL,
    repeat         BIGINT NOT NULL,
    rubric_id      TEXT NOT NULL,
    rubric_key     BIGINT NOT NULL,
    rubric_version TEXT NOT NULL,
    rubric_digest  TEXT NOT NULL,
    target_type    TEXT NOT NULL,
    status         TEXT NOT NULL,
    score          DOUBLE PRECISION,
    passed         BOOLEAN,
    evaluated_by   TEXT NOT NULL,
    row_offset     BIGINT NOT NULL,
    row_length     BIGINT NOT NULL
);

CREATE UNIQUE INDEX evaluations_newest ON evaluations (started DESC, run DESC, place);
CREATE INDEX evaluations_id ON evaluations (id);
CREATE INDEX evaluations_case ON evaluations (case_key, started DESC, run DESC, place);
CREATE INDEX evaluations_rubric ON evaluations (rubric_key, started DESC, run DESC, place);
CREATE INDEX evaluations_status ON evaluations (status, started DESC, run DESC, place);
CREATE INDEX evaluations_failed ON evaluations (started DESC, run DESC, place) WHERE passed = FALSE;
CREATE INDEX evaluations_passed ON evaluations (started DESC, run DESC, place) WHERE passed = TRUE;

CREATE TABLE rubrics (
    id            TEXT COLLATE "C" NOT NULL,
    version       TEXT COLLATE "C" NOT NULL,
    name          TEXT NOT NULL,
    target_type   TEXT NOT NULL,
    dialect       TEXT NOT NULL,
    digest        TEXT NOT NULL,
    document      BYTEA NOT NULL,
    format        TEXT NOT NULL,
    registered_by TEXT NOT NULL,
    registered_at BIGINT NOT NULL,
    sum           TEXT NOT NULL,
    PRIMARY KEY (id, version)
);

CREATE TABLE latest_rubrics (
    id      TEXT COLLATE "C" PRIMARY KEY,
    version TEXT COLLATE "C" NOT NULL,
    FOREIGN KEY (id, version) REFERENCES rubrics (id, version)
);

CREATE TABLE rubric_events (
    seq     BIGINT PRIMARY KEY,
    id      TEXT COLLATE "C" NOT NULL,
    version TEXT NOT NULL,
    action  TEXT NOT NULL,
    made_by TEXT NOT NULL,
    made_at BIGINT NOT NULL
);

CREATE INDEX rubric_events_id ON rubric_events (id, seq);

CREATE TABLE artifacts (
    id         TEXT COLLATE "C" NOT NULL,
    version    TEXT COLLATE "C" NOT NULL,
    place      BIGINT NOT NULL,
    type       TEXT NOT NULL,
    status     TEXT NOT NULL,
    revision   BIGINT NOT NULL,
    body       BYTEA NOT NULL,
    content    BYTEA NOT NULL,
    provenance BYTEA NOT NULL,
    sum        TEXT NOT NULL,
    PRIMARY KEY (id, version)
);

CREATE UNIQUE INDEX artifacts_place ON artifacts (id, place);

CREATE TABLE artifact_tags (
    tag     TEXT COLLATE "C" NOT NULL,
    id      TEXT COLLATE "C" NOT NULL,
    version TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tag, id, version),
    FOREIGN KEY (id, version) REFERENCES artifacts (id, version)
);

CREATE TABLE artifact_events (
    seq         BIGINT PRIMARY KEY,
    id          TEXT COLLATE "C" NOT NULL,
    version     TEXT NOT NULL,
    from_status TEXT NOT NULL,
    to_status   TEXT NOT NULL,
    made_by     TEXT NOT NULL,
    made_at     BIGINT NOT NULL,
    note        TEXT NOT NULL
);

CREATE INDEX artifact_events_id ON artifact_events (id, seq);
