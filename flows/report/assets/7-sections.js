/* Calibration, provenance, and the start. */
const QUESTIONS = {
  pairs: "Are two mentions the same entity?", antecedents: "Is this mention the antecedent?", new: "Is it a new entity?",
  events: "Does the event hold?", entities: "How many entities?", chains: "How many entities with several mentions?",
};
const CHOICES = [["mode", "Measured on"], ["genre", "Genre"], ["slice", "Which predictions"]];
const PREFERRED = { mode: ["raw_text", "gold_trees"], genre: ["all"], slice: ["all"] };
const picked = {}, ENOUGH = 100;

const objects = (block) => block.rows.map((row) => Object.fromEntries(block.names.map((name, place) => [name, row[place]])));
const seriesOf = (row) => (!row.recalibrated || row.recalibrated === "none" ? "as the model says" : "recalibrated (" + row.recalibrated + ")");
const looks = (slot) => ({ slot, colour: theme().series[slot % 4], shape: data.shapes[slot % 4] });
const meets = (row, fields) => fields.every((field) => row[field] === undefined || picked[field] === undefined || row[field] === picked[field]);

function calibrationPanels() {
  const holder = $("calibration-body");
  const one = data.calibration;
  if (!one) {
    fill(holder, labelled(), make("p", {}, "Nothing has been measured of these models yet. ", ...howToMeasure()));
    return;
  }
  const bins = objects(one.bins);
  const panels = make("div", { class: "panels" });
  fill(holder,
    labelled(),
    one.elsewhere ? make("div", { class: "elsewhere" }, make("p", { class: "over" }, "Measured elsewhere"), ...one.elsewhere.map((sentence) => make("p", {}, sentence))) : null,
    one.plain.length ? make("div", { class: "scroll wrapped" }, table(["question", one.elsewhere ? "measured elsewhere" : "measured", "perfect probabilities would show"], one.plain)) : null,
    make("p", {}, "A model is calibrated if what it calls 30 % likely happens 30 % of the time: then the points lie on the dashed line. Each point is a bin of predictions; its bar is the 95 % interval of the observed frequency."),
    one.used || one.elsewhere ? null : make("p", { class: "soft" }, "The run did not apply a recalibration from this warehouse. This is the latest calibration, " + one.id + "."),
    one.elsewhere ? make("p", {}, ...howToMeasure()) : null,
    calibrationChoices(bins), panels, metricsTable(one));
  const few = [];
  for (const [query, rows] of groupBy(bins.filter((row) => meets(row, ["mode", "genre", "slice"])), (row) => row.query)) {
    if (!reliability(panels, query, rows)) few.push(query);
  }
  if (few.length) holder.append(make("p", { class: "soft" }, "Not drawn, with fewer than " + ENOUGH + " predictions: " + few.join(", ") + "."));
  for (const [query, rows] of groupBy(objects(one.coverage).filter((row) => meets(row, ["mode", "genre"])), (row) => row.query)) coverage(panels, query, rows);
  const names = [...new Set(one.history.map((row) => row.series))];
  const history = one.history.map((row) => ({ ...row, ...looks(names.indexOf(row.series)) }));
  if (new Set(history.map((row) => row.order)).size > 1) addPanel(panels, "Calibration over time", "Calibration error of pairs, each calibration of this warehouse", names, "history", { history });
}

/* What people found in this archive itself comes before anything that was measured on other text. */
function labelled() {
  if (!data.anchored) return null;
  return make("div", {}, make("p", {}, make("strong", {}, "In this archive, people checked: "), data.anchored.lead, " ",
    make("a", { href: "#anchored" }, "By country and quarter.")));
}

function howToMeasure() {
  return ["To know about this archive, let people read a sample: ", make("code", {}, "credence sample " + data.warehouse),
    ". To measure the models on annotated text of your own: ", make("code", {}, "credence calibrate DATA --out " + data.warehouse), "."];
}

function groupBy(rows, key) {
  const found = new Map();
  for (const row of rows) found.set(key(row), [...(found.get(key(row)) || []), row]);
  return found;
}

function calibrationChoices(bins) {
  const row = make("div", { class: "row choices" });
  for (const [field, label] of CHOICES) {
    const values = [...new Set(bins.map((bin) => bin[field]).filter((value) => value !== undefined))];
    if (!values.length) continue;
    if (!values.includes(picked[field])) picked[field] = PREFERRED[field].find((value) => values.includes(value)) || values[0];
    if (values.length === 1) continue;
    const select = make("select", { "data-field": field }, ...values.map((value) => make("option", { value }, value.replaceAll("_", " "))));
    select.value = picked[field];
    select.addEventListener("change", () => { picked[field] = select.value; calibrationPanels(); $("calibration-body").querySelector("[data-field=" + field + "]").focus(); });
    row.append(make("label", { class: "pick" }, label + " ", select));
  }
  return row;
}

function reliability(panels, query, rows) {
  const size = rows[0].bin_size;
  const kept = rows.filter((row) => row.bin_size === size);
  const names = [...new Set(kept.map(seriesOf))];
  const bins = kept.map((row) => ({ ...row, ...looks(names.indexOf(seriesOf(row))) }));
  const total = bins.filter((row) => row.slot === 0).reduce((sum, row) => sum + row.size, 0);
  if (total < ENOUGH) return false;
  addPanel(panels, QUESTIONS[query] || query, number(total) + " predictions; " + rows[0].dataset + ", " + rows[0].split, names, "reliability", { bins });
  return true;
}

