// One case in full: what was graded, with the cited parts marked, and what each
// criterion made of it.

const marked = (text, spans) => {
  const box = element("div", "content");
  let at = 0;
  const cuts = [...new Set(spans.flatMap((s) => [s.start, s.end]))].sort((a, b) => a - b);
  for (const cut of [...cuts, text.length]) {
    if (cut <= at) continue;
    const part = text.slice(at, cut);
    const over = spans.filter((s) => s.start <= at && s.end >= cut);
    if (over.length) {
      const mark = element("mark", "", part);
      mark.title = "cited by " + over.map((s) => s.criterion).join(", ");
      mark.dataset.criteria = over.map((s) => s.criterion).join("\n");
      box.append(mark);
    } else {
      box.append(part);
    }
    at = cut;
  }
  return box;
};

const part = (title, ...content) => {
  const box = element("section");
  box.append(element("h3", "", title), ...content);
  return box;
};

// folded shows a long text in part, and all of it on demand.
const folded = (box) => {
  const text = box.textContent;
  if (text.length < 1500 && text.split("\n").length < 25) return box;
  box.classList.add("folded");
  const more = element("button", "more", "Show all");
  more.type = "button";
  more.addEventListener("click", () => { box.classList.remove("folded"); more.remove(); });
  const both = document.createDocumentFragment();
  both.append(box, more);
  return both;
};

const content = (title, text, spans = []) => part(title, folded(marked(text, spans)));

const contents = (title, list) => part(title, ...list.map((text) => folded(element("div", "content", text))));

// difference marks the words of two texts that the other does not have, by their
// longest common subsequence. Texts too long for that are shown as they are.
const difference = (before, after) => {
  const split = (text) => text.match(/\s+|[^\s]+/g) || [];
  const a = split(before), b = split(after);
  if (a.length * b.length > 4_000_000) return [element("div", "content", before), element("div", "content", after)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1] + 1 : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  const sides = [element("div", "content"), element("div", "content")];
  const put = (side, tag, word) => {
    const last = sides[side].lastChild;
    if (last && (last.tagName || "").toLowerCase() === tag) last.textContent += word;
    else sides[side].append(tag ? element(tag, "", word) : word);
  };
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      put(0, "", a[i++]);
      put(1, "", b[j++]);
    } else if (j >= b.length || (i < a.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      put(0, "del", a[i++]);
    } else {
      put(1, "ins", b[j++]);
    }
  }
  return sides;
};

// side is one of two runs beside each other.
const side = (title, ...content) => {
  const box = element("div");
  box.append(element("h3", "", title), ...content);
  return box;
};

const besides = (row, before) => {
  const pair = element("div", "pair");
  const [was, is] = difference(row.was.output || "", row.output || "");
  pair.append(side("Output of " + before, folded(was)), side("Output", folded(is)));
  const table = element("table", "fields");
  for (const c of row.criteria) {
    const old = row.was.criteria.find((o) => o.id === c.id);
    if (!old || (old.answer === c.answer && old.reason === c.reason)) continue;
    const line = table.insertRow();
    const cell = (o) => { const td = element("td", "pre"); td.append(element("span", "mark " + MARKS[o.mark], SIGNS[o.mark]), " " + o.answer + (o.reason ? "\n" + o.reason : "")); return td; };
    line.append(element("th", "", c.id), cell(old), cell(c));
  }
  const parts = [pair];
  if (table.rows.length) parts.push(part("Criteria that changed", table));
  return parts;
};

// callBox is a judge's call, closed until somebody looks.
const callBox = (call) => {
  const box = element("details", "call");
  const head = element("summary");
  head.append(element("strong", "", call.title), " ", element("span", "by", call.facts));
  if (call.error) head.append(" ", element("span", "badge bad", "failed"));
  box.append(head, part("Prompt", element("div", "content", call.prompt)));
  if (call.answer) box.append(part("Answer", element("div", "content", call.answer)));
  if (call.error) box.append(element("p", "bad pre", call.error));
  return box;
};

