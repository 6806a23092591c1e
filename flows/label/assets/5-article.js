/* The article, the codebook, and how far the work is. */
function drawQuestion() {
  const { question, counts, does_not: doesNot, doubt, own } = data.codebook;
  $("query").textContent = "· " + data.query;
  $("question").textContent = question;
  for (const [place, lines] of [["counts", counts], ["does-not", doesNot], ["doubt", doubt]]) fill($(place), ...lines.map((line) => make("li", {}, line)));
  fill($("own"), ...own.map((paragraph) => make("p", {}, paragraph)));
  document.querySelector(".rules").hidden = own.length > 0;
}

const stretch = ([text, kind]) => (kind ? make("span", { class: "m " + kind }, text) : document.createTextNode(text));

const clock = { shown: 0, spent: 0 };
const readSeconds = () => (clock.spent + (clock.shown ? performance.now() - clock.shown : 0)) / 1000;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) { clock.spent = readSeconds() * 1000; clock.shown = 0; } else clock.shown = performance.now();
});

function drawArticle(article) {
  $("meta").textContent = article.published + " · " + article.id;
  fill($("headline"), ...(article.title.length ? article.title : [["(no headline)", "", ""]]).map(stretch));
  fill($("text"), ...article.paragraphs.map((parts) => make("p", { dir: "auto" }, ...parts.map(stretch))));
  clock.shown = document.hidden ? 0 : performance.now();
  clock.spent = 0;
}

function drawDisputed(answers) {
  $("disputed").hidden = answers.length === 0;
  fill($("disputed"), make("p", {}, "The coders disagree. Your answer settles it:"),
    make("ul", {}, ...answers.map(([coder, answer]) => make("li", {}, coder + ": " + answerName(answer)))));
}

function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "less than a minute";
  return "about " + (minutes < 60 ? minutes + " min" : Math.floor(minutes / 60) + " h " + String(minutes % 60).padStart(2, "0") + " min");
}

const DONE = { new: "answered", second: "read a second time", settle: "settled" };

function drawProgress({ done, left, total, seconds, unsure, skipped }, agreement) {
  const parts = [done + " of " + total + " " + DONE[session.task]];
  if (seconds !== null) parts.push(Math.max(1, Math.round(seconds)) + " s an article");
  if (seconds !== null && left > 0) parts.push(duration(seconds * left) + " left");
  if (unsure) parts.push(unsure + " unsure");
  if (skipped) parts.push(skipped + " skipped");
  if (session.task !== "new" && agreement.n_units) parts.push(agreementText(agreement));
  $("progress").textContent = parts.join(" · ");
  $("bar").setAttribute("aria-valuemax", total);
  $("bar").setAttribute("aria-valuenow", done);
  $("bar").firstElementChild.style.width = (total ? (100 * done) / total : 0) + "%";
}

function agreementText({ n_units: n, share, alpha, lo, hi }) {
  const same = "coders agree on " + Math.round(100 * share) + " % of " + n;
  const [a, b, c] = [alpha, lo, hi].map((value) => (value === null ? "" : value.toFixed(2).replace("-", "−")));
  return alpha === null ? same : same + ", Krippendorff’s α " + a + " (" + b + " to " + c + ")";
}
