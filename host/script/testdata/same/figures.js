// Metrics over numbers as people write them. See scorers.js. Those whose name ends
// with _libm use functions that the language does not fix to the last bit; those
// with _intl are what a runtime with tables of languages answers otherwise.

const numbers = (c) => c.metadata.numbers;
const seeded = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const hash = (t) => [...new Array(t.length).keys()].reduce((h, i) => Math.imul(h ^ t.charCodeAt(i), 16777619), 2166136261) >>> 0;

export function averaged(c) {
  const n = numbers(c);
  if (n.length < 3) return null;
  const sorted = Float64Array.from(n).sort(), mean = n.reduce((a, b) => a + b, 0) / n.length;
  const at = (q) => { const i = (sorted.length - 1) * q, lo = Math.floor(i); return sorted[lo] + (sorted[Math.ceil(i)] - sorted[lo]) * (i - lo); };
  return { score: 1 / (1 + Math.abs(at(0.5))), mean, quartiles: [0.25, 0.5, 0.75].map(at), stdev: Math.sqrt(n.reduce((s, x) => s + (x - mean) * (x - mean), 0) / (n.length - 1)), text: [10, 9, 1].concat(n).sort().join() };
}

export function compensated(c) {
  let sum = 0, lost = 0;
  for (const x of [...numbers(c), 1e20, 1, -1e20]) {
    const t = sum + x;
    lost += Math.abs(sum) >= Math.abs(x) ? sum - t + x : x - t + sum;
    sum = t;
  }
  return { score: 0.5, sum: sum + lost, plain: numbers(c).reduce((a, b) => a + b, 0.1), right: numbers(c).reduceRight((a, b) => a + b, 0), round: numbers(c).map(Math.fround), half: numbers(c).map((x) => Math.round(x * 100) / 100) };
}

export function printed(c) {
  const out = numbers(c).flatMap((x) => [String(x), x.toFixed(3), x.toExponential(), x.toExponential(4), x.toPrecision(6), x.toString(2).length, Math.trunc(x % 1e9).toString(36), JSON.stringify({ x }), `${-x}`, (x / 3).toString(), x.toFixed(0)]);
  return { score: new Set(out).size / (1 + out.length), reason: out.join(" ").slice(0, 1500) };
}

export function parsed(c) {
  const values = c.output.split(/\s+/).flatMap((w) => [Number(w), parseFloat(w), parseInt(w), parseInt(w, 16), +w.slice(1), Number(`0x${w}`), ~~w, w | 0, w >>> 1, Number(Boolean(w))]);
  return { score: values.filter(Number.isInteger).length / (1 + values.length), values: values.map(String), same: values.filter(Object.is.bind(null, -0)).length, safe: values.every(Number.isSafeInteger) };
}

export function bigs(c) {
  const of = (t) => [...t].slice(0, 20).reduce((h, x) => (h << 16n) | BigInt(x.codePointAt(0) & 0xffff), 1n);
  const n = of(c.output), m = of(c.references[0]);
  const power = (b, e, m) => { let r = 1n; for (b %= m; e; e >>= 1n, b = (b * b) % m) if (e & 1n) r = (r * b) % m; return r; };
  const gcd = (a, b) => (b ? gcd(b, a % b) : a);
  const told = [power(n, m & 0xffffn, 2n ** 61n - 1n), gcd(n, m), n / -m, n % -m, BigInt.asIntN(64, n * m), n ^ m, ~n & 0xffffn, -n >> 5n, (n ** 2n).toString(36).length, n > m, n == String(n)];
  return { score: Number(n % 1000n) / 1000, reason: told.join(" "), near: Number(n), half: Number((n * 10n ** 12n) / m) / 1e12 };
}

export function narrowed(c) {
  const n = numbers(c), view = new DataView(new ArrayBuffer(16));
  const parts = n.map((x) => {
    view.setFloat64(0, x);
    view.setFloat32(8, x, true);
    return [view.getUint32(0).toString(16), view.getInt16(2, true), String(view.getFloat32(8, true)), view.getBigUint64(0) % 1000n + ""];
  });
  const clamped = Uint8ClampedArray.from(n), ints = Int8Array.from(n), words = new Uint16Array(new Float32Array(n).buffer);
  return { score: 0.5, parts, clamped: [...clamped], ints: [...ints], words: [...words.slice(0, 8)], mod: n.map((x) => x % 0.7), copied: [...ints.subarray(1).copyWithin(0, 1).toReversed()], clz: n.map((x) => Math.clz32(x)), sign: n.map(Math.sign), bits: n.map((x) => (x << 3) ^ (x >>> 1)) };
}

