/* The page: what the reader can choose, and the sections below the chart. */
const CHIPS = innerWidth < 640 ? 8 : 14, MOST = 4;
const initial = data.start.map((code) => data.countries.findIndex((country) => country.code === code)).filter((place) => place >= 0);
const state = { span: "quarter", interval: "normal", chosen: initial, from: "", to: "9" };

function setTheme(name) {
  document.documentElement.dataset.theme = name;
}

function choose(country) {
  const at = state.chosen.indexOf(country);
  if (at >= 0) state.chosen.splice(at, 1);
  else {
    if (state.chosen.length >= MOST) state.chosen.shift();
    state.chosen.push(country);
  }
  refresh();
}

function chips() {
  const listed = data.countries.map((_, number) => number).filter((number) => !isPair(data.countries[number])).slice(0, CHIPS);
  const all = [...listed, ...state.chosen.filter((country) => !listed.includes(country))];
  fill($("chips"), ...all.map((country) => {
    const slot = state.chosen.indexOf(country);
    const chip = make("button", { type: "button", class: "chip", "aria-pressed": slot >= 0, "data-code": data.countries[country].code, onclick: () => { choose(country); focusChip(country); } }, data.countries[country].name);
    if (slot >= 0) chip.style.borderColor = theme().series[slot];
    return chip;
  }));
  const rest = data.countries.map((country, number) => [country, number]).filter(([, number]) => !all.includes(number));
  fill($("more"), make("option", { value: "" }, rest.length ? "choose…" : "none"),
    ...rest.sort((a, b) => a[0].name.localeCompare(b[0].name)).map(([country, number]) => make("option", { value: number }, country.name)));
  $("more").disabled = !rest.length;
}

function focusChip(country) {
  const chip = document.querySelector('.chip[data-code="' + data.countries[country].code + '"]');
  if (chip) chip.focus();
}

function segment(holder, choices, field) {
  for (const [value, label] of choices) {
    holder.append(make("button", { type: "button", "data-value": value, onclick: () => { state[field] = value; if (field === "span") resetRange(); refresh(); } }, label));
  }
}

function resetRange() {
  const keys = data.axes[state.span].keys;
  state.from = keys[0] || "";
  state.to = keys[keys.length - 1] || "";
  for (const end of ["from", "to"]) {
    fill($(end), ...keys.map((key) => make("option", { value: key }, key)));
    $(end).value = state[end];
  }
}

function legend() {
  fill($("legend"), ...state.chosen.map((country, slot) => make("li", {}, swatch(slot), data.countries[country].name)),
    state.chosen.length ? make("li", { class: "soft" }, "dotted: 1-best") : null);
  $("axis-title").textContent = (data.unit === "documents" ? "Articles" : "Entities") + " per " + SPAN_WORD[state.span] + ": expected count and 95 % band";
  $("hint").textContent = "Click a point, or a figure in the table, for the articles behind it." +
    (shownPeriods().length > FEW ? " Drag over the small chart to zoom." : "");
}

function comparison() {
  if (state.chosen.length !== 2) {
    fill($("comparison"), make("p", { class: "soft" }, "Choose two countries to compare them reading by reading."));
    return;
  }
  const [a, b] = state.chosen;
  const [first, second] = [data.countries[a].name, data.countries[b].name];
  const covered = shownPeriods().filter((period) => period.covered);
  const found = covered.map(({ period }) => compare(state.span, period, a, b));
  const sure = (pick) => found.filter((one) => one[pick] >= 0.95).length;
  const best = covered.filter(({ period }) => cellOf(state.span, period, a).map !== cellOf(state.span, period, b).map).length;
  const ahead = sure("above"), behind = sure("below"), same = sure("equal");
  const open = covered.length - ahead - behind - same;
  const word = SPAN_WORD[state.span] + (covered.length === 1 ? "" : "s");
  fill($("comparison"), make("p", {}, "Of " + covered.length + " " + word + ", " +
    first + " is ahead with 95 % probability in " + ahead + ", " + second + " in " + behind + ", both are equal in " + same + ", and " + open + " cannot be told; 1-best counts would name a leader in " + best + "."),
    make("p", {}, overall(a, b)));
}

