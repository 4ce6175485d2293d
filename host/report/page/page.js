// The page: views, filters, keyboard. What is shown stands in the address, so
// that a view can be sent on: #case=q-17&find=refund&verdict=FAIL&sort=-score

const byId = (id) => document.getElementById(id);

const start = async () => {
  const message = byId("message");
  if (!("DecompressionStream" in window)) {
    message.textContent = "The cases need a browser of 2023 or newer.";
    return;
  }
  const data = await openData();
  const { index } = data;
  const find = byId("find"), count = byId("count"), clear = byId("clear"), help = byId("help");
  const state = { view: "overview", find: "", sort: "verdict", case: "" };
  let found = null; // rows that hold the words; null: all do
  let turn = 0; // of the latest search

  // Filters: a select each, and which rows it keeps.
  const filters = [];
  const addFilter = (key, select, options, test) => {
    select.append(...options.map(([value, label]) => new Option(label, value)));
    state[key] = "";
    select.addEventListener("change", () => { state[key] = select.value; update(); });
    filters.push({ key, select, test });
  };
  const counted = (labels, any, blank) => {
    const n = new Array(labels.values.length).fill(0);
    for (const v of labels.of) n[v]++;
    const options = labels.values.map((value, v) => ["=" + value, `${value || blank} (${n[v].toLocaleString("en")})`]);
    return [["", any], ...options.sort((a, b) => a[1].localeCompare(b[1], undefined, { numeric: true }))];
  };
  const equals = (labels) => (value, i) => "=" + labels.values[labels.of[i]] === value;
  addFilter("verdict", byId("verdict"), counted(index.verdicts, "any", "-"), equals(index.verdicts));
  addFilter("class", byId("class"), counted(index.classes, "any", "no failure"), equals(index.classes));
  if (index.classes.values.length < 2) byId("class").parentElement.hidden = true;
  if (index.against) addFilter("change", byId("change"), counted(index.against.changes, "any", "-"), equals(index.against.changes));
  byId("change").parentElement.hidden = !index.against;
  const kinds = { "lost": ["not full", "x~?"], "zero": ["lowest", "x"], "none": ["unscored", "?"], "full": ["full", "+"] };
  addFilter("criterion", byId("criterion"), [["", "any"], ...index.criteria.flatMap((c) => Object.keys(kinds)
    .filter((kind) => Array.from(c.marks).some((m) => kinds[kind][1].includes(m)))
    .map((kind) => [kind + ":" + c.id, c.id + ": " + kinds[kind][0]]))],
  (value, i) => {
    const cut = value.indexOf(":");
    const c = index.criteria.find((c) => c.id === value.slice(cut + 1));
    return Boolean(c) && (kinds[value.slice(0, cut)]?.[1] || "").includes(c.marks[i]);
  });
  for (const labels of index.slices) {
    const label = element("label", "", labels.name.replace(/^(metadata|tags)\./, "") + " ");
    const select = element("select");
    select.dataset.slice = labels.name;
    label.append(select);
    byId("slices").append(label);
    addFilter("slice." + labels.name, select, counted(labels, "any", "(none)"), equals(labels));
  }

  const list = openList(data, byId("list"), {
    sort: (key) => { state.sort = state.sort === key ? "-" + key : key; update(); },
    open: (at) => open(at),
  });
  const detail = openDetail(data, byId("detail"), { step: (by) => step(by), copy: () => copy(), close: () => close(), words: () => words(state.find).filter(([not]) => !not).map(([, word]) => word) });

  // order sorts rows by the column of state.sort; what has no value comes last.
  const order = async (rows) => {
    const down = state.sort.startsWith("-");
    const column = list.columns.find((c) => c.key === state.sort.replace(/^-/, "")) || list.columns[1];
    const texts = column.text ? await data.column(column.text) : null;
    const key = texts ? (i) => texts[i] : column.sort;
    const natural = new Intl.Collator(undefined, { numeric: true });
    const one = (a, b) => (typeof a === "string" ? natural.compare(a, b) : a - b);
    const keys = new Map(rows.map((i) => [i, key(i)]));
    return rows.sort((i, j) => {
      const a = keys.get(i), b = keys.get(j);
      if ((a ?? "") === "" || (b ?? "") === "") return ((a ?? "") === "") - ((b ?? "") === "") || i - j;
      return (down ? one(b, a) : one(a, b)) || (column.then ? (down ? -1 : 1) * (column.then(i) - column.then(j)) : 0) || i - j;
    });
  };

  const refresh = async () => {
    const rows = [];
    const active = filters.filter((f) => state[f.key]);
    for (let i = 0; i < data.length; i++) {
      if ((!found || found.has(i)) && active.every((f) => f.test(state[f.key], i))) rows.push(i);
    }
    const sorted = await order(rows);
    const current = detail.current >= 0 ? detail.current : undefined;
    list.show(sorted, current, state.sort.replace(/^-/, ""), state.sort.startsWith("-"));
    count.textContent = rows.length === data.length
      ? `${rows.length.toLocaleString("en")} case${rows.length === 1 ? "" : "s"}` : `${rows.length.toLocaleString("en")} of ${data.length.toLocaleString("en")}`;
    clear.hidden = !state.find && !active.length;
    document.body.dataset.ready = "true";
  };

  const words = (text) => Array.from(text.toLowerCase().matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g), (m) => [m[1] === "-", m[2] ?? m[3]]).filter((w) => w[1]);
  const search = async () => {
    const mine = ++turn;
    const wanted = words(state.find);
    if (!wanted.length) { found = null; return; }
    document.body.dataset.ready = "false";
    const test = (text) => wanted.every(([not, word]) => text.includes(word) !== not);
    const result = await data.search(test, (n) => { if (mine === turn) count.textContent = `searching ${Math.round(100 * n / data.length)}%`; }, () => mine !== turn);
    if (result) found = result;
  };

  // address writes state into the address, recall reads it.
  const names = () => ["view", "case", "find", "sort", ...filters.map((f) => f.key)];
  const address = () => {
    const p = new URLSearchParams();
    for (const name of names()) {
      const usual = { view: state.case ? "cases" : "overview", sort: "verdict" }[name] || "";
      if (state[name] && state[name] !== usual) p.set(name, state[name]);
    }
    const hash = p.toString().replaceAll("+", "%20");
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  };
  const recall = () => {
    const p = new URLSearchParams(location.hash.slice(1));
    for (const name of names()) state[name] = p.get(name) || "";
    for (const f of filters) {
      f.select.value = state[f.key];
      if (f.select.value !== state[f.key]) state[f.key] = f.select.value = ""; // a value that is not there
    }
    find.value = state.find;
    state.sort ||= "verdict";
    if (state.view !== "cases") state.view = [...p.keys()].some((k) => k !== "view") ? "cases" : "overview";
  };

  const show = () => {
    const cases = state.view === "cases";
    document.body.dataset.view = state.view;
    byId("tab-overview").setAttribute("aria-pressed", String(!cases));
    byId("tab-cases").setAttribute("aria-pressed", String(cases));
  };
  const view = (name) => { state.view = name; if (name === "overview") close(); show(); address(); if (name === "cases") { list.choose(list.chosen); byId("list").focus({ preventScroll: true }); } };
  const update = async () => {
    const mine = turn + 1;
    await search();
    if (mine !== turn) return;
    await refresh();
    address();
  };

  const reading = (on) => {
    byId("split").classList.toggle("open", on);
    document.body.classList.toggle("reading", on);
  };
  const open = async (at) => {
    if (at < 0 || at >= list.length) return;
    const i = list.at(at);
    state.case = data.name(i);
    const shown = detail.show(i, at, list.length);
    reading(true);
    await shown;
    list.choose(at);
    address();
  };
  const close = () => {
    state.case = "";
    detail.hide();
    reading(false);
    list.choose(list.chosen);
    if (!find.contains(document.activeElement)) byId("list").focus({ preventScroll: true }); // what closed it may be hidden now
    address();
  };
  const step = (by) => {
    const at = Math.min(list.length - 1, Math.max(0, list.chosen + by));
    if (detail.current >= 0) open(at);
    else list.choose(at);
  };
  const copy = async () => {
    if (!state.case) return;
    const link = location.href.split("#")[0] + "#case=" + encodeURIComponent(state.case);
    try {
      await navigator.clipboard.writeText(link);
      count.textContent = "link copied";
    } catch {
      location.hash = "case=" + encodeURIComponent(state.case);
      count.textContent = "the link is in the address bar";
    }
  };
  // goTo opens the case that the address names, in or out of the filter.
  const goTo = async () => {
    if (!state.case) return;
    let i = -1;
    for (let j = 0; j < data.length && i < 0; j++) if (data.name(j) === state.case) i = j;
    if (i < 0) {
      count.textContent = "no case " + state.case;
      return;
    }
    const at = list.all().indexOf(i);
    if (at >= 0) return open(at);
    reading(true);
    await detail.show(i, -1, list.length);
  };

  const keys = {
    j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
    g: () => step(-list.length), G: () => step(list.length),
    Enter: () => (detail.current >= 0 ? close() : open(Math.max(0, list.chosen))),
    Escape: () => close(), c: () => copy(), o: () => view("overview"),
    "/": () => { find.focus(); find.select(); }, "?": () => help.showModal(),
  };
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
    if (e.target === find) {
      if (e.key === "Enter" || e.key === "Escape") { byId("list").focus(); e.preventDefault(); }
      return;
    }
    if (e.target.closest("select, input, textarea") || e.key === "Enter" && e.target.closest("button, a")) return;
    if (keys[e.key] === undefined) return;
    if (state.view !== "cases") {
      if (!["/", "?", "j", "k"].includes(e.key)) return;
      if (e.key !== "?") view("cases");
    }
    e.preventDefault();
    keys[e.key]();
  });

  let pause;
  find.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => { state.find = find.value; update(); }, 120);
  });
  clear.addEventListener("click", () => {
    for (const f of filters) state[f.key] = f.select.value = "";
    state.find = find.value = "";
    update();
  });
  byId("help-open").addEventListener("click", () => help.showModal());
  byId("help-close").addEventListener("click", () => help.close());
  byId("tab-overview").addEventListener("click", () => view("overview"));
  byId("tab-cases").addEventListener("click", () => view("cases"));
  const follow = async () => {
    recall();
    show();
    await search();
    await refresh();
    if (state.case) await goTo();
    else if (detail.current >= 0) close();
  };
  window.addEventListener("hashchange", follow);

  // On paper: the chosen cases in full, as many as are still a document.
  const MOST_PRINTED = 300;
  window.addEventListener("beforeprint", () => {
    const paper = element("section", "paper");
    const rows = list.all().slice(0, MOST_PRINTED);
    for (const i of rows) {
      const row = data.row(i);
      const box = element("article");
      box.append(element("h2", "", `${data.name(i)} ${index.verdicts.values[index.verdicts.of[i]]} ${score(index.scores[i])}`));
      if (row) box.append(...caseBody(row, box, index.against?.name));
      paper.append(box);
    }
    if (rows.length < list.length) paper.append(element("p", "note", `${(list.length - rows.length).toLocaleString("en")} more cases are not printed.`));
    document.body.append(paper);
  });
  window.addEventListener("afterprint", () => document.querySelectorAll(".paper").forEach((p) => p.remove()));

  byId("tab-count").textContent = data.length.toLocaleString("en");
  byId("tabs").hidden = byId("controls").hidden = byId("split").hidden = false;
  message.hidden = true;
  await follow();
};
start().catch((err) => { byId("message").hidden = false; byId("message").textContent = "The cases cannot be shown: " + err.message; });
