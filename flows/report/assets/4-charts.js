/* Drawing: Vega-Lite specifications from the page, filled with what the reader chose. */
const LEFT = 46, FEW = 16;
const themes = {
  light: { ink: "#1c2127", soft: "#565e69", line: "#d9d6cd", card: "#ffffff", equal: "#c9c5ba", series: data.colours.light },
  dark: { ink: "#e8eaed", soft: "#a9b2bd", line: "#353d47", card: "#1a2027", equal: "#58616c", series: data.colours.dark },
};
const theme = () => themes[document.documentElement.dataset.theme] || themes.light;

function config() {
  const { soft, line, ink } = theme();
  const font = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, DejaVu Sans, sans-serif";
  return {
    background: "transparent", font, view: { stroke: null },
    axis: { labelColor: soft, titleColor: soft, gridColor: line, domainColor: soft, tickColor: soft, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" },
    legend: { labelColor: ink, titleColor: soft, labelFontSize: 12 },
  };
}

async function draw(element, spec, datasets) {
  const full = { ...spec, datasets: { ...(spec.datasets || {}), ...datasets }, config: config() };
  return vegaEmbed(element, full, { ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: { disableDefaultStyle: true } });
}

const day = (text) => Date.parse(text + "T00:00:00Z");

function shownPeriods() {
  const axis = data.axes[state.span];
  return axis.keys.map((key, period) => ({ key, period, start: day(axis.starts[period]), end: day(axis.starts[period + 1]), covered: axis.covered[period] }))
    .filter(({ key }) => key >= state.from && key <= state.to);
}

function countRows(periods) {
  const rows = [];
  state.chosen.forEach((country, slot) => {
    for (const { key, period, start, end, covered } of periods) {
      if (!covered) continue;
      const cell = cellOf(state.span, period, country);
      const { lo, hi, text } = bounds(cell, state.interval);
      rows.push({
        mid: (start + end) / 2, key, slot, number: country, code: data.countries[country].code, country: data.countries[country].name,
        colour: theme().series[slot], shape: data.shapes[slot], period: key, mean: cell.mean, lo, hi, interval: text, best: cell.map,
      });
    }
  });
  return rows;
}

function compareRows(periods) {
  const [a, b] = state.chosen;
  const { series, equal } = theme();
  const rows = [];
  for (const { key, period, start, end, covered } of periods) {
    if (!covered) {
      rows.push({ start, end, y0: 0, y1: 0, p: 0 });
      continue;
    }
    const found = compare(state.span, period, a, b);
    const parts = [[found.above, series[0], data.countries[a].name + " has more"], [found.equal, equal, "equal"], [found.below, series[1], data.countries[b].name + " has more"]];
    let base = 0;
    for (const [p, colour, outcome] of parts) {
      if (p > 0) rows.push({ start, end, y0: base, y1: base + p, p, colour, outcome, period: key });
      base += p;
    }
  }
  return rows;
}

function stripTitle() {
  const [first, second] = state.chosen.map((country) => data.countries[country].name);
  const parts = ["Probability of more: " + first + " (from below),", second + " (from above), equal (grey)"];
  return innerWidth < 640 ? parts : parts.join(" ");
}

const leaves = (panel) => (panel.layer ? panel.layer.flatMap(leaves) : [panel]);

function sized(spec, periods, width) {
  const copy = structuredClone(spec);
  const format = { month: "%b %Y", quarter: "%YQ%q", year: "%Y" }[state.span];
  const utc = (time) => { const at = new Date(time); return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate(), utc: true }; };
  const values = periods.filter(({ covered }) => covered).map(({ start, end }) => utc((start + end) / 2));
  copy.vconcat.forEach((panel, number) => {
    panel.width = width;
    if (number === 0) panel.height = innerWidth < 640 ? 230 : 320;
    for (const layer of leaves(panel)) {
      const x = layer.encoding.x;
      if (x.field === "start") panel.title = { text: stripTitle(), anchor: "start", fontSize: 12, fontWeight: 600, color: theme().ink, offset: 6 };
      if (x.field === "start") layer.mark = { ...layer.mark, stroke: theme().card, strokeWidth: periods.length > 60 ? 0.5 : 2 };
      if (values.length <= FEW) {
        x.axis.values = values.length * 70 > width ? values.filter((_, i) => i % Math.ceil((values.length * 70) / width) === 0) : values;
        x.axis.format = format;
      }
    }
  });
  return copy;
}

let drawing = Promise.resolve();
function drawCounts() {
  drawing = drawing.then(drawCountsNow);
  return drawing;
}

async function drawCountsNow() {
  const periods = shownPeriods();
  const holder = $("chart");
  if (!state.chosen.length || !periods.some((period) => period.covered)) {
    fill(holder, make("p", { class: "note" }, state.chosen.length ? "The archive has no articles in this time." : "Choose a country."));
    return;
  }
  const compared = state.chosen.length === 2;
  const name = "counts" + (compared ? "-compare" : "") + (periods.length > FEW ? "-zoom" : "");
  const spec = sized(specs[name], periods, Math.max(180, holder.clientWidth - LEFT));
  const extent = [{ mid: periods[0].start }, { mid: periods[periods.length - 1].end }];
  const datasets = { counts: countRows(periods), extent };
  if (compared) datasets.compare = compareRows(periods);
  const { view } = await draw(holder, spec, datasets);
  view.addEventListener("click", (event, item) => {
    if (item && item.datum && item.datum.code) openDrawer(state.span, item.datum.key, item.datum.number);
  });
}
