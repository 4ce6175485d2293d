// The list of cases: a table of which only the rows in sight exist. All rows are
// of one height, so that a place in the list is a place on the screen.

const openList = (data, host, on) => {
  const { index } = data;
  const columns = [
    { key: "case", label: "case", width: 130, share: .4, sort: (i) => data.name(i) },
    { key: "verdict", label: "verdict", width: 122, sort: (i) => index.ranks[i], then: (i) => index.scores[i] ?? -1 },
    { key: "score", label: "score", width: 80, sort: (i) => index.scores[i] },
    ...(index.against ? [{
      key: "change", label: "change", width: 84, change: true,
      sort: (i) => (index.against.scores[i] === null || index.scores[i] === null ? null : index.scores[i] - index.against.scores[i]),
    }] : []),
    ...index.criteria.map((c, n) => ({
      key: "criterion." + c.id, label: c.id, width: 84, criterion: n, sort: (i) => c.values[i],
    })),
    ...(index.content ? [
      { key: "input", label: "input", width: 180, share: 1, text: (r) => r.input },
      { key: "output", label: "output", width: 260, share: 1.6, text: (r) => r.output },
      { key: "references", label: "references", width: 160, share: 1, text: (r) => (r.references || []).join(" · ") },
    ] : [{ key: "why", label: "why", width: 240, share: 1, text: (r) => r.why }]),
  ];

  const head = element("div", "head");
  head.setAttribute("role", "row");
  const body = element("div", "body");
  const window_ = element("div", "window");
  body.append(window_);
  host.append(head, body);
  host.style.setProperty("--columns", columns.map((c) => (c.share ? `minmax(${c.width}px, ${c.share}fr)` : c.width + "px")).join(" "));
  host.style.setProperty("--width", columns.reduce((sum, c) => sum + c.width, 0) + "px");
  for (const c of columns) {
    const cell = element("button", "cell" + (c.criterion !== undefined || c.change || c.key === "score" ? " n" : ""), c.label);
    cell.type = "button";
    cell.title = c.label + ": sort";
    cell.setAttribute("role", "columnheader");
    cell.dataset.key = c.key;
    cell.addEventListener("click", () => on.sort(c.key));
    head.append(cell);
  }

  let rows = []; // indexes of data, in the order shown
  let chosen = -1; // place in rows
  let drawn = "";

  const height = () => parseFloat(getComputedStyle(host).getPropertyValue("--row")) || 46;

  const cellOf = (c, i, row) => {
    const cell = element("span", "cell");
    cell.setAttribute("role", "gridcell");
    if (c.key === "case") {
      cell.classList.add("id");
      cell.textContent = cell.title = data.name(i);
    } else if (c.key === "verdict") {
      cell.append(element("span", "badge " + RANKS[index.ranks[i]], index.verdicts.values[index.verdicts.of[i]]));
    } else if (c.key === "score") {
      cell.classList.add("n");
      const value = index.scores[i];
      const meter = element("span", "meter " + RANKS[index.ranks[i]]);
      const fill = element("span");
      fill.style.width = 100 * Math.min(1, Math.max(0, value ?? 0)) + "%";
      meter.append(fill);
      cell.append(element("span", "", score(value)), meter);
    } else if (c.change) {
      const by = c.sort(i);
      const what = index.against.changes.values[index.against.changes.of[i]];
      cell.classList.add("n", "value", CHANGES[what] || "none");
      cell.append(element("span", "", by === null || what === "same" ? (what === "same" ? "=" : what) : (by > 0 ? "+" : "") + by.toFixed(3)));
      cell.title = what;
    } else if (c.criterion !== undefined) {
      const criterion = index.criteria[c.criterion];
      cell.classList.add("n", "value", MARKS[criterion.marks[i]] || "none");
      cell.append(element("span", "", criterion.marks[i] === " " ? "" : score(criterion.values[i])));
    } else {
      cell.classList.add("text");
      cell.textContent = row ? (c.text(row) || "").slice(0, 300) : "…";
    }
    return cell;
  };

  const draw = () => {
    const h = height();
    const first = Math.max(0, Math.floor(host.scrollTop / h) - 8);
    const last = Math.min(rows.length, Math.ceil((host.scrollTop + host.clientHeight) / h) + 8);
    let missing = false;
    const lines = [];
    for (let at = first; at < last; at++) {
      const i = rows[at];
      const row = data.row(i);
      missing ||= !row;
      const line = element("div", "row");
      line.setAttribute("role", "row");
      line.setAttribute("aria-rowindex", String(at + 2));
      line.setAttribute("aria-selected", String(at === chosen));
      line.dataset.at = String(at);
      line.id = "row-" + at;
      for (const c of columns) line.append(cellOf(c, i, row));
      lines.push(line);
    }
    const now = first + ":" + last + ":" + missing + ":" + chosen;
    drawn = now;
    body.style.height = rows.length * h + "px";
    window_.style.transform = `translateY(${first * h}px)`;
    window_.replaceChildren(...lines);
    host.setAttribute("aria-activedescendant", chosen < 0 ? "" : "row-" + chosen);
    if (missing) {
      const wanted = new Map();
      for (let at = first; at < last; at++) wanted.set(Math.floor(rows[at] / index.per_chunk), rows[at]);
      Promise.all(Array.from(wanted.values(), (i) => data.load(i))).then(() => { if (drawn === now) draw(); });
    }
  };

  let asked = false;
  const redraw = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  };
  host.addEventListener("scroll", redraw, { passive: true });
  new ResizeObserver(redraw).observe(host);
  body.addEventListener("click", (e) => {
    const line = e.target.closest(".row");
    if (line) on.open(Number(line.dataset.at));
  });

  const reveal = (at) => {
    const h = height();
    const top = at * h;
    const space = host.clientHeight - head.offsetHeight;
    if (top < host.scrollTop) host.scrollTop = top;
    else if (top + h > host.scrollTop + space) host.scrollTop = top + h - space;
  };

  return {
    columns,
    // show puts rows on the screen; keep is the row that stays chosen if it is there.
    show(list, keep, sortKey, down) {
      rows = list;
      chosen = keep === undefined ? -1 : list.indexOf(keep);
      host.setAttribute("aria-rowcount", String(list.length + 1));
      for (const cell of head.children) {
        const by = cell.dataset.key === sortKey;
        cell.setAttribute("aria-sort", by ? (down ? "descending" : "ascending") : "none");
      }
      if (chosen >= 0) reveal(chosen);
      else host.scrollTop = 0;
      draw();
    },
    choose(at) {
      chosen = at;
      if (at >= 0) reveal(at);
      draw();
    },
    get chosen() { return chosen; },
    get length() { return rows.length; },
    at: (place) => rows[place],
    all: () => rows,
  };
};
