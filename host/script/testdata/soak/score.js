// Scorers that behave, and scorers that try to leave something behind.
const log = [];
const tokens = (text) => text.toLowerCase().split(" ");

function grams(t, n) {
  const m = new Map();
  for (let i = 0; i + n <= t.length; i++) {
    const k = t.slice(i, i + n).join(" ");
    m.set(k, (m.get(k) ?? 0) + 1);
  }
  return m;
}

function overlap(a, b) {
  let same = 0, all = 0;
  for (const [k, v] of a) {
    same += Math.min(v, b.get(k) ?? 0);
    all += v;
  }
  return [same, all];
}

export function f1(c) {
  const out = tokens(c.output), ref = tokens(c.references[0]);
  const [same] = overlap(grams(out, 1), grams(ref, 1));
  if (!same) return 0;
  const p = same / out.length, r = same / ref.length;
  return (2 * p * r) / (p + r);
}

export function bleu(c) {
  const out = tokens(c.output), ref = tokens(c.references[0]);
  let logs = 0;
  for (const n of [1, 2]) {
    const [same, all] = overlap(grams(out, n), grams(ref, n));
    logs += Math.log((same + 1) / (all + 1)) / 2;
  }
  return Math.exp(logs + Math.min(0, 1 - ref.length / out.length));
}

export function world(c) {
  log.push(c.output);
  const seen = [log.length, Math.random(), Date.now(), globalThis.left ?? 0, Object.keys(globalThis).length, Object.getOwnPropertyNames(Object.prototype).length];
  globalThis.left = 7;
  Object.prototype[c.output] = 1;
  return { score: 0, details: { seen: seen.join() } };
}

export function raises(c) {
  log.push(1);
  throw new TypeError(c.output);
}

export function grows() {
  log.push(new Uint8Array(20 << 20).fill(1));
  return log.at(-1).length / 1e9;
}

export function spoils() {
  Map.prototype.get = Map.prototype.set = String.prototype.split = Array.prototype.push = null;
  Math.log = Math.exp = JSON.parse = JSON.stringify = Object.keys = null;
  for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k]; } catch {} }
  return 0.5;
}

export function endless() {
  while (true) log.push(1);
}

export function deep(c) {
  return 1 + deep(c);
}

export async function ends() {
  await new Promise(() => {});
}
