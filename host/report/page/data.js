// The rows of the report, as the host packed them: templates of class "rows"
// hold a chunk of rows each, the one of class "index" what rows are sorted and
// filtered by. All of it is base64 of gzip of JSON. Chunks are unpacked when a
// row of them is first shown or searched.

const unpack = async (template) => {
  const packed = Uint8Array.from(atob(template.content.textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
};

// Each chunk is kept once it is unpacked, up to this many characters of search
// text; beyond it, chunks that were not used for longest are unpacked again.
const KEPT_CHUNKS = 400;

const openData = async () => {
  const chunks = Array.from(document.querySelectorAll("template.rows"));
  const index = await unpack(document.querySelector("template.index"));
  limits = index.marks || [];
  const kept = new Map(); // chunk number -> promise of its rows, the latest used last
  const ready = new Map(); // chunk number -> rows
  const texts = new Array(index.ids.length); // what search looks at, in lower case

  const chunk = (n) => {
    let rows = kept.get(n);
    kept.delete(n);
    if (!rows) rows = unpack(chunks[n]).then((list) => { ready.set(n, list); return list; });
    kept.set(n, rows);
    if (kept.size > KEPT_CHUNKS) {
      const oldest = kept.keys().next().value;
      kept.delete(oldest);
      ready.delete(oldest);
    }
    return rows;
  };

  // row returns a row, or undefined while it is being unpacked.
  const row = (i) => ready.get(Math.floor(i / index.per_chunk))?.[i % index.per_chunk];
  const load = async (i) => (await chunk(Math.floor(i / index.per_chunk)))[i % index.per_chunk];

  const name = (i) => index.ids[i] + (index.repeats[i] > 1 ? "#" + index.repeats[i] : "");

  // textOf is what search looks at: what was graded, and what was said of it.
  // Names of criteria and excerpts would find every row.
  const textOf = (i, row) => [
    name(i), row.input, row.output, row.why, row.feedback, ...(row.references || []), ...(row.context || []),
    ...(row.fields || []).map((f) => f.value), ...(row.warnings || []), ...row.criteria.flatMap((c) => [c.reason, c.error]), row.was?.output,
  ].filter(Boolean).join("\n").toLowerCase();

  // search returns the rows of which test holds for their text, as a Set. It
  // gives way to the page now and then, and ends early if stopped says so.
  const search = async (test, progress, stopped) => {
    const found = new Set();
    for (let n = 0; n < chunks.length; n++) {
      const start = n * index.per_chunk;
      const end = Math.min(start + index.per_chunk, index.ids.length);
      if (texts[start] === undefined) {
        const rows = await chunk(n);
        for (let i = start; i < end; i++) texts[i] = textOf(i, rows[i - start]);
        progress(end);
      }
      if (stopped()) return null;
      for (let i = start; i < end; i++) if (test(texts[i])) found.add(i);
    }
    return found;
  };

  // column returns a text of every row, for sorting by it.
  const column = async (of) => {
    const out = new Array(index.ids.length);
    for (let n = 0; n < chunks.length; n++) {
      const rows = await chunk(n);
      rows.forEach((r, j) => { out[n * index.per_chunk + j] = (of(r) || "").slice(0, 200).toLowerCase(); });
    }
    return out;
  };

  return { index, row, load, name, search, column, length: index.ids.length };
};

// element makes an element. Text is only ever set as text.
const element = (tag, className, text) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined && text !== null) e.textContent = text;
  return e;
};

// score writes a number as the rest of the report does: what is not 1 is never
// written as 1.000, nor what is not 0 as 0.000, and next to a limit it has as many decimals as
// tell on which side of it x lies.
let limits = [];
const score = (x) => {
  if (x === null || x === undefined) return "-";
  const side = (x, limit) => (Math.abs(x - limit) <= 1e-9 ? 0 : Math.sign(x - limit));
  let decimals = 3;
  while (decimals < 12 && limits.some((limit) => side(Number(x.toFixed(decimals)), limit) !== side(x, limit))) decimals++;
  const s = x.toFixed(decimals);
  if (s === "1.000" && x < 1 - 1e-9) return "0.999";
  if ((s === "0.000" || s === "-0.000") && Math.abs(x) > 1e-9) return x.toPrecision(1);
  return s === "-0.000" ? "0.000" : s;
};

const RANKS = ["warn", "bad", "good", "between"];
const CHANGES = { regressed: "bad", worse: "bad", "unscored now": "bad", fixed: "good", better: "good", "scored now": "good" };
const MARKS = { "+": "good", "x": "bad", "~": "between", "?": "warn" };
const SIGNS = { "+": "✓", "x": "✗", "~": "~", "?": "?" };
