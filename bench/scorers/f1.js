const tokens = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

export function score(c) {
  const out = tokens(c.output), ref = tokens(c.references[0]);
  if (!out.length || !ref.length) return 0;
  const left = new Map();
  for (const t of ref) left.set(t, (left.get(t) || 0) + 1);
  let same = 0;
  for (const t of out) {
    const n = left.get(t) || 0;
    if (n > 0) {
      same++;
      left.set(t, n - 1);
    }
  }
  if (!same) return 0;
  const p = same / out.length, r = same / ref.length;
  return (2 * p * r) / (p + r);
}
