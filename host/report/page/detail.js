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
  const more = element("button", "more", "Show all " + text.length.toLocaleString("en") + " characters");
  more.type = "button";
  more.addEventListener("click", () => { box.classList.remove("folded"); more.remove(); });
  const both = document.createDocumentFragment();
  both.append(box, more);
  return both;
};

const content = (title, text, spans = []) => part(title, folded(marked(text, spans)));

const contents = (title, list) => part(title, ...list.map((text) => folded(element("div", "content", text))));

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
const caseBody = (row, detail) => {
  const parts = [];
  if (row.why) parts.push(element("p", "note bad pre", row.why));
  const spans = (field) => (row.spans || []).filter((s) => s.field === field);
  if (row.input) parts.push(content("Input", row.input, spans("input")));
  if (row.output !== undefined) parts.push(content("Output", row.output, spans("output")));
  if (row.references) parts.push(contents("References", row.references));
  if (row.context) parts.push(contents("Context", row.context));
  parts.push(part("Criteria", ...row.criteria.map((c) => criterionBox(c, detail))));
  if (row.warnings) parts.push(part("Warnings", ...row.warnings.map((w) => element("p", "note warn pre", w))));
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
      if (row.from) line.append(" · " + row.from);
      if (place >= 0) line.append(" · " + (place + 1).toLocaleString("en") + " of " + of.toLocaleString("en"));
      const others = index.ids.reduce((list, id, j) => (id === index.ids[i] && j !== i ? [...list, j] : list), []);
      for (const j of others) {
        const link = element("a", "", "repeat " + index.repeats[j]);
        link.href = "#case=" + encodeURIComponent(data.name(j));
        line.append(" · ", link);
      }
      head.append(tools, title, line);
      host.replaceChildren(head, ...caseBody(row, host));
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
