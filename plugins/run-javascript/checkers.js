// How what a candidate prints is compared with what is expected. A checker returns why it is wrong, or undefined.
import { shown } from "./assert.js";
import { Broken } from "./tests.js";

export const close = (a, b, config) => a === b || Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) <= Math.max(config.abs, config.rel * Math.max(Math.abs(a), Math.abs(b)));

const lines = (t) => t.trimEnd().split(/\r?\n/).map((line) => line.trimEnd());
const firstLine = (a, b, same = (x, y) => x === y) => {
  const k = a.findIndex((line, n) => n < b.length && !same(line, b[n]));
  return k >= 0 ? "line " + (k + 1) + " of the output differs" : a.length !== b.length ? "the output has " + a.length + " lines, expected " + b.length : undefined;
};
const firstToken = (a, b, same) => {
  if (a.length !== b.length) return "the output has " + a.length + " tokens, expected " + b.length;
  const k = a.findIndex((x, n) => !same(x, b[n]));
  return k < 0 ? undefined : "token " + (k + 1) + " is " + shown(a[k], 60) + ", expected " + shown(b[k], 60);
};
const tokens = (same) => (got, wanted, config) => firstToken(got.split(/\s+/).filter(Boolean), wanted.split(/\s+/).filter(Boolean), (x, y) => same(x, y, config));
const whole = /^[-+]?\d{1,4000}$/; // no tolerance makes one count another
const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

// Those of published sets, with their weaknesses. Their harnesses are written in Python: so are white space, lines and numbers here, but for digits beyond ASCII.
const space = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const ends = new RegExp("^" + space + "+|" + space + "+$", "g"), spaces = new RegExp(space + "+");
const strip = (t) => t.replace(ends, "");
const split = (t) => t.split(spaces).filter(Boolean);
const splitLines = (t) => {
  const list = t.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
  if (list.at(-1) === "") list.pop();
  return list;
};

// float returns the number that Python reads, undefined if that is none.
const float = (t) => {
  const s = strip(t);
  const special = /^([-+]?)(inf(?:inity)?|nan)$/i.exec(s);
  if (special !== null) return special[2][0].toLowerCase() === "n" ? NaN : special[1] === "-" ? -Infinity : Infinity;
  return /^[-+]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[-+]?\d+(?:_\d+)*)?$/i.test(s) ? Number(s.replaceAll("_", "")) : undefined;
};

// decimal returns the one text of a Decimal of Python, undefined if that is none or equal to none.
const decimal = (t) => {
  const s = t.replaceAll("_", ""), m = /^([-+]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:e([-+]?\d{1,18}))?$/i.exec(s);
  if (m === null) return /^[-+]?inf(inity)?$/i.test(s) ? (s[0] === "-" ? "-" : "") + "inf" : undefined;
  const fraction = m[3] ?? m[4], digits = ((m[2] ?? "") + fraction).replace(/^0+/, ""), short = digits.replace(/0+$/, "");
  return short === "" ? "0" : (m[1] === "-" ? "-" : "") + short + "e" + (BigInt(m[5] ?? 0) - BigInt(fraction.length) + BigInt(digits.length - short.length));
};

// grade_stdio of LiveCodeBench, lcb_runner/evaluation/testing_util.py: line by line; lines that differ are equal as lists of decimals.
const liveCodeBench = (got, wanted) => {
  const [a, b] = [got, wanted].map((t) => strip(t).split("\n").map(strip));
  if (a.length !== b.length) return "the output has " + a.length + " lines, expected " + b.length;
  return firstLine(a, b, (x, y) => {
    if (x === y) return true;
    const [p, q] = [x, y].map((t) => split(t).map(decimal));
    return p.length === q.length && p.every((d, k) => d !== undefined && d === q[k]);
  });
};

