/* Dialogs: who labels, another country, why an article is skipped, which keys there are. */
const REASONS = ["The text is cut off or garbled", "It is not in a language I read", "I should not judge this one"];

for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", () => button.closest("dialog").close());

function openStart() {
  fill($("coders"), ...data.coders.map((name) => make("option", { value: name })));
  $("coder").value = session.coder || remembered(localStorage, "coder");
  document.querySelector(`[name=task][value=${session.task}]`).checked = true;
  $("start-dialog").showModal();
  $("coder").focus();
}

$("start-dialog").addEventListener("cancel", (event) => { if (!session.coder) event.preventDefault(); });
$("start-dialog").querySelector("form").addEventListener("submit", () => {
  begin($("coder").value.trim(), document.querySelector("[name=task]:checked").value);
});

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const searchable = data.choices.map(([code, name, words]) => ({ code, name, all: [code, name, ...words].map(plain) }));
let found = [];
let active = 0;

/* The whole code first, then words that begin so, then words that contain it. */
function rank(choice, wanted) {
  if (choice.all[0] === wanted || choice.all[1] === wanted) return 0;
  if (choice.all[1].startsWith(wanted)) return 1;
  if (choice.all.some((word) => word.startsWith(wanted))) return 2;
  return choice.all.some((word) => word.includes(wanted)) ? 3 : 4;
}

function search() {
  const wanted = plain($("search").value.trim());
  found = !wanted ? [] : searchable.filter((choice) => mayBe(choice.code) && choice.code !== NO_CODE).map((choice) => [rank(choice, wanted), choice]).filter(([place]) => place < 4)
    .sort((a, b) => a[0] - b[0]).slice(0, 8).map(([, choice]) => choice);
  active = 0;
  drawResults(wanted);
}

function drawResults(wanted) {
  const items = found.map((choice, position) => make("li", { role: "option", id: "result-" + position, "aria-selected": String(position === active), onclick: () => take(choice) },
    make("span", {}, choice.name), make("span", {}, choice.code)));
  if (wanted && !found.length) items.push(make("li", { class: "empty", role: "option", "aria-disabled": "true" }, "Nothing in the lexicon; if it matters, answer unsure"));
  fill($("results"), ...items);
  $("search").setAttribute("aria-activedescendant", found.length ? "result-" + active : "");
}

function openSearch() {
  $("search-title").textContent = "Another " + THING;
  $("search").value = "";
  search();
  $("search-dialog").showModal();
  $("search").focus();
}

function take(choice) {
  $("search-dialog").close();
  if (data.dyads || !chosen.has(choice.code)) press(choice.code);
  $("article").focus({ preventScroll: true });
}

$("search").addEventListener("input", search);
$("search").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && found.length) {
    active = (active + step + found.length) % found.length;
    drawResults(plain($("search").value.trim()));
    event.preventDefault();
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (found.length) take(found[active]);
  }
});

function openSkip() {
  fill($("reasons"), ...REASONS.map((reason, position) => make("button", { type: "button", class: "option", onclick: () => skipWith(reason) }, reason, key(position + 1))));
  $("reason").value = "";
  $("skip-dialog").showModal();
  $("reasons").firstChild.focus();
}

function skipWith(reason) {
  $("skip-dialog").close();
  submit({ kind: "skip", reason });
}

$("skip-dialog").querySelector("form").addEventListener("submit", (event) => {
  const reason = $("reason").value.trim();
  if (reason) submit({ kind: "skip", reason });
  else { event.preventDefault(); $("reason").focus(); }
});
$("skip-dialog").addEventListener("keydown", (event) => {
  const reason = event.target === $("reason") ? undefined : REASONS[Number(event.key) - 1];
  if (reason) { event.preventDefault(); skipWith(reason); }
});

function openKeys() {
  const rows = [["1 to 9, letters", "the " + (THING === "country" ? "countries" : "actors") + " named in the article, on or off"], ["a", "another " + THING + ", by search"],
    ["Enter", "save what is chosen, next article"], ["n", "none, next article"], ["u", "unsure, next article"], ["s", "skip, with a reason"],
    ["z", "undo: back to your last answer"], ["0", "somebody without a code"], ["c", "what counts, open or closed"], ["Esc", "choose nothing"], ["?", "this list"]];
  fill($("key-list"), ...rows.filter(([name]) => name !== "0" || byCode.has(NO_CODE)).flatMap(([name, what]) => [make("dt", {}, make("kbd", {}, name)), make("dd", {}, what)]));
  $("keys-dialog").showModal();
}
