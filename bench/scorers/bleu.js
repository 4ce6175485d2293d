const grams = (t, n) => {
  const m = new Map();
  for (let i = 0; i + n <= t.length; i++) {
    const k = t.slice(i, i + n).join(" ");
    m.set(k, (m.get(k) ?? 0) + 1);
  }
  return m;
};

export function score(c) {
  const out = c.output.toLowerCase().split(/\s+/), ref = c.references[0].toLowerCase().split(/\s+/);
  let logs = 0;
  for (let n = 1; n <= 4; n++) {
    const b = grams(ref, n);
    let same = 0, total = 0;
    for (const [k, v] of grams(out, n)) {
      same += Math.min(v, b.get(k) ?? 0);
      total += v;
    }
    if (n === 1 && same === 0) return 0;
    logs += Math.log((same + (n > 1 ? 1 : 0)) / (total + (n > 1 ? 1 : 0)));
  }
  return Math.exp(logs / 4 + Math.min(0, 1 - ref.length / out.length));
}
