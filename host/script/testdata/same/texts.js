// Metrics over texts as people write them. See scorers.js.

const pair = (c) => [c.output, c.references[0]];
const f = (p, r, beta = 1) => (p && r ? ((1 + beta * beta) * p * r) / (beta * beta * p + r) : 0);
const split = (t) => t.split(/\s+/).filter(Boolean);
const total = (m) => [...m.values()].reduce((a, b) => a + b, 0);
const same = (a, b) => [...a].reduce((n, [k, v]) => n + Math.min(v, b.get(k) ?? 0), 0);

function grams(items, n) {
  const m = new Map();
  for (let i = 0; i + n <= items.length; i++) {
    const k = items.slice(i, i + n).join("\u0001");
    m.set(k, (m.get(k) || 0) + 1);
  }
  return m;
}

export function chrf(c) {
  const [a, b] = pair(c).map((t) => [...t.replace(/\s/g, "")]);
  const scores = [];
  for (let n = 1; n <= 6; n++) {
    const x = grams(a, n), y = grams(b, n);
    if (x.size && y.size) scores.push(f(same(x, y) / total(x), same(x, y) / total(y), 2));
  }
  return scores.length ? scores.reduce((p, q) => p + q, 0) / scores.length : null;
}

export function rouge_l(c) {
  const [a, b] = pair(c).map((t) => t.toLowerCase().replace(/[^a-z0-9]+/g, " ").trim().split(" ").filter((w) => w !== ""));
  if (!a.length || !b.length) return 0;
  const row = new Uint32Array(b.length + 1);
  for (const x of a) {
    let last = 0;
    b.forEach((y, j) => {
      [last, row[j + 1]] = [row[j + 1], x === y ? last + 1 : Math.max(row[j + 1], row[j])];
    });
  }
  return f(row.at(-1) / a.length, row.at(-1) / b.length, 1.2);
}

export function wer(c) {
  const [a, b] = pair(c).map((t) => split(t).slice(0, 20));
  const memo = {};
  const distance = (i, j) => {
    if (!i || !j) return i + j;
    return (memo[`${i},${j}`] ??= Math.min(distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)));
  };
  const errors = distance(a.length, b.length) / Math.max(b.length, 1);
  return { score: Math.max(0, 1 - errors), wer: errors, cached: Object.keys(memo).length };
}

export function jaro_winkler(c) {
  const [a, b] = pair(c).map((t) => t.slice(0, 40));
  if (a === b) return 1;
  const reach = Math.floor(Math.max(a.length, b.length) / 2) - 1;
  const taken = new Array(b.length).fill(false), mine = [];
  outer: for (let i = 0; i < a.length; i++) {
    for (let j = Math.max(0, i - reach); j < Math.min(b.length, i + reach + 1); j++) {
      if (!taken[j] && b[j] === a[i]) {
        taken[j] = true;
        mine.push(a[i]);
        continue outer;
      }
    }
  }
  const m = mine.length;
  if (!m) return 0;
  const theirs = [...b].length === b.length ? [...b].filter((_, j) => taken[j]) : b.split("").filter((_, j) => taken[j]);
  const moved = mine.filter((x, i) => x !== theirs[i]).length / 2;
  const jaro = (m / a.length + m / b.length + (m - moved) / m) / 3;
  let prefix = 0;
  while (prefix < 4 && a[prefix] === b[prefix]) prefix++;
  return jaro + prefix * 0.1 * (1 - jaro);
}

