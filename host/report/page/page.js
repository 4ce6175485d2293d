(() => {
  const rows = document.getElementById("rows");
  const controls = document.getElementById("controls");
  if (!rows || !controls) return;
  const find = document.getElementById("find");
  const verdict = document.getElementById("verdict");
  const order = document.getElementById("order");
  const count = document.getElementById("count");
  const all = Array.from(rows.children, (row) => ({
    row,
    text: row.textContent.toLowerCase(),
    id: row.dataset.id,
    verdict: row.dataset.verdict,
    rank: Number(row.dataset.rank),
    score: row.dataset.score === "" ? -1 : Number(row.dataset.score),
  }));
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of all) {
      const keep = (!verdict.value || item.verdict === verdict.value) && words.every((w) => item.text.includes(w));
      item.row.hidden = !keep;
      if (keep) shown++;
    }
    count.textContent = shown + " of " + all.length + " shown";
  };
  const sort = () => {
    const by = {
      worst: (a, b) => a.rank - b.rank || a.score - b.score,
      best: (a, b) => b.rank - a.rank || b.score - a.score,
      id: (a, b) => a.id.localeCompare(b.id, undefined, { numeric: true }),
    }[order.value];
    rows.append(...all.sort(by).map((item) => item.row));
  };
  // What is looked for stands in the address, so that a view can be sent on:
  // report.html#verdict=fail&find=refund
  const fields = { find, verdict, order };
  const remember = () => {
    const state = new URLSearchParams();
    for (const [name, field] of Object.entries(fields)) {
      if (field.value && !(field === order && field.selectedIndex === 0)) state.set(name, field.value.toLowerCase());
    }
    history.replaceState(null, "", "#" + state);
  };
  const recall = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const [name, field] of Object.entries(fields)) {
      const value = state.get(name);
      if (value === null) continue;
      const option = Array.from(field.options || []).find((o) => o.value.toLowerCase() === value.toLowerCase());
      if (!field.options) field.value = value;
      else if (option) field.value = option.value;
    }
  };
  find.addEventListener("input", () => { filter(); remember(); });
  verdict.addEventListener("change", () => { filter(); remember(); });
  order.addEventListener("change", () => { sort(); remember(); });
  recall();
  controls.hidden = false;
  sort();
  filter();
})();
