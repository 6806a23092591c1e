/* Who against whom: a matrix over the chosen time, and a pair in both directions. Only for queries with targets. */
const DYAD = ">", MOST_ROWS = 12, DARKEST = 45;
const isPair = (country) => country.code.includes(DYAD);
const rowOf = new Map(data.countries.map((country, row) => [country.code, row]));
const endsOf = (code) => code.split(DYAD);

/* Over the chosen time: expected count, 95 % of the sampled sums, and the 1-best count of a row. */
function totalOf(row) {
  const sums = new Float64Array(data.series.samples);
  let mean = 0, best = 0;
  for (const { period, covered } of shownPeriods()) {
    if (!covered) continue;
    const cell = cellOf(state.span, period, row);
    const samples = samplesOf(state.span, period, row);
    mean += cell.mean;
    best += cell.map;
    if (samples) samples.forEach((value, s) => { sums[s] += value; });
  }
  const sorted = Float64Array.from(sums).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
  return { mean, best, sums, text: at(0.025) + " to " + at(0.975) };
}

function pairRows() {
  return data.countries.map((country, row) => ({ country, row })).filter(({ country }) => isPair(country))
    .map(({ country, row }) => ({ row, ends: endsOf(country.code), total: totalOf(row) })).filter(({ total }) => total.mean > 0);
}

/* The codes of one end, those with the most expected events first. */
function ranked(pairs, end) {
  const sums = new Map();
  for (const { ends, total } of pairs) sums.set(ends[end], (sums.get(ends[end]) || 0) + total.mean);
  const largest = [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a));
  const [coded, none] = [largest.filter((code) => code !== "-"), largest.filter((code) => code === "-")];
  return end ? [...none, ...coded] : [...coded, ...none];  // "no code" stands first, "nobody named" last
}

/* As many as fit; "-" is always among them. */
const fitting = (codes) => codes.filter((code, place) => place < MOST_ROWS || code === "-");

const endName = (code, end) => (code === "-" ? (end ? "no code" : "nobody named") : nameOf(code));

function dyads() {
  const shown = data.countries.some(isPair);
  $("dyads").hidden = $("to-dyads").hidden = !shown;
  if (!shown) return;
  const pairs = pairRows();
  const [who, whom] = [ranked(pairs, 0), ranked(pairs, 1)];
  const [rows, columns] = [fitting(who), fitting(whom)];
  const cells = new Map(pairs.map((pair) => [pair.ends.join(DYAD), pair]));
  const top = Math.max(...pairs.map(({ total }) => total.mean), 1e-9);
  $("dyads-note").textContent = "Expected " + (data.unit === "documents" ? "articles" : "entities") + ", " + state.from + " to " + state.to +
    ": who acts from the left, to whom it is done from above. An article may stand in several cells. Choose a cell to see it over time, in both directions.";
  const head = [make("th", { scope: "col" }, "who \\ to whom"), ...columns.map((code) => make("th", { scope: "col" }, endName(code, 1)))];
  const body = rows.map((agent) => make("tr", {}, make("th", { scope: "row" }, endName(agent, 0)),
    ...columns.map((target) => cellFor(cells.get(agent + DYAD + target), top))));
  fill($("matrix"), make("table", { class: "matrix" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)));
  const first = pairs.filter(({ ends }) => !ends.includes("-")).sort((a, b) => b.total.mean - a.total.mean)[0];
  for (const [id, codes, end] of [["who", who, 0], ["whom", whom, 1]]) {
    const kept = $(id).value || (first ? first.ends[end] : "");
    fill($(id), ...[...codes].sort((a, b) => endName(a, end).localeCompare(endName(b, end))).map((code) => make("option", { value: code }, endName(code, end))));
    $(id).value = codes.includes(kept) ? kept : codes[0] || "";
  }
}

function cellFor(pair, top) {
  if (!pair) return make("td", { class: "soft" }, "·");
  const { mean, best, text } = pair.total;
  const told = data.countries[pair.row].name + ": expected " + mean.toFixed(1) + ", 95 %: " + text + "; 1-best " + best;
  const cell = make("td", {}, make("button", { type: "button", title: told, "aria-label": told, onclick: () => bothWays(...pair.ends) }, share1(mean)));
  cell.style.background = "color-mix(in srgb, var(--bar) " + Math.round(DARKEST * Math.sqrt(mean / top)) + "%, transparent)";
  return cell;
}

const share1 = (mean) => (mean < 0.05 ? "<0.1" : mean < 9.95 ? mean.toFixed(1) : number(mean));

/* The chart shows a pair and its reverse, where the run has them. */
function bothWays(agent, target) {
  const rows = [agent + DYAD + target, target + DYAD + agent].map((word) => rowOf.get(word)).filter((row) => row !== undefined);
  const names = endName(agent, 0) + " and " + endName(target, 1);
  $("dyads-told").textContent = !rows.length ? "No article of this page may tell of anything between " + names + "."
    : rows.length === 1 && agent !== target ? "Only one direction may be told of between " + names + "; the chart shows it." : "";
  if (!rows.length) return;
  state.chosen = [...new Set(rows)];
  refresh();
  $("counts").scrollIntoView();
}

/* Two rows over the whole chosen time: which has more, and how sure one can be. */
function overall(a, b) {
  const [first, second] = [totalOf(a), totalOf(b)];
  const n = first.sums.length;
  const above = first.sums.reduce((count, value, s) => count + (value > second.sums[s]), 0) / n;
  const below = first.sums.reduce((count, value, s) => count + (value < second.sums[s]), 0) / n;
  const told = (row, total) => data.countries[row].name + " " + total.mean.toFixed(1) + " (95 %: " + total.text + ")";
  return "Over all of it: " + told(a, first) + ", " + told(b, second) + ". The first has more with probability " + share(above) + ", the second with " + share(below) + ".";
}
