/* Talking to the server, which has an answer on its disk before it confirms it. */
const BASE = location.pathname.replace(/\/?$/, "/");
const LOST = "The labelling server does not answer. Nothing that was shown as saved is lost: start `credence label` again and open the address that it prints.";

const session = {
  tab: remembered(sessionStorage, "tab") || crypto.randomUUID(),
  coder: remembered(sessionStorage, "coder") || data.coder,
  task: remembered(sessionStorage, "task") || "new",
};
remember(sessionStorage, "tab", session.tab);

async function ask(name, body = {}) {
  let response;
  try {
    response = await fetch(BASE + name, {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ coder: session.coder, task: session.task, tab: session.tab, ...body }),
    });
  } catch {
    throw new Error(LOST);
  }
  const content = await response.json().catch(() => ({ error: LOST }));
  if (!response.ok) throw new Error(content.error || LOST);
  return content;
}

/* One request at a time: a second press of a key while the first is being saved does nothing. */
let busy = false;
async function once(work, retry) {
  if (busy) return;
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    await work();
    $("alert").hidden = true;
  } catch (error) {
    $("alert").querySelector("p").textContent = error.message;
    $("again").onclick = retry;
    $("alert").hidden = false;
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
  }
}