function coverage(panels, query, rows) {
  const recalibrated = rows.filter((row) => row.recalibrated && row.recalibrated !== "none");
  const shown = recalibrated.length ? recalibrated : rows;
  const named = (row) => [row.level, row.interval, row.slice === "all" ? "" : row.slice].filter(Boolean).join(", ");
  const names = [...new Set(shown.map(named))].slice(0, 4);
  const points = shown.filter((row) => names.includes(named(row)))
    .map((row) => ({ lo: row.covered, hi: row.covered, ...row, kind: named(row), ...looks(names.indexOf(named(row))) }));
  addPanel(panels, "Do intervals hold the truth? " + (QUESTIONS[query] || query), recalibrated.length ? "recalibrated" : "as the model says", names, "coverage", { coverage: points });
}

function addPanel(holder, title, note, names, spec, datasets) {
  const chart = make("div", { class: "chart", role: "group", "aria-label": title });
  const legend = make("ul", { class: "legend" }, ...names.map((name, slot) => make("li", {}, swatch(slot), name)));
  holder.append(make("div", { class: "panel" }, make("h3", {}, title), make("p", { class: "soft" }, note), legend, chart));
  const width = Math.min(280, Math.max(180, innerWidth - 130));
  draw(chart, { ...specs[spec], width, height: spec === "history" ? 200 : width }, datasets);
}

function metricsTable(one) {
  const rows = objects(one.metrics).filter((row) => meets(row, ["mode", "genre"])).slice(0, 200).map((row) => [QUESTIONS[row.query] || row.query, row.slice || "", seriesOf(row), row.metric.replaceAll("_", " "), row.value.toPrecision(3),
    row.lo === null || row.lo === undefined ? "" : row.lo.toPrecision(3) + " to " + row.hi.toPrecision(3), number(row.n)]);
  return make("details", {}, make("summary", {}, "The figures of calibration " + one.id),
    make("div", { class: "scroll" }, table(["about", "which", "", "metric", "value", "95 %", "predictions"], rows)));
}

function anchored() {
  const checked = data.anchored;
  if (!checked) {
    fill($("anchored-body"), make("p", { class: "note" }, "Nobody has read a sample for this run yet, so its intervals cover doubt about who is meant and nothing else that the models get wrong. Read one with ",
      make("code", {}, "credence sample " + data.warehouse), ", then ", make("code", {}, "credence label " + data.warehouse), " and ", make("code", {}, "credence anchor " + data.warehouse), "."));
    return;
  }
  const head = ["count of", "models alone", "their interval", "with people", "95 % interval", "articles read", "beware"];
  fill($("anchored-body"), make("p", {}, make("strong", {}, checked.lead)), make("p", {}, checked.promise),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "anchored-h" }, table(head, checked.rows)),
    checked.notes.length ? make("ul", { class: "soft" }, ...checked.notes.map((note) => make("li", {}, note))) : null);
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

function heading() {
  $("heading").textContent = "Query “" + data.name + "”: how many, and how sure?";
  document.title = data.name + ": posterior counts";
  const words = { unit: data.unit === "documents" ? "articles" : "entities", samples: number(data.n_samples) };
  for (const place of document.querySelectorAll("[data-fill]")) place.textContent = words[place.dataset.fill];
  $("choice").hidden = runs.length < 2;
  fill($("question"), ...runs.map((run) => make("option", { value: run.name }, run.name)));
  $("question").value = data.name;
  $("question").addEventListener("change", () => { location.search = "?query=" + encodeURIComponent($("question").value); });
}

function start() {
  heading();
  const wanted = matchMedia("(prefers-color-scheme: dark)");
  setTheme(wanted.matches ? "dark" : "light");
  wanted.addEventListener("change", () => { setTheme(wanted.matches ? "dark" : "light"); redraw(); });
  $("theme").addEventListener("click", () => { setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"); redraw(); });
  $("lead").textContent = data.lead;
  $("notice").textContent = data.notice;
  $("notice").hidden = !data.notice;
  fill($("tiles"), ...data.tiles.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, number(value)))));
  const offered = ["month", "quarter", "year"].filter((span) => span === "quarter" || data.axes[span].keys.length > 1);
  segment($("spans"), offered.map((span) => [span, span[0].toUpperCase() + span.slice(1)]), "span");
  segment($("intervals"), [["normal", "mean ± 1.96 sd"], ["exact", "exact"]], "interval");
  $("more").addEventListener("change", () => { if ($("more").value !== "") choose(Number($("more").value)); });
  for (const end of ["from", "to"]) $(end).addEventListener("change", () => { state[end] = $(end).value; refresh(); });
  $("only").addEventListener("change", uncertain);
  $("both-ways").addEventListener("click", () => bothWays($("who").value, $("whom").value));
  $("close").addEventListener("click", () => $("drawer").close());
  $("drawer").addEventListener("click", (event) => { if (event.target === $("drawer")) $("drawer").close(); });
  resetRange();
  uncertain();
  ranking();
  anchored();
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
