// The share of the reference's words that the output has. It is called once for
// each case, in a sandbox: no files, no network, no clock, and no state carries
// over between cases.

const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** @type {import("./rubric-host").Score} */
export function score(c, config) {
  if (c.output == null || !c.references?.length) return null; // no score, which is not the score 0
  const least = config.least_length ?? 1;
  const wanted = new Set(words(c.references[0]).filter((w) => w.length >= least));
  if (wanted.size === 0) return { unscored: "the reference has no words" };
  const has = new Set(words(c.output));
  const misses = [...wanted].filter((w) => !has.has(w));
  return {
    score: 1 - misses.length / wanted.size,
    reason: misses.length ? `${misses.length} of ${wanted.size} words are missing` : "all words are there",
    misses: misses.slice(0, 10).map((w) => w.slice(0, 100)), // an answer lists at most 64 KiB
  };
}
