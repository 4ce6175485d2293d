// What a scorer returned, as an answer of the contract.

// alone is an object with one member, a text or a number: a toJSON of the script is
// not asked about those.
const alone = (member, value) => '{"' + member + '":' + (typeof value === "number" ? value : valid(stringify(value))) + "}";

// valid returns JSON in which half a pair of surrogates, which is not text, is U+FFFD: stringify escapes only such.
const escapes = /\\(?:u[0-9a-f]{4}|.)/g, half = /^\\ud[89a-f]/;
const valid = (json) => json !== undefined && call(indexOf, json, "\\ud") >= 0 ? call(replace, json, escapes, (e) => call(test, half, e) ? "\\ufffd" : e) : json;

// json writes an answer. What JSON has no number for becomes the texts NaN, Infinity and -Infinity, as the contract has it: stringify writes null.
const finitely = (_, v) => typeof v === "number" && !finite(v) ? text(v) : v;
function json(v) {
  const out = stringify(v);
  return valid(out !== undefined && call(indexOf, out, "null") >= 0 ? stringify(v, finitely) : out);
}

const failed = (why) => alone("error", why);
const allowed = "; return a number, an object with score, or null";

// answer turns what a function returned into an answer of the contract.
function answer(name, v) {
  switch (typeof v) {
    case "number":
      return finite(v) ? alone("score", v) : failed(name + "() returned " + text(v) + ", which is not a score" + allowed);
    case "boolean":
      return alone("score", v ? 1 : 0);
    case "undefined":
      return alone("unscored", name + "() returned nothing");
    case "object":
      if (v === null) return alone("unscored", name + "() returned null");
      if (!isArray(v)) return normal(name, v);
  }
  return failed(name + "() returned " + describe(v) + allowed);
}

// normal takes an object of the contract, and one as promptfoo and others have it.
function normal(name, v) {
  if (v.score === undefined && v.level === undefined && v.unscored === undefined && v.error === undefined) {
    const { result, ...others } = v, passed = typeof v.pass === "boolean" ? v.pass : v.passed;
    if (typeof passed === "boolean") v = { ...v, score: passed ? 1 : 0 };
    else if (typeof result === "boolean" || typeof result === "number") v = { ...others, score: result };
  }
  if (typeof v.score === "boolean") v = { ...v, score: v.score ? 1 : 0 };
  if (typeof v.score === "number" && !finite(v.score)) return failed(name + "() returned the score " + text(v.score) + allowed);
  if (v.score === null) {
    const { score, reason, ...rest } = v;
    v = { ...rest, unscored: typeof reason === "string" && reason ? reason : name + "() returned the score null" };
  }
  const { score, level, unscored, error, reason, evidence, hits, misses, details, stats, ...more } = v;
  if (score === undefined && level === undefined && unscored === undefined && error === undefined) {
    const has = names(v);
    return failed(name + "() returned an object without score, which has " + (has.length > 0 ? describe(has) : "nothing") + allowed);
  }
  if (names(more).length > 0) v = { score, level, unscored, error, reason, evidence, hits, misses, stats, details: { ...details, ...more } };
  const out = json(v);
  return out === undefined ? failed(name + "() returned an object that has no form in JSON") : out;
}
