// What all pages of a site share: the facts that a page begins with, what happens, forms, errors, the theme.
const root = document.documentElement;
const facts = JSON.parse($("facts").textContent);

const LOST = "The connection to the server is lost, so this page may be out of date. If the server is running, load the page again.";

/** Say why something failed. Without words, hide it. */
function say(text = "") {
  const note = document.querySelector("#wrong, #failed");
  note.hidden = !text;
  put(note, text);
}

/** Do something while its control waits, and say why it failed. */
async function attempt(task, control = {}) {
  say();
  control.disabled = true;
  try { await task(); } catch (failed) { say(failed.message); }
  control.disabled = false;
}

/** When a form is sent, do a task with what it holds, by the names of its controls. What is empty is left out. */
function onSend(id, task) {
  $(id)?.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target, entries = [...new FormData(form)].filter(([, value]) => value !== "");
    const typed = entries.map(([name, value]) => [name, form.elements[name].type === "number" ? Number(value) : value]);
    attempt(() => task(Object.fromEntries(typed), form), event.submitter ?? undefined);
  });
}

/** The choices of a menu: each is a value with its words, or a value alone. */
function options(choices) {
  return choices.map((choice) => [choice].flat()).map(([value, words = value]) => el("option", { value }, words));
}

/** A path with names of others in it, as addresses have it. */
const pathOf = (path) => path.split("/").map(encodeURIComponent).join("/");

/** Follow what happens, by kind. After a gap, `again` asks for everything anew. While the server is gone, the page says so.
    facts.last: the last event before the page was made. */
function follow(kinds, again) {
  const stream = new EventSource("/api/v1/events" + (facts.last ? `?last=${facts.last}` : "")), lost = el("p", { id: "lost", role: "status" });
  let errors = 0; // since it was open: one is no loss, because the server ends old streams, unless the browser gives up (2 is CLOSED)
  document.body.append(lost);
  stream.onopen = () => {
    errors = 0;
    put(lost, "");
  };
  stream.onerror = () => { if (errors++ || stream.readyState === 2) put(lost, LOST); };
  for (const [kind, take] of Object.entries(kinds)) stream.addEventListener(kind, (event) => take(JSON.parse(event.data)));
  stream.addEventListener("reset", again);
}

if (localStorage.theme) root.dataset.theme = localStorage.theme;
$("theme")?.addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  localStorage.theme = root.dataset.theme = dark ? "light" : "dark";
});
