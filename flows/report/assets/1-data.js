/* Reading what the page holds: counts, samples, articles. Nothing here touches the document. */
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const runs = read("data");
/* The address says which query is shown, report.html?query=attack-dyads; another choice loads the page anew. */
const asked = runs.findIndex((run) => run.name === new URLSearchParams(location.search).get("query"));
const data = runs[Math.max(0, asked)];
const specs = read("specs");
const SPAN_WORD = { month: "month", quarter: "quarter", year: "year" };

function decode(block) {
  const text = atob(block.samples);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return block.width === 1 ? bytes : new Uint16Array(bytes.buffer);
}

/* For each span: the axis, and the cell of a period and country; a missing cell is zero in every sample. */
const spans = {};
for (const span of ["month", "quarter", "year"]) {
  const block = data.series[span];
  const index = new Map();
  block.period.forEach((period, cell) => index.set(period * 1000 + block.country[cell], cell));
  spans[span] = { block, index, axis: data.axes[span], samples: null };
}

function cellOf(span, period, country) {
  const cell = spans[span].index.get(period * 1000 + country);
  const block = spans[span].block;
  if (cell === undefined) return { mean: 0, sd: 0, q025: 0, q975: 0, map: 0 };
  return { mean: block.mean[cell], sd: block.sd[cell], q025: block.q025[cell], q975: block.q975[cell], map: block.map[cell] };
}

function samplesOf(span, period, country) {
  const held = spans[span];
  if (!held.samples) held.samples = decode(held.block);
  const cell = held.index.get(period * 1000 + country);
  const n = data.series.samples;
  return cell === undefined ? null : held.samples.subarray(cell * n, (cell + 1) * n);
}

/* Shares of samples in which a's count is above, equal to, below b's. */
function compare(span, period, a, b) {
  const first = samplesOf(span, period, a);
  const second = samplesOf(span, period, b);
  const n = data.series.samples;
  let above = 0, below = 0;
  for (let s = 0; s < n; s++) {
    const difference = (first ? first[s] : 0) - (second ? second[s] : 0);
    if (difference > 0) above++;
    if (difference < 0) below++;
  }
  return { above: above / n, equal: (n - above - below) / n, below: below / n };
}

function bounds(cell, interval) {
  if (interval === "exact") return { lo: cell.q025, hi: cell.q975, text: cell.q025 + " to " + cell.q975 };
  const lo = cell.mean - 1.96 * cell.sd, hi = cell.mean + 1.96 * cell.sd;
  return { lo: Math.max(0, lo), hi, text: lo.toFixed(1) + " to " + hi.toFixed(1) };
}

function periodOfDate(day, span) {
  if (span === "month") return day.slice(0, 7);
  if (span === "year") return day.slice(0, 4);
  return day.slice(0, 4) + "Q" + Math.ceil(Number(day.slice(5, 7)) / 3);
}

/* Rows of articles: [article, country, p, 1-best]. */
function articlesBehind(span, key, country) {
  return data.rows.filter((row) => row[1] === country && periodOfDate(data.articles[row[0]][1], span) === key)
    .sort((a, b) => b[2] - a[2]);
}

const byUncertainty = (rows) => [...rows].sort((a, b) => Math.abs(a[2] - 0.5) - Math.abs(b[2] - 0.5));
const number = (value) => Math.round(value).toLocaleString("en");
const share = (value) => (value > 0.994 && value < 1 ? ">0.99" : value > 0 && value < 0.006 ? "<0.01" : value.toFixed(2));