function figures() {
  const periods = shownPeriods();
  const head = ["period", ...state.chosen.flatMap((country) => [data.countries[country].name, "95 %", "1-best"])];
  const compared = state.chosen.length === 2;
  if (compared) head.push("P(first > second)", "P(equal)");
  const rows = periods.map(({ key, period, covered }) => {
    if (!covered) return [key, ...head.slice(1).map(() => "–")];
    const cells = state.chosen.flatMap((country) => {
      const cell = cellOf(state.span, period, country);
      const open = make("button", { type: "button", "aria-label": data.countries[country].name + ", " + key + ": " + cell.mean.toFixed(2) + ", show articles", onclick: () => openDrawer(state.span, key, country) }, cell.mean.toFixed(2));
      return [cell.mean > 0 || cell.map > 0 ? open : "0", bounds(cell, state.interval).text, String(cell.map)];
    });
    const found = compared ? compare(state.span, period, ...state.chosen) : null;
    return [key, ...cells, ...(found ? [share(found.above), share(found.equal)] : [])];
  });
  fill($("table"), table(head, rows));
}

const FIRST = 10;
function uncertain() {
  const rows = data.rows.filter((row) => ($("only").checked ? state.chosen.includes(row[1]) : !isPair(data.countries[row[1]])));
  const list = byUncertainty(rows).filter((row) => row[2] > 0.02 && row[2] < 0.98).slice(0, 50);
  const show = (some) => some.map((row) => entry(row, true));
  fill($("uncertain-list"), ...(list.length ? show(list.slice(0, FIRST)) : [make("li", {}, rows.length ? "None: every article is almost certain." : "None.")]));
  $("uncertain-more").hidden = list.length <= FIRST;
  $("uncertain-more").onclick = () => { $("uncertain-list").append(...show(list.slice(FIRST))); $("uncertain-more").hidden = true; };
}

const COLUMNS = [["name", "country", 1], ["mean", "expected", -1], ["relative", "relative", -1], ["best", "1-best", -1]];
let order = ["relative", -1];
function ranking() {
  const rows = data.countries.filter((country) => country.mean >= 0.1 && !isPair(country)).map((country) => ({ ...country, relative: country.mean > 0 ? country.sd / country.mean : 0 }));
  const [field, direction] = order;
  rows.sort((a, b) => direction * (field === "name" ? a.name.localeCompare(b.name) : a[field] - b[field]) || b.mean - a.mean);
  const top = Math.max(...rows.map((country) => country.hi), 1);
  const head = COLUMNS.map(([name, label, way]) => make("th", { scope: "col", "aria-sort": name === field ? (direction > 0 ? "ascending" : "descending") : "none" },
    make("button", { type: "button", onclick: () => { order = [name, name === field ? -direction : way]; ranking(); } }, label)));
  head.splice(2, 0, make("th", { scope: "col" }, "95 %"), make("th", { scope: "col", class: "left wide" }, "interval"));
  const doubt = data.doubt && data.doubt.countries;
  if (doubt) head.push(make("th", { scope: "col" }, "doubt"));
  const percent = (part) => Math.max(0, Math.round(100 * part));
  const parts = (code) => (doubt ? [make("td", {}, doubt[code] ? doubt[code].map(percent).join(" / ") : "")] : []);
  const body = rows.map((country) => make("tr", {}, make("td", {}, country.name), make("td", {}, country.mean.toFixed(2)), make("td", {}, country.lo + " to " + country.hi),
    make("td", { class: "left wide" }, bar(country, top)), make("td", {}, Math.round(100 * country.relative) + " %"), make("td", {}, String(country.best)), ...parts(country.code)));
  $("doubt-note").hidden = !doubt;
  fill($("ranking-table"), make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)));
}

function bar(country, top) {
  const range = make("i"), dot = make("b");
  range.style.left = (100 * country.lo) / top + "%";
  range.style.width = (100 * (country.hi - country.lo)) / top + "%";
  dot.style.left = (100 * country.mean) / top + "%";
  return make("span", { class: "span-bar", "aria-hidden": "true" }, range, dot);
}

function refresh() {
  chips();
  for (const [id, field] of [["spans", "span"], ["intervals", "interval"]]) {
    for (const button of $(id).querySelectorAll("button")) button.setAttribute("aria-pressed", button.dataset.value === state[field]);
  }
  legend();
  comparison();
  figures();
  dyads();
  if ($("only").checked) uncertain();
  return drawCounts();
}
