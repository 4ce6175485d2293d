// Scorers as people write them. Run here and in the node of the machine, they must
// give the same bits. Those whose name ends with _libm use functions that no
// standard fixes to the last bit.

const words = (t) => t.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
const pair = (c) => [c.output, c.references[0]];
const counts = (list) => list.reduce((m, k) => m.set(k, (m.get(k) ?? 0) + 1), new Map());
const overlap = (a, b) => [...a].reduce((n, [k, v]) => n + Math.min(v, b.get(k) ?? 0), 0);

export const exact = (c) => c.output.trim() === c.references[0].trim();

export const folded = (c) => (c.output.normalize("NFKC").toLowerCase() === c.references[0].normalize("NFKC").toLowerCase() ? 1 : 0.25);

export function token_f1(c) {
  const [a, b] = pair(c).map(words);
  const same = overlap(counts(a), counts(b));
  if (!same) return 0;
  const p = same / a.length, r = same / b.length;
  return (2 * p * r) / (p + r);
}

export function jaccard(c) {
  const [a, b] = pair(c).map((t) => new Set(words(t)));
  const all = new Set([...a, ...b]);
  return all.size ? [...a].filter((w) => b.has(w)).length / all.size : null;
}

export function levenshtein(c) {
  const [a, b] = pair(c).map((t) => [...t].slice(0, 60));
  const row = b.map((_, j) => j).concat(b.length);
  a.forEach((x, i) => {
    let last = row[0];
    row[0] = i + 1;
    b.forEach((y, j) => {
      const next = Math.min(row[j + 1] + 1, row[j] + 1, last + (x === y ? 0 : 1));
      last = row[j + 1];
      row[j + 1] = next;
    });
  });
  return 1 - row[b.length] / Math.max(a.length, b.length, 1);
}

export function lcs(c) {
  const [a, b] = pair(c).map(words);
  const t = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < b.length; j++) t[i + 1][j + 1] = a[i] === b[j] ? t[i][j] + 1 : Math.max(t[i][j + 1], t[i + 1][j]);
  return t[a.length][b.length] / Math.max(a.length, 1);
}

export function bleu_libm(c) {
  const [a, b] = pair(c).map(words);
  let logs = 0;
  for (let n = 1; n <= 4; n++) {
    const [x, y] = [a, b].map((t) => counts(t.slice(0, Math.max(t.length - n + 1, 0)).map((_, i) => t.slice(i, i + n).join(" "))));
    logs += Math.log((overlap(x, y) + 1) / (Math.max(a.length - n + 1, 0) + 1)) / 4;
  }
  return Math.min(1, Math.exp(logs) * Math.min(1, Math.exp(1 - b.length / Math.max(a.length, 1))));
}

export function cosine(c) {
  const [a, b] = pair(c).map((t) => counts(Array.from({ length: Math.max(t.length - 2, 0) }, (_, i) => t.slice(i, i + 3))));
  let dot = 0, x = 0, y = 0;
  for (const [k, v] of a) { dot += v * (b.get(k) ?? 0); x += v * v; }
  for (const v of b.values()) y += v * v;
  return x && y ? dot / (Math.sqrt(x) * Math.sqrt(y)) : 0;
}

export function number(c) {
  const [a, b] = pair(c).map((t) => t.match(/-?\d+(?:\.\d+)?/g)?.at(-1));
  if (a === undefined || b === undefined) return { unscored: "no number" };
  return { score: Math.max(0, 1 - Math.abs(a - b) / Math.max(Math.abs(b), 1)), reason: `${Number(a)} for ${Number(b)}` };
}

export function json_keys(c) {
  try {
    const keys = Object.keys(JSON.parse(c.metadata.json));
    return { score: keys.filter((k) => "abc".includes(k)).length / 3, hits: keys.sort() };
  } catch (e) {
    return { score: 0, reason: e.constructor.name };
  }
}

export function readable(c) {
  const w = words(c.output);
  return w.length ? w.reduce((n, x) => n + x.length, 0) / w.length / (10 + c.output.split(/[.!?]+/).filter((s) => s.trim()).length) : null;
}

export const big = (c) => Number(BigInt.asUintN(32, [...c.output].reduce((h, x) => h * 31n + BigInt(x.codePointAt(0)), 7n))) / 2 ** 32;

export function dates(c) {
  const m = c.output.match(/(\d{4})-(\d\d)-(\d\d)/);
  if (!m) return null;
  const d = new Date(m[0] + "T00:00:00Z");
  return Number.isNaN(d.getTime()) ? { score: 0, reason: "no date" } : d.getUTCDate() / 31;
}

export function punctuation(c) {
  const found = c.output.match(/[!-/:-@[-`{-~]/g) ?? [];
  return { score: found.length / Math.max(c.output.length, 1), details: Object.fromEntries([...counts(found)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 3)) };
}

export const sorted = (c) => words(c.output).sort().join("").length / Math.max(c.output.length, 1);

export const fixed = (c) => Number((c.output.length / 7).toFixed(6)) / 100 + Number(Math.sqrt(c.references[0].length).toExponential(3)) / 1e4 + Number((1 / 3).toPrecision(5)) / 1e6;

export const bits = (c) => ((Math.imul(c.output.length, 2654435761) >>> 5) ^ (c.references[0].length << 3)) / 2 ** 32;


export const dotted = (c) => (/^(?<a>.*?)(?=\s)/su.exec(c.output)?.groups.a.length ?? 0) / Math.max(c.output.length, 1);

export const ordered = (c) => { const w = words(c.output); return w.slice(1).filter((x, i) => w[i] <= x).length / Math.max(w.length - 1, 1); };
