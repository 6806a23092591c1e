/* The order of things: who labels, an article, an answer, the next one. */
let current = null;

function say(text) { $("said").textContent = text; }

function show(turn, before = []) {
  data.disputed = turn.disputed;
  drawProgress(turn.progress, turn.agreement);
  const first = current === null;  // the rules stay in view until somebody scrolls or answers
  current = turn.article;
  $("work").hidden = !current;
  $("end").hidden = Boolean(current);
  if (!current) return showEnd(turn);
  drawArticle(current);
  drawDisputed(turn.answers);
  const said = turn.answers.flatMap(([, answer]) => answer.split(";")).flatMap((code) => code.split(">")).filter((code) => byCode.has(code) && code !== NO_CODE);
  startAnswer([...new Set([...current.named, ...said])], before);
  $("article").focus({ preventScroll: true });
  const top = $("article").getBoundingClientRect().top;
  if (!first && (top < 0 || top > innerHeight / 2)) $("article").scrollIntoView({ block: "start" });
  else if (first) scrollTo(0, 0);
}

function showEnd(turn) {
  const { done, total } = turn.progress;
  const ends = {
    new: ["All articles are answered", done + " of " + total + " articles have an answer. Stop the server in its terminal, then run credence anchor."],
    second: ["Nothing left to read a second time", "You have read every article that others have labelled and nobody has settled."],
    settle: ["Nothing to settle", "Coders do not disagree on any article, or every disagreement is settled."],
  };
  [$("end-title").textContent, $("end-text").textContent] = ends[session.task];
  if (turn.agreement.n_units) $("end-text").textContent += " So far, " + agreementText(turn.agreement) + ".";
  const tasks = { new: "Label new articles", second: "Read a second time", settle: "Settle disagreements (" + turn.disputed + ")" };
  fill($("end-tasks"), ...Object.keys(tasks).filter((task) => task !== session.task)
    .map((task) => make("button", { type: "button", class: "quiet", onclick: () => begin(session.coder, task) }, tasks[task])),
  make("button", { type: "button", class: "quiet", onclick: undo }, "Undo the last answer ", key("z")));
  $("end").focus();
}

function begin(coder, task) {
  say("");
  [session.coder, session.task] = [coder, task];
  remember(sessionStorage, "coder", coder);
  remember(sessionStorage, "task", task);
  remember(localStorage, "coder", coder);
  $("who").textContent = coder + { new: "", second: " · second reading", settle: " · settling" }[task];
  once(async () => show(await ask("turn")), () => begin(coder, task));
}

function submit({ kind = "label", answer = "", reason = "" }) {
  if (!current) return;
  const body = { doc_id: current.id, kind, answer, reason, seconds: Math.round(readSeconds() * 10) / 10 };
  once(async () => {
    const turn = await ask("answer", body);
    const saved = "Saved: " + (kind === "skip" ? "skipped" : answerName(answer)) + ".";
    if (!remembered(localStorage, "codebook")) $("codebook").open = false;  // read once; c brings it back
    show(turn);
    say(turn.before === null ? saved : saved + " You had answered this article “" + answerName(turn.before) + "” before; both are in the log, and this one counts.");
  }, () => submit({ kind, answer, reason }));
}

function save() { if (chosen.size) submit({ answer: [...chosen].sort().join(";") }); }

function undo() {
  once(async () => {
    const turn = await ask("undo");
    if (!turn.undone) { say("There is nothing to undo."); return; }
    const { kind, answer } = turn.undone;
    show(turn, kind === "skip" || answer === "none" || answer === "unsure" ? [] : answer.split(";"));
    say("Taken back: " + (kind === "skip" ? "skipped" : answerName(answer)) + ".");
  }, undo);
}

const COMMANDS = {
  a: openSearch, n: () => submit({ answer: "none" }), u: () => submit({ answer: "unsure" }), s: () => { if (session.task !== "settle") openSkip(); },
  z: undo, c: () => $("codebook").querySelector("summary").click(), "?": openKeys, Escape: () => startAnswer(offered),
};

function onKey(event) {
  if (document.querySelector("dialog[open]") || event.altKey || event.metaKey || event.repeat) return;
  if (event.ctrlKey && event.key !== "z") return;
  const element = event.target;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (name === "Enter") {
    if (!current || (element.matches("button, summary, a, input") && !element.closest("#choices"))) return;
    if (element.matches(".more")) return;
    if (chosen.size) { event.preventDefault(); save(); }
    return;
  }
  if (element.matches("input") || (!current && !["z", "c", "?"].includes(name))) return;
  const position = KEYS.indexOf(name);
  const command = COMMANDS[name] || (name === "0" && byCode.has(NO_CODE) && mayBe(NO_CODE) ? () => press(NO_CODE) : null) || (position >= 0 && position < offered.length && mayBe(offered[position]) ? () => press(offered[position]) : null);
  if (command) { event.preventDefault(); command(); }
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  remember(localStorage, "theme", name);
}

function start() {
  setTheme(remembered(localStorage, "theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  drawQuestion();
  $("codebook").open = remembered(localStorage, "codebook") !== "closed";
  $("codebook").querySelector("summary").addEventListener("click", () => remember(localStorage, "codebook", $("codebook").open ? "closed" : "open"));
  $("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  $("who").addEventListener("click", openStart);
  $("keys").addEventListener("click", openKeys);
  for (const [id, command] of [["none", COMMANDS.n], ["unsure", COMMANDS.u], ["skip", openSkip], ["undo", undo], ["save", save]]) $(id).addEventListener("click", command);
  document.addEventListener("keydown", onKey);
  if (session.coder) begin(session.coder, session.task);
  else { $("who").textContent = "Who labels?"; openStart(); }
  document.documentElement.dataset.ready = "true";
}
start();