export function kendall(c) {
  const a = numbers(c), b = [...a].sort((x, y) => (Math.round(x) % 3) - (Math.round(y) % 3) || y - x);
  let tau = 0, inversions = 0;
  for (let i = 0; i < a.length; i++) for (let j = i + 1; j < a.length; j++) { tau += Math.sign(a[j] - a[i]); inversions += b[i] > b[j] ? 1 : 0; }
  const order = a.map((x, i) => [x, i]).sort(([x], [y]) => Math.floor(x / 100) - Math.floor(y / 100)).map(([, i]) => i);
  return { score: (1 + tau / Math.max((a.length * (a.length - 1)) / 2, 1)) / 2, inversions, order, last: a.findLastIndex((x) => x > 0), with: a.length ? a.with(0, 1).indexOf(1) : -1 };
}

export function sampled(c) {
  const next = seeded(hash(c.output)), n = numbers(c).length ? numbers(c) : [0];
  const means = Array.from({ length: 20 }, () => n.reduce((s) => s + n[Math.floor(next() * n.length)], 0) / n.length).sort((a, b) => a - b);
  const deck = [...Array(12).keys()];
  for (let i = deck.length - 1; i; i--) { const j = Math.floor(next() * (i + 1)); [deck[i], deck[j]] = [deck[j], deck[i]]; }
  return { score: next(), interval: [means[1], means.at(-2)], deck, seed: hash(c.references[0]) };
}

export function calendars(c) {
  const d = new Date(Date.UTC(1970, 0, 1 + c.metadata.days, 25, 61, 3, 1005));
  const later = new Date(d);
  later.setUTCMonth(later.getUTCMonth() + 1, 31);
  const week = Math.ceil(((d - Date.UTC(d.getUTCFullYear(), 0, 1)) / 864e5 + 1) / 7);
  const read = ["2024-02-30", "2024-02-29T12:00Z", "2024-02-29T12:00:00+05:45", "2024-13-01", "+002024-01-01T00:00:00.123Z", d.toISOString().slice(0, 10), "x"].map((t) => Date.parse(t)).map(String);
  return { score: d.getUTCDay() / 7, iso: [d.toISOString(), later.toJSON(), d.toUTCString(), JSON.stringify({ d })], week, read, year: new Date(0).setUTCFullYear(d.getUTCFullYear(), 1, 29), bad: String(new Date(NaN)), typed: typeof (d - later) };
}

export function ordered_keys(c) {
  const o = Object.fromEntries(c.output.split(/\s+/).map((w, i) => [w, i]));
  const { the, ...rest } = o;
  return { score: Object.keys(o).length / (1 + c.output.length), keys: Object.keys(o).slice(0, 12), first: JSON.stringify(rest, (k, v) => (typeof v === "number" ? v * 2 : v)).slice(0, 200), the: the ?? null, map: [...new Map(Object.entries(o)).keys()].at(0), inside: Reflect.ownKeys(o).length };
}

export function spread(c) {
  function* walk(n) { for (const x of n) if (Math.abs(x) > 1) yield* [x, -x]; else yield x; }
  const [head = 0, , ...tail] = walk(numbers(c));
  const tagged = ((parts, ...values) => parts.raw.join("|") + values.length)`a${head}\n${tail.length}`;
  return { score: 0.5, head, most: Math.max(...tail, 0), tagged, flat: [numbers(c), [[tail.length]]].flat(2).length, hypot: Math.max(...numbers(c).map(Math.abs), 0) };
}

export const perplexity_libm = (c) => { const n = numbers(c); return n.length ? Math.exp(n.reduce((s, x) => s + Math.log(1 / (1 + Math.abs(x))), 0) / n.length) : null; };

export const powers_libm = (c) => ({ score: 0.5, values: numbers(c).map((v) => (Math.abs(v) % 9) + 0.1).map((x) => [x ** 0.3, x ** 3, Math.pow(x, -2.5), Math.cbrt(x), Math.log2(x), Math.log10(x), Math.log1p(x), Math.expm1(x)]) });

export const angles_libm = (c) => ({ score: 0.5, values: numbers(c).map((x) => (Math.abs(x) < 1e6 ? x : 1)).map((x) => [Math.sin(x), Math.cos(x), Math.tan(x), Math.atan(x), Math.atan2(x, 2), Math.tanh(x), Math.asinh(x), Math.sinh(x % 5)]) });

export function softmax_libm(c) {
  const n = numbers(c);
  if (!n.length) return null;
  const most = Math.max(...n), e = n.map((x) => Math.exp(Math.max(x - most, -700))), total = e.reduce((a, b) => a + b);
  const p = e.map((x) => x / total);
  return { score: Math.max(...p), entropy: -p.filter((x) => x > 0).reduce((s, x) => s + x * Math.log(x), 0), norm: Math.hypot(...p) };
}

export const collated_intl = (c) => ({ score: 0.5, words: c.output.split(/\s+/).sort((a, b) => a.localeCompare(b)), order: "é".localeCompare("f") });

export const localised_intl = (c) => ({ score: 0.5, numbers: numbers(c).map((x) => x.toLocaleString()), upper: c.output.toLocaleUpperCase("tr"), intl: typeof Intl, date: new Date(0).toLocaleDateString() });
