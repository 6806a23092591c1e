/* Building elements. Text from articles goes through textContent alone, so it can never become markup. */
const $ = (id) => document.getElementById(id);

function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children) {
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

function fill(parent, ...children) {
  parent.replaceChildren(...children.filter((child) => child !== null));
  return parent;
}

function probability(p) {
  const bar = make("span", { class: "fill" });
  bar.style.width = 100 * p + "%";
  return make("span", { class: "p" }, make("span", { class: "track", "aria-hidden": "true" }, bar), share(p));
}

function swatch(slot) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  for (const [name, value] of Object.entries({ width: 34, height: 14, "aria-hidden": "true" })) picture.setAttribute(name, value);
  const line = document.createElementNS(space, "path");
  const attributes = { d: "M0 7H34", stroke: theme().series[slot], "stroke-width": 2.4, "stroke-dasharray": data.dashes[slot].join(" ") };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, value);
  const marker = document.createElementNS(space, "path");
  const shapes = ["M12 7a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", "M12.5 2.5h9v9h-9z", "M17 1.5l5.5 10h-11z", "M17 1l6 6l-6 6l-6 -6z"];
  marker.setAttribute("d", shapes[slot]);
  marker.setAttribute("fill", theme().series[slot]);
  picture.append(line, marker);
  return picture;
}

function table(head, rows) {
  return make("table", {}, make("thead", {}, make("tr", {}, ...head.map((cell) => make("th", { scope: "col" }, cell)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))))));
}
