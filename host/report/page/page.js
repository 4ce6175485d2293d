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
  find.addEventListener("input", filter);
  verdict.addEventListener("change", filter);
  order.addEventListener("change", sort);
  controls.hidden = false;
  filter();
})();
