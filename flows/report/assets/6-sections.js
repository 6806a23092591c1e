/* Calibration, provenance, and the start. */
function calibrationPanels() {
  const holder = $("calibration-body");
  if (!data.calibrations.length) {
    fill(holder, make("p", { class: "note" }, "This warehouse holds no calibration, so the page cannot show how far its probabilities can be trusted. Make one with ",
      make("code", {}, "credence calibrate DATA --out " + data.warehouse), " on text with annotated coreference, then write the report again."));
    return;
  }
  const latest = data.calibrations.find((one) => one.id === data.calibration_used) || data.calibrations[data.calibrations.length - 1];
  const panels = make("div", { class: "panels" });
  const parts = [make("p", {}, "A model is calibrated if what it calls 30 % likely happens 30 % of the time: then the points lie on the dashed line. Each point is a bin of predictions; its bar is the 95 % interval of the observed frequency.")];
  if (!data.calibration_used) parts.push(make("p", { class: "note" }, "The run did not apply a calibration of this warehouse; shown is the latest one."));
  fill(holder, ...parts, panels, metricsTable(latest));
  for (const [title, bins, figures] of reliabilityGroups(latest)) addPanel(panels, title, figures, "reliability", { bins });
  for (const [title, coverage] of groups(latest.coverage)) addPanel(panels, "Coverage: " + title, "Share of 95 % intervals (and others) that held the truth", "coverage", { coverage });
  const history = calibrationHistory();
  if (history.length > 1) addPanel(panels, "Calibration over time", "Calibration error of each calibration in this warehouse", "history", { history });
}

function groups(rows) {
  const found = new Map();
  for (const row of rows) {
    const title = [row.query, row.dataset, row.split, row.stage || row.variant || ""].filter(Boolean).join(" · ");
    found.set(title, [...(found.get(title) || []), row]);
  }
  return [...found];
}

function reliabilityGroups(one) {
  return groups(one.bins).slice(0, 9).map(([title, bins]) => {
    const total = bins.reduce((sum, bin) => sum + bin.size, 0);
    return [title, bins, bins.length + " bins, " + number(total) + " predictions"];
  });
}

function addPanel(holder, title, note, spec, datasets) {
  const chart = make("div", { class: "chart", role: "group", "aria-label": title });
  holder.append(make("div", { class: "panel" }, make("h3", {}, title), make("p", { class: "soft" }, note), chart));
  const width = Math.min(280, Math.max(180, innerWidth - 130));
  draw(chart, { ...specs[spec], width, height: spec === "history" ? 200 : width }, datasets);
}

function calibrationHistory() {
  const rows = [];
  data.calibrations.forEach((one, order) => {
    const found = one.metrics.find((row) => /calib.*err|calibration_error|^ce$/i.test(row.metric) && row.lo !== null);
    if (found) rows.push({ label: (one.created || one.id).slice(0, 10), order, value: found.value, lo: found.lo, hi: found.hi });
  });
  return rows;
}

function metricsTable(one) {
  const rows = one.metrics.slice(0, 120).map((row) => [row.query, row.dataset, row.split, row.stage || row.variant || "", row.metric, row.value.toPrecision(3),
    row.lo === null || row.lo === undefined ? "" : row.lo.toPrecision(3) + " to " + row.hi.toPrecision(3), number(row.n)]);
  return make("details", {}, make("summary", {}, "All figures of calibration " + one.id),
    make("div", { class: "scroll" }, table(["about", "corpus", "split", "", "metric", "value", "95 %", "predictions"], rows)));
}

function provenance() {
  fill($("facts"), ...data.facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  $("query").textContent = data.query;
  const failed = data.quarantine;
  $("quarantine").hidden = !failed.rows.length;
  fill($("quarantine-table"), table(["article", "stage", "error"], failed.rows),
    failed.total > failed.rows.length ? make("p", { class: "soft" }, "and " + number(failed.total - failed.rows.length) + " more in quarantine.parquet") : null);
  if (data.left_out.length) {
    fill($("left-out"), make("h3", {}, "What this page leaves out"), make("ul", {}, ...data.left_out.map((sentence) => make("li", {}, sentence))));
  }
}

function start() {
  const wanted = matchMedia("(prefers-color-scheme: dark)");
  setTheme(wanted.matches ? "dark" : "light");
  wanted.addEventListener("change", () => { setTheme(wanted.matches ? "dark" : "light"); redraw(); });
  $("theme").addEventListener("click", () => { setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"); redraw(); });
  $("lead").textContent = data.lead;
  fill($("tiles"), ...data.tiles.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, number(value)))));
  const offered = ["month", "quarter", "year"].filter((span) => span === "quarter" || data.axes[span].keys.length > 1);
  segment($("spans"), offered.map((span) => [span, span[0].toUpperCase() + span.slice(1)]), "span");
  segment($("intervals"), [["normal", "mean ± 1.96 sd"], ["exact", "exact"]], "interval");
  $("more").addEventListener("change", () => { if ($("more").value !== "") choose(Number($("more").value)); });
  for (const end of ["from", "to"]) $(end).addEventListener("change", () => { state[end] = $(end).value; refresh(); });
  $("only").addEventListener("change", uncertain);
  $("close").addEventListener("click", () => $("drawer").close());
  $("drawer").addEventListener("click", (event) => { if (event.target === $("drawer")) $("drawer").close(); });
  resetRange();
  uncertain();
  ranking();
  calibrationPanels();
  provenance();
  let waiting = 0, width = innerWidth;
  addEventListener("resize", () => { clearTimeout(waiting); if (innerWidth !== width) waiting = setTimeout(() => { width = innerWidth; redraw(); }, 150); });
  return refresh();
}

function redraw() {
  calibrationPanels();
  return refresh();
}

start().then(() => { document.documentElement.dataset.ready = "true"; });
