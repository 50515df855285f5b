// What all pages of a site share: the facts that a page begins with, what happens, errors, the theme.
const root = document.documentElement;
const facts = JSON.parse($("facts").textContent);

/** Show why something failed, or hide it. */
function wrong(failed) {
  $("wrong").hidden = !failed;
  put($("wrong"), failed ? failed.message : "");
}

/** Follow what happens, by kind. After a gap, `again` asks for everything anew. */
function follow(kinds, again) {
  const stream = new EventSource("/api/v1/events");
  for (const [kind, take] of Object.entries(kinds)) stream.addEventListener(kind, (event) => take(JSON.parse(event.data)));
  stream.addEventListener("reset", again);
  return stream;
}

if (localStorage.theme) root.dataset.theme = localStorage.theme;
$("theme")?.addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  localStorage.theme = root.dataset.theme = dark ? "light" : "dark";
});
