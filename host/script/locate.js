// QuickJS notes the positions of calls only: of other errors it names the call
// before, or the beginning of the function. locate makes a copy of the script
// that notes every line where a statement seems to begin, calls it in the same
// way, and if it fails in the same way, knows the line.
const native = [TypeError, ReferenceError], most = 2000;
const statement = /^\s*(?![\s.)\]},?:+*\/&|=<>`-]|(?:else|catch|finally|while|case|default|import|export|function|class|async|@)\b|$)/;
const open = /(?:\)|=>|\belse|\bdo|[-+*\/%&|^=<>?:,.([{!~]|\bin|\bof)\s*$/, block = /[{;}]\s*$|^\s*$|\*\/\s*$/;

function locate() {
  const { e, run, own } = failure;
  failure = undefined;
  if (!(native[0].prototype.isPrototypeOf(e) || native[1].prototype.isPrototypeOf(e))) return "";
  const lines = call(split, source, "\n"), marked = [];
  if (lines.length > most) return "";
  for (let k = 0; k < lines.length; k++) {
    const before = k > 0 ? lines[k - 1] : "";
    marked[k] = false;
    lines[k] = call(replace, call(replace, lines[k], /^(\s*)export\s+default\s+/, "$1 globalThis.__default = "), /^(\s*)export\s+(?=const|let|var|function|class|async)/, "$1");
    if (call(test, /^\s*export\s*\{[^}]*\}/, lines[k])) lines[k] = "";
    if (call(test, statement, lines[k]) && (call(test, block, before) || !call(test, open, before))) marked[k] = true;
  }
  const tail = "\n;return typeof " + own + " === 'function' ? " + own + " : globalThis.__default ?? module.exports;";
  const build = () => {
    const out = [];
    for (let k = 0; k < lines.length; k++) out[k] = marked[k] ? "__at(" + (k + 1) + ");" + lines[k] : lines[k];
    try { return new compile("__at", "module", "exports", call(join, out, "\n") + tail); } catch { return undefined; }
  };
  // unmark takes marks away from a part of the lines until the rest compiles.
  const unmark = (from, to) => {
    if (build()) return;
    if (to - from === 1) { marked[from] = false; return; }
    const middle = (from + to) >> 1, kept = [];
    for (let k = middle; k < to; k++) { kept[k - middle] = marked[k]; marked[k] = false; }
    unmark(from, middle);
    for (let k = middle; k < to; k++) marked[k] = kept[k - middle];
    unmark(middle, to);
  };
  unmark(0, lines.length);
  const make = build();
  let line = 0;
  if (make === undefined) return "";
  try {
    const it = { exports: {} }, f = make((n) => { line = n; }, it, it.exports);
    run(typeof f === "function" ? f : f[own]);
  } catch (again) {
    const said = call(indexOf, place(text(e.stack)), "@@ENTRY@@:" + line + ":") === 0; // with its column
    if (line && !said && again !== null && typeof again === "object" && again.message === e.message) return failed(explain(e, line));
  }
  return "";
}