const criterionBox = (c, detail) => {
  const box = element("div", "criterion " + MARKS[c.mark]);
  const head = element("p");
  head.append(element("span", "mark " + MARKS[c.mark], SIGNS[c.mark]), " ", element("strong", "", c.id), " ", element("span", "answer", c.answer), " ", element("span", "by", c.traits));
  box.append(head);
  if (c.error) box.append(element("p", "bad pre", c.error));
  if (c.reason) box.append(element("p", "pre", c.reason));
  for (const text of c.cites || []) {
    const cite = element("blockquote", "", text);
    cite.addEventListener("click", () => {
      const mark = Array.from(detail.querySelectorAll("mark")).find((m) => m.dataset.criteria.split("\n").includes(c.id));
      mark?.scrollIntoView({ block: "center", behavior: "smooth" });
    });
    box.append(cite);
  }
  if (c.notes) {
    const list = element("ul", "notes");
    list.append(...c.notes.map((n) => element("li", "", n)));
    box.append(list);
  }
  if (c.how) box.append(element("p", "by", c.how));
  return box;
};

// caseBody is everything about a row but its head.
const caseBody = (row, detail, before) => {
  const parts = [];
  if (row.why) parts.push(element("p", "note bad pre", row.why));
  const spans = (field) => (row.spans || []).filter((s) => s.field === field);
  if (row.input) parts.push(content("Input", row.input, spans("input")));
  if (row.was) {
    parts.push(...besides(row, before));
    if (spans("output").length) parts.push(content("Output, cited parts", row.output, spans("output")));
  }
  else if (row.output !== undefined) parts.push(content("Output", row.output, spans("output")));
  if (row.references) parts.push(contents("References", row.references));
  if (row.context) parts.push(contents("Context", row.context));
  parts.push(part("Criteria", ...row.criteria.map((c) => criterionBox(c, detail))));
  if (row.feedback) parts.push(part("Feedback", element("p", "note pre", row.feedback)));
  if (row.warnings) parts.push(part("Warnings", ...row.warnings.map((w) => element("p", "note warn pre", w))));
  if (row.calls) parts.push(part("Judge calls", ...row.calls.map(callBox)));
  if (row.fields) {
    const table = element("table", "fields");
    for (const f of row.fields) {
      const line = table.insertRow();
      line.append(element("th", "", f.name), element("td", "pre", f.value));
    }
    parts.push(part("Fields", table));
  }
  if (row.usage) parts.push(element("p", "by", row.usage));
  return parts;
};

// showWords marks the words that were searched for, where the browser can.
const showWords = (box, words) => {
  if (!window.Highlight || !CSS.highlights) return;
  const found = [];
  const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node && found.length < 1000; node = walk.nextNode()) {
    const text = node.data.toLowerCase();
    if (text.length !== node.data.length) continue; // places would shift
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        found.push(range);
      }
    }
  }
  CSS.highlights.set("found", new Highlight(...found));
};

const openDetail = (data, host, on) => {
  const { index } = data;
  const button = (label, title, action) => {
    const b = element("button", "", label);
    b.type = "button";
    b.title = title;
    b.setAttribute("aria-label", title);
    b.addEventListener("click", action);
    return b;
  };
  let current = -1;
  return {
    async show(i, place, of) {
      current = i;
      const row = await data.load(i);
      if (current !== i) return;
      const head = element("header");
      const title = element("h2", "", data.name(i));
      const tools = element("div", "tools");
      tools.append(button("↑", "Previous case (k)", () => on.step(-1)), button("↓", "Next case (j)", () => on.step(1)), button("Link", "Copy a link to this case (c)", on.copy), button("✕", "Close (Esc)", on.close));
      const line = element("p", "facts");
      line.append(element("span", "badge " + RANKS[index.ranks[i]], index.verdicts.values[index.verdicts.of[i]]), " ", element("strong", "", score(index.scores[i])));
      if (index.against) line.append(" ", element("span", "badge " + (CHANGES[index.against.changes.values[index.against.changes.of[i]]] || "between"), index.against.changes.values[index.against.changes.of[i]]), " was " + score(index.against.scores[i]));
      if (row.from) line.append(" · " + row.from);
      if (place >= 0) line.append(" · " + (place + 1).toLocaleString("en") + " of " + of.toLocaleString("en"));
      const others = index.ids.reduce((list, id, j) => (id === index.ids[i] && j !== i ? [...list, j] : list), []);
      for (const j of others) {
        const link = element("a", "", "repeat " + index.repeats[j]);
        link.href = "#case=" + encodeURIComponent(data.name(j));
        line.append(" · ", link);
      }
      head.append(tools, title, line);
      host.replaceChildren(head, ...caseBody(row, host, index.against?.name));
      showWords(host, on.words());
      host.scrollTop = 0;
      host.hidden = false;
    },
    hide() {
      current = -1;
      host.hidden = true;
      host.replaceChildren();
    },
    get current() { return current; },
  };
};
