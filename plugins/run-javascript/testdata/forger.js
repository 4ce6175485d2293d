let seed = SEED + 1;
const random = () => { seed = seed + 0x6d2b79f5 | 0; let t = Math.imul(seed ^ seed >>> 15, 1 | seed); t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t; return ((t ^ t >>> 14) >>> 0) / 2 ** 32; };
const one = (list) => list[Math.floor(random() * list.length)], many = (n, f) => Array.from({ length: Math.floor(random() * n) }, f);
const tags = "u n i y d r a l m s t o p h H F e @".split(" ");
const plain = [0, 1, -1, 3, 12, 2 ** 31, 1e300, 1.5, "", "x", "NaN", "-0", "__proto__", "constructor", "then", "length", "iterator", "Uint8Array", "BigInt64Array", "TypeError", "\ud800", "g".repeat(2000), null, true, false];
const value = (depth = 0) => {
  const k = random();
  if (depth > 5 || k < 0.35) return one(plain);
  if (k < 0.9) return [one(tags), ...many(5, () => value(depth + 1))];
  return k < 0.97 ? many(4, () => value(depth + 1)) : { a: value(depth + 1), ["__proto__"]: value(depth + 1) };
};
const wrote = JSON.stringify;
JSON.stringify = () => {
  let body = value();
  const kind = one(["v", "v", "v", "a", "ax", "f", "x", "n", "o", "q", "end", "z"]);
  if (kind.endsWith("x") && random() < 0.8) body = [["e", [["F", 1, "A"], one(["TypeError", "Error", value()])], "text", "A", ...many(4, value)], one([1, -3, 1e9])];
  if (random() < 0.2) body = [one(["H", "F"]), Math.floor(random() * 5), one(["A", value()]), value()];
  if (random() < 0.3) body = [0, 0, [["F"]]];
  let text = wrote([kind, body, ...one([[], [null], [[value()]], [null, "Buffer"], [value(), value(), value()]])]);
  if (random() < 0.1) text = text.slice(0, Math.floor(random() * text.length)) + String.fromCharCode(Math.floor(random() * 300)) + text.slice(1);
  return text;
};
