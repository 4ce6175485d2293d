let seed = SEED + 1;
const random = () => { seed = seed + 0x6d2b79f5 | 0; let t = Math.imul(seed ^ seed >>> 15, 1 | seed); t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t; return ((t ^ t >>> 14) >>> 0) / 2 ** 32; };
const one = (list) => list[Math.floor(random() * list.length)], many = (n, f) => Array.from({ length: Math.floor(random() * n) }, f);
const tags = "u n i y d r a l m s t o p h H F e @ P l1 o3 m5! s7 d9 e1 a3 t5 r7 p9 o1+ l3- l2".split(" ");
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
  const kind = one(["v", "v", "v", "c", "g", "f", "x", "n", "o", "q", "end", "z"]);
  if (kind.endsWith("x") && random() < 0.8) body = [["e", [["F", 1, "A"], one(["TypeError", "Error", value()])], "text", "A", ...many(4, value)], one([1, -3, 1e9])];
  if (random() < 0.2) body = [one(["H", "F"]), Math.floor(random() * 5), one(["A", value()]), value()];
  if (random() < 0.3) body = [0, 0, [["F"]]];
  if (kind === "c") body = [one([0, 1, value()]), value(), many(3, value)];
  const list = () => random() < 0.7 ? [] : many(4, value), sync = () => random() < 0.2 ? null : [one([0, 10, 1e9, value()]), one([null, 0, 5, value()]), list(), random() < 0.7 ? [] : [one([0, 1, 2, 3]), value()], random() < 0.7 ? [] : [[one([0, 1, 2]), one(["ok", "no", "not"]), value()]], random() < 0.8 ? [] : [["console.log", value()]]];
  let text = wrote([kind, body, ...one([[], [sync()], [sync()], [sync()], [sync(), "Buffer"], [value(), value(), value()]])]);
  if (random() < 0.1) text = text.slice(0, Math.floor(random() * text.length)) + String.fromCharCode(Math.floor(random() * 300)) + text.slice(1);
  return text;
};
