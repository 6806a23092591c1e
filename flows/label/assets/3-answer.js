/* The answer that is being given: codes with their keys, and for dyads the one whose target is still to be said. */
const KEYS = [..."123456789qwertyiopdfghjklxvbm"];
const chosen = new Set();
let offered = [];
let pending = null;

function startAnswer(codes, before = []) {
  chosen.clear();
  pending = null;
  before.forEach((code) => chosen.add(code));
  const single = before.flatMap((code) => code.split(">")).filter((code) => byCode.has(code) && code !== NO_CODE);
  offered = [...new Set([...codes, ...single])];
  drawAnswer();
}

function press(code) {
  if (!offered.includes(code) && code !== NO_CODE) offered.push(code);
  if (!data.dyads) toggle(code);
  else if (pending === null) pending = code;
  else { toggle(pending + ">" + code); pending = null; }
  drawAnswer();
}

function toggle(code) {
  if (!chosen.delete(code)) chosen.add(code);
}

/* In a dyad, whether a code may take the place that is asked for now. */
const mayBe = (code) => !data.dyads || !byCode.has(code) || (pending === null ? byCode.get(code).agent : byCode.get(code).target);

function isPressed(code) {
  return data.dyads ? pending === code : chosen.has(code);
}

function drawAnswer() {
  const focused = document.activeElement && document.activeElement.dataset.code;
  $("prompt").textContent = pending === null ? data.codebook.prompt : nameOf(pending) + " → to whom?";
  const buttons = offered.map((code, position) => !mayBe(code) ? null : make("button", { type: "button", "data-code": code, "aria-pressed": String(isPressed(code)),
    "aria-keyshortcuts": KEYS[position] || null, onclick: () => press(code) }, make("span", {}, nameOf(code)), KEYS[position] ? key(KEYS[position]) : ""));
  if (byCode.has(NO_CODE) && mayBe(NO_CODE)) {
    buttons.push(make("button", { type: "button", "data-code": NO_CODE, "aria-pressed": String(isPressed(NO_CODE)), "aria-keyshortcuts": "0",
      onclick: () => press(NO_CODE) }, make("span", {}, nameOf(NO_CODE)), key("0")));
  }
  const more = make("button", { type: "button", class: "more", "aria-keyshortcuts": "a", "data-code": "more", onclick: openSearch }, make("span", {}, "Another " + THING + " …"), key("a"));
  $("choices").classList.toggle("many", offered.length > 6);
  fill($("choices"), ...buttons, more);
  drawPairs();
  $("save").setAttribute("aria-disabled", String(chosen.size === 0));
  fill($("save"), document.createTextNode(chosen.size ? "Save: " + [...chosen].map(nameOf).join(", ") + " " : "Choose, then save "), key("Enter"));
  $("skip").hidden = session.task === "settle";
  if (focused) [...$("choices").children].find((button) => button.dataset.code === focused)?.focus();
}

function drawPairs() {
  $("pairs").hidden = !data.dyads || chosen.size === 0;
  fill($("pairs"), ...[...chosen].map((code) => make("button", { type: "button", class: "quiet", "aria-label": "Remove " + nameOf(code),
    onclick: () => { chosen.delete(code); drawAnswer(); } }, nameOf(code) + " ×")));
}