export function flesch(c) {
  const words = c.output.match(/[A-Za-z']+/g);
  if (!words) return { unscored: "no words" };
  const sentences = Math.max(1, (c.output.match(/[.!?]+/g) ?? []).length);
  const syllables = words.map((w) => w.toLowerCase()).reduce((n, w) => n + Math.max(1, (w.match(/[aeiouy]+/g) ?? []).length - (/(?<!l)e$/.test(w) ? 1 : 0)), 0);
  const ease = 206.835 - (1.015 * words.length) / sentences - (84.6 * syllables) / words.length;
  return { score: Math.min(Math.max(ease / 100, 0), 1), ease: +ease.toFixed(2), reason: `${ease.toPrecision(4)} of ${words.length}` };
}

export function squad(c) {
  const normal = (t) => t.toLowerCase().replace(/\p{P}/gu, "").replace(/\b(a|an|the)\b/g, " ").split(/\s+/).filter(Boolean);
  const [a, b] = pair(c).map(normal);
  const n = same(grams(a, 1), grams(b, 1));
  return { score: f(n / a.length, n / b.length), exact: a.join(" ") === b.join(" "), details: { prediction: a.join(" "), gold: b.join(" ") } };
}

export function json_compared(c) {
  function* leaves(v, path = "") {
    if (v !== null && typeof v === "object") for (const [k, x] of Object.entries(v)) yield* leaves(x, `${path}/${k}`);
    else yield `${path}=${JSON.stringify(v)}`;
  }
  let got, want;
  try {
    [got, want] = [c.metadata.json, c.metadata.wanted].map((t) => new Set(leaves(JSON.parse(t))));
  } catch (e) {
    return { score: 0, reason: `${e instanceof SyntaxError}` };
  }
  const all = new Set([...got, ...want]);
  return { score: [...got].filter((x) => want.has(x)).length / Math.max(all.size, 1), misses: [...want].filter((x) => !got.has(x)).sort() };
}

export function answered(c) {
  const list = [...c.output.matchAll(/(?:the answer is|answer:|####|=)\s*(?<sign>[-+]?)\$?(?<whole>\d{1,3}(?:,\d{3})*|\d+)(?<part>\.\d+)?(?<percent>\s*%)?/gi)];
  if (!list.length) return 0;
  const { sign, whole, part = "", percent } = list.at(-1).groups;
  const value = Number(sign + whole.replaceAll(",", "") + part) / (percent ? 100 : 1);
  const cleaned = c.output.replace(/\d+/g, (d) => String(BigInt(d) + 1n).padStart(d.length, "0"));
  return { score: 1 / (1 + Math.abs(value)), value, reason: cleaned.slice(0, 60) };
}

export function calculated(c) {
  const tokens = c.metadata.sum.match(/\d+\.?\d*|[-+*/%()]/g) ?? [];
  let at = 0;
  const atom = () => {
    const t = tokens[at++];
    if (t === "-") return -atom();
    if (t !== "(") return parseFloat(t);
    const v = sum();
    if (tokens[at++] !== ")") throw new SyntaxError("unclosed");
    return v;
  };
  const product = () => {
    let v = atom();
    for (;;) {
      switch (tokens[at]) {
        case "*": at++; v *= atom(); break;
        case "/": at++; v /= atom(); break;
        case "%": at++; v %= atom(); break;
        default: return v;
      }
    }
  };
  const sum = () => {
    let v = product();
    while (tokens[at] === "+" || tokens[at] === "-") v = tokens[at++] === "+" ? v + product() : v - product();
    return v;
  };
  try {
    const v = sum();
    return Number.isFinite(v) ? { score: 1 / (1 + Math.abs(v)), value: v } : { score: 0, reason: String(v) };
  } catch ({ name, message }) {
    return { score: 0, reason: `${name}: ${message}` };
  }
}

export function table(c) {
  const [head, ...body] = c.metadata.csv.split("\n").map((l) => [...l.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/gy)].slice(0, -1).map((m) => m[1]?.replace(/""/g, '"') ?? m[2]));
  const records = body.map((r) => Object.fromEntries(r.map((v, i) => [head[i] ?? `col${i}`, v])));
  records.sort((x, y) => (x.b ?? "").length - (y.b ?? "").length || Object.keys(x).length - Object.keys(y).length);
  return { score: records.length / 10, reason: JSON.stringify(records, null, 1).slice(0, 300) };
}

export function escaped(c) {
  const safe = c.output.replace(/[&<>"']/g, (x) => `&#${x.charCodeAt(0)};`);
  const uri = encodeURIComponent(c.output.toWellFormed());
  const tagged = `<p class=x>${safe} <b>${c.references[0].split("").reverse().join("").toWellFormed()}</b></p>`.replace(/<\/?\w[^>]*>/g, "");
  return { score: safe.length / Math.max(uri.length, 1) / 3, back: decodeURIComponent(uri) === c.output, reason: tagged.slice(0, 80).toWellFormed(), escape: escape(c.output).length };
}

export function distinct(c) {
  const w = split(c.output);
  const ratios = [1, 2, 3].map((n) => grams(w, n)).filter((g) => g.size).map((g) => g.size / total(g));
  let crc = -1;
  for (const x of new Set(c.output)) for (let k = 0, b = x.codePointAt(0); k < 21; k++, b >>>= 1) crc = (crc >>> 1) ^ (0xedb88320 & -((crc ^ b) & 1));
  return { score: ratios.length ? Math.min(...ratios) : 0, crc: (crc ^ -1) >>> 0 };
}

class Word {
  #text;
  static made = 0;
  constructor(text, count) {
    this.#text = text;
    this.count = count;
    Word.made = (Word.made + 1) % 7;
  }
  get length() { return [...this.#text].length; }
  [Symbol.toPrimitive](hint) { return hint === "number" ? this.count : this.#text; }
}

export function ranked(c) {
  const counts = split(c.output.toLowerCase()).reduce((m, w) => ({ ...m, [w]: (m[w] ?? 0) + 1 }), Object.create(null));
  const words = Object.entries(counts).map(([w, n]) => new Word(w, n));
  const top = words.toSorted((a, b) => b - a || (`${a}` < `${b}` ? -1 : 1)).slice(0, 3);
  const lengths = words.reduce((m, w) => m.set(w.length, [...(m.get(w.length) ?? []), `${w}`]), new Map());
  return { score: top.reduce((n, w) => n + +w, 0) / Math.max(split(c.output).length, 1), top: top.map(String), keys: Object.keys(counts), lengths: [...lengths].map(([k, v]) => `${k}:${v}`), sorted: Object.keys(counts).sort() };
}

export function shape(c) {
  const t = c.output;
  const bare = t.normalize("NFD").replace(/\p{M}/gu, "");
  const kinds = ["Lu", "Ll", "Nd", "Po", "Zs", "So", "Lo"].map((k) => (t.match(new RegExp(`\\p{${k}}`, "gu")) ?? []).length);
  const scripts = ["Latin", "Greek", "Han"].map((s) => new RegExp(`\\p{Script=${s}}`, "u").test(t));
  const emoji = (t.match(/\p{Emoji_Presentation}/gu) ?? []).length;
  return { score: bare.length / Math.max(t.length * 2, 1), kinds, scripts, emoji, upper: t.toUpperCase().length, at: t.codePointAt(3) ?? -1, last: t.lastIndexOf("the"), raw: String.raw`\n${t.length}`, trimmed: t.trimEnd().length, units: t.isWellFormed() };
}

export function soundex(c) {
  const groups = { bfpv: 1, cgjkqsxz: 2, dt: 3, l: 4, mn: 5, r: 6 };
  const code = (w) => {
    const digits = [...w.toLowerCase()].map((x) => Object.entries(groups).find(([k]) => k.includes(x))?.[1] ?? "");
    return (w[0].toUpperCase() + digits.join("").replace(/(.)\1+/g, "$1")).padEnd(4, "0").slice(0, 4);
  };
  const [a, b] = pair(c).map((t) => (t.match(/[a-z]+/gi) ?? []).map(code));
  const all = new Set(a.concat(b));
  return { score: [...new Set(a)].filter((x) => b.includes(x)).length / Math.max(all.size, 1), reason: a.join(" ").slice(0, 60) };
}
