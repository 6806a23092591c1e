/* Building elements. Text from articles goes through textContent alone, so it can never become markup. */
const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);

function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children) element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  return element;
}

const fill = (parent, ...children) => { parent.replaceChildren(...children.filter((child) => child !== null)); return parent; };
const key = (name) => make("kbd", { "aria-hidden": "true" }, name);

const byCode = new Map(data.choices.map(([code, name, words, agent, target]) => [code, { code, name, words, agent, target }]));
const NO_CODE = "-";
const THING = data.codebook.thing;

/* "IRQ", or for dyads "IRQ>IRN", as a reader says it. */
function nameOf(code) {
  const [agent, target] = code.split(">");
  if (target !== undefined) return nameOf(agent) + " → " + nameOf(target);
  if (byCode.has(code)) return byCode.get(code).name;
  return code === "*" ? "anybody" : code;
}
const answerName = (answer) => (answer === "none" || answer === "unsure" || answer === "skip" ? answer : answer.split(";").map(nameOf).join(", "));

/* What the browser remembers between visits; a private window may refuse. */
function remembered(store, name) { try { return store.getItem("credence." + name) || ""; } catch { return ""; } }
function remember(store, name, value) { try { store.setItem("credence." + name, value); } catch { /* then it asks again */ } }