const allClose = (a, b) => {
  const [p, q] = [a, b].map((list) => list.map(float));
  return p.length === q.length && !p.includes(undefined) && !q.includes(undefined) && p.every((x, k) => x === q[k] || Number.isFinite(x) && Number.isFinite(q[k]) && Math.abs(x - q[k]) <= 1e-8 + 1e-5 * Math.abs(q[k]));
};

// rounded returns a number with three decimals, a tie to the even one, as Python does. Sixteenths are the only ties.
const rounded = (x) => {
  if (!Number.isInteger(x * 16) || x * 16 % 2 === 0) return Number(x.toFixed(3));
  const n = Math.floor(x * 1000);
  return (n % 2 === 0 ? n : n + 1) / 1000;
};

const sets = (list) => JSON.stringify([...new Set(list.map((words) => JSON.stringify([...new Set(words)].sort())))].sort());
const roundedSets = (list) => {
  const numbers = list.map((words) => words.map(float));
  return numbers.flat().every((x) => x !== undefined && x === x) ? sets(numbers.map((words) => words.map((x) => String(rounded(x))))) : undefined;
};

// run_test of APPS, eval/testing_util.py: after text and lines, numbers that are close, and then lines as sets of words in any order.
const apps = (got, wanted) => {
  const same = (a, b) => a.length === b.length && a.every((x, k) => x === b[k]);
  const printed = splitLines(got), expected = wanted.split("\n").filter(Boolean).map(strip);
  if ([printed.join("\n"), printed.map(strip).join("\n")].some((t) => strip(t) === strip(wanted)) || same(printed, expected)) return undefined;
  const filled = printed.filter(Boolean);
  if (same(filled, expected) || allClose(filled, expected)) return undefined;
  const a = filled.map(split).filter((words) => words.length > 0), b = expected.map(split);
  if (sets(a) === sets(b)) return undefined;
  const numbers = roundedSets(a);
  if (numbers !== undefined && numbers === roundedSets(b)) return undefined;
  return firstLine(filled, expected) ?? "the output differs";
};

// OutputsMatch of CodeContests, execution/tester_sandboxer.cc: words without regard to case; numbers, whole ones too, differ by less than 1e-5.
const codeContests = (got, wanted) => {
  const [a, b] = [got, wanted].map((t) => t.replace(/[A-Z]/g, (c) => c.toLowerCase()).split(/[ \n\t\r\v]+/).filter(Boolean));
  if (a.length === b.length && a.every((x, k) => x === b[k])) return undefined;
  const valued = (t) => {
    const s = t.replace(/^\f+|\f+$/g, "");
    if (number.test(s)) return Number(s);
    const m = /^([-+]?)(?:inf|infinity)$/.exec(s);
    return m !== null ? m[1] === "-" ? -Infinity : Infinity : /^[-+]?nan(?:\([a-z0-9_]*\))?$/.test(s) ? NaN : undefined;
  };
  return firstToken(a, b, (x, y) => {
    const [p, q] = [x, y].map(valued);
    return p === undefined || q === undefined ? x === y : Math.abs(p - q) < 1e-5;
  });
};

const checkers = {
  exact: (got, wanted) => got.replace(/\n$/, "") === wanted.replace(/\n$/, "") ? undefined : "the output differs",
  lines: (got, wanted) => firstLine(lines(got), lines(wanted)),
  tokens: tokens((x, y) => x === y),
  floats: tokens((x, y, config) => x === y || number.test(x) && number.test(y) && (whole.test(x) && whole.test(y) ? BigInt(x.replace("+", "")) === BigInt(y.replace("+", "")) : close(Number(x), Number(y), config))),
  livecodebench: liveCodeBench,
  apps,
  codecontests: codeContests,
};

// checkerOf returns the name of the checker, which the configuration has or the case, and the checker.
export function checkerOf(c, config) {
  const own = c.checker ?? "lines";
  if (!Object.hasOwn(checkers, own)) throw new Broken("the case's checker is none of " + Object.keys(checkers).join(", "));
  const name = config.checker ?? own;
  return [name, checkers[name]];
}
