// What every page of an arena does: times of the reader, signing out, and parts that follow what happens.
// A part is drawn by the server alone: when something has happened, the page is asked for again, and its parts that differ are replaced.
const SLOW = 3000;

/** Show moments in the reader's own time. */
function localTimes(within) {
  const form = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const time of within.querySelectorAll("time")) {
    put(time, form.format(new Date(time.dateTime)));
    time.title = time.dateTime;
  }
}

const fresh = new Latest(async () => {
  await new Promise((go) => setTimeout(go, Math.random() * SLOW)); // not all readers at the same moment
  const answer = await fetch(location.pathname + location.search);
  if (!answer.ok) return;
  const anew = new DOMParser().parseFromString(await answer.text(), "text/html");
  localTimes(anew);
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = anew.getElementById(part.id);
    if (!other || part.isEqualNode(other) || part.contains(document.activeElement) || part.querySelector("details[open]")) continue;
    part.replaceWith(document.adoptNode(other));
  }
  root.dataset.state = anew.documentElement.dataset.state;
  waitFor(anew);
});

/** Ask again for a page that the server is still making, or a part of it. */
function waitFor(page) {
  if (!page.querySelector("[data-pending]")) return;
  if (root.dataset.page === "match") setTimeout(() => location.reload(), SLOW);
  else fresh.want();
}

/** A match that has ended, at the top of the list. */
function ended({ season, id, map, names, started }) {
  const list = $("latest");
  if (!list || (facts.season ?? season) !== season || list.querySelector(`[data-season="${CSS.escape(season)}"][data-match="${CSS.escape(id)}"]`)) return;
  const link = el("a", { href: `/matches/${encodeURIComponent(season)}/${encodeURIComponent(id)}` });
  const shown = names.map((name) => (name.startsWith("~") ? name.slice(name.indexOf("/") + 1) : name)); // as `front._players`
  shown.forEach((name, at) => link.append(at ? " – " : "", el("bdi", {}, name)));
  list.prepend(el("li", { "data-match": id, "data-season": season }, link, el("span", { class: "soft" }, map, " · ", el("time", { datetime: started }))));
  localTimes(list);
  while (list.children.length > (facts.latest ?? 12)) list.lastElementChild.remove();
}

const want = () => fresh.want();
const followers = {
  front: { standings: want, match: ended, version: want },
  bot: { standings: want, version: want },
  version: { version: ({ id }) => id === facts.id && want() },
  account: { version: want },
  class: { standings: want, version: want },
};
const kinds = followers[root.dataset.page];
if (kinds) follow(kinds, want);

$("sign-out")?.addEventListener("click", async () => {
  await ask("sign-out", {});
  location.assign("/");
});
localTimes(document);
waitFor(document);
