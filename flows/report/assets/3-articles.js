/* One article: its sentences with mentions marked, and the reasons of its probability. */
function marked(sentences, marks) {
  const text = make("p", { class: "text" });
  sentences.forEach((sentence, number) => {
    if (!sentence) {
      text.append(make("span", { class: "gap" }, number ? " […] " : "[…] "));
      return;
    }
    sentence.forEach(([words, inside], position) => {
      const next = position + 1 < sentence.length ? sentence[position + 1][1] : [];
      text.append(stretch(words, inside, marks));
      for (const mark of [...inside].reverse()) if (!next.includes(mark)) text.append(...tags(marks[mark]));
    });
    text.append(" ");
  });
  return text;
}

function stretch(words, inside, marks) {
  if (!inside.length) return document.createTextNode(words);
  const kinds = new Set(["m"]);
  for (const mark of inside) {
    const [, mention, agent, country] = marks[mark];
    if (mention < 0) kinds.add("verb");
    if (agent) kinds.add("agent");
    if (country) kinds.add("named");
  }
  return make("span", { class: [...kinds].join(" ") }, words);
}

function tags([, mention, agent, country]) {
  if (mention < 0) return [];
  const found = [];
  if (agent) found.push(make("span", { class: "tag a" }, data.role));
  if (country) found.push(make("span", { class: "tag" }, country));
  return found;
}

const counted = (part) => make("span", { class: "num" }, share(part));

function reasons(why) {
  const list = make("ul", { class: "why" });
  why.chains.forEach(([part, sentence]) => list.append(make("li", {}, counted(part), " counts: ", sentence)));
  if (why.more > 0) list.append(make("li", {}, counted(why.more), " counts by other chains"));
  why.failures.forEach(([part, sentence]) => list.append(make("li", {}, counted(part), " does not count: ", sentence)));
  const decisions = why.decisions.map(([question, , options]) => make("li", {}, question + " ",
    options.map(([what, p, event]) => what + " " + share(p) + (event === null ? "" : " (then the event has " + share(event) + ")")).join("; ")));
  decisions.push(...why.doubts.map((sentence) => make("li", {}, sentence)));
  const parts = [list];
  if (decisions.length) parts.push(make("p", { class: "soft" }, "What it depends on:"), make("ul", { class: "why" }, ...decisions));
  return parts;
}

/* An id may hold anything; what a reader pastes into a shell must not. */
const quoted = (word) => (/^[\w@%+=:,.\/][\w@%+=:,.\/-]*$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'");

function articleBody(article, country) {
  const [id] = data.articles[article];
  const held = data.texts[article];
  const command = make("p", { class: "soft" }, "The whole text with every mention: ", make("code", {}, "credence explain " + quoted(data.warehouse) + " " + quoted(id)));
  if (!held) return make("div", { class: "article" }, make("p", {}, "This page has only the most relevant texts; this one is not among them."), command);
  const first = held.why.filter((why) => why.country === country);
  const others = held.why.filter((why) => why.country !== country);
  const body = make("div", { class: "article" }, marked(held.sentences, held.marks));
  for (const why of [...first, ...others]) {
    body.append(make("h3", {}, "Why " + nameOf(why.country) + "?"), ...reasons(why));
  }
  body.append(command);
  return body;
}

/* An entry of a list: opened, it shows the article; built only then. */
function entry(row, showCountry) {
  const [article, country, p, best] = row;
  const [id, day, title] = data.articles[article];
  const code = data.countries[country].code;
  const meta = day + " · " + id + (showCountry ? " · " + nameOf(code) : "") + (best ? " · 1-best: counts" : " · 1-best: does not count");
  const details = make("details", {}, make("summary", {}, probability(p), make("span", { class: "title" }, title || id), make("span", { class: "meta" }, meta)));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(articleBody(article, code));
  });
  return make("li", {}, details);
}

const nameOf = (code) => (data.countries.find((country) => country.code === code) || { name: data.names[code] || code }).name;

const PAGE = 40;
function openDrawer(span, key, country) {
  const cell = cellOf(span, data.axes[span].keys.indexOf(key), country);
  const rows = articlesBehind(span, key, country);
  $("drawer-h").textContent = data.countries[country].name + ", " + key;
  $("drawer-sub").textContent = "Expected " + cell.mean.toFixed(2) + " (95 %: " + bounds(cell, state.interval).text + "); 1-best " + cell.map +
    ". " + (rows.length === 1 ? "One article" : rows.length + " articles") + " behind it, the most probable first; open one to see why.";
  let shown = 0;
  const more = () => {
    $("drawer-list").append(...rows.slice(shown, shown + PAGE).map((row) => entry(row, false)));
    shown += PAGE;
    $("drawer-more").hidden = shown >= rows.length;
  };
  fill($("drawer-list"));
  more();
  $("drawer-more").onclick = more;
  $("drawer").showModal();
  $("drawer").scrollTop = 0;
  $("drawer-h").focus();
}
