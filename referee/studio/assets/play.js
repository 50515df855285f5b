// The first page: a form for a match, the bots of the folder, and the matches.
const STATES = { queued: "waits", playing: "is played", failed: "failed" };

const game = () => facts.games[$("game").value];

/** The words that can sit in a seat of this game, in groups. */
function players() {
  const name = $("game").value, { human, house } = game();
  const others = [human && ["human", "you, in this browser"], house && ["house", "the house"]].filter(Boolean);
  const groups = [["Here", here(name)], ["Sample bots", facts.samples[name]], ["Others", others]];
  return groups.filter(([, words]) => words.length).map(([label, words]) => el("optgroup", { label }, options(words)));
}

function seatOf(word) {
  const select = el("select", {}, players());
  if ([...select.options].some((option) => option.value === word)) select.value = word;
  const remove = el("button", { type: "button", title: "Remove this seat" }, "×");
  remove.addEventListener("click", () => {
    remove.parentElement.remove();
    number();
  });
  return el("div", { class: "row" }, select, remove);
}

/** Number the seats, and say what can still be added or removed. */
function number() {
  const rows = [...$("seats").children], { house, least, most } = game();
  rows.forEach(({ firstChild: select, lastChild: remove }, seat) => {
    select.dataset.seat = seat;
    select.ariaLabel = `Seat ${seat + 1}`;
    remove.ariaLabel = `Remove seat ${seat + 1}`;
    remove.disabled = rows.length <= Math.max(1, house ? 1 : least);
  });
  $("more").disabled = rows.length >= most;
}

function setUp() {
  const { maps, map, usual, most, suffix } = game();
  if (suffix) $("language").value = suffix; // whoever plays a game draws for it
  $("map").replaceChildren(...options(maps));
  $("map").value = map;
  $("map").disabled = $("map").parentElement.hidden = maps.length < 2; // what is disabled is not sent
  $("seats").replaceChildren(...usual.slice(0, most).map(seatOf));
  number();
}

function showBots(listed) {
  facts.bots = listed.bots;
  $("bots").tBodies[0].replaceChildren(...facts.bots.map(({ word, name, games, edit, error }) => {
    const check = el("button", { type: "button", "data-check": word, "aria-label": `Check ${name}` }, "Check");
    check.addEventListener("click", () => location.assign(`/check/${pathOf(word.slice(2))}`));
    const plays = error ?? games?.map((each) => facts.games[each]?.title ?? each).join(", ") ?? "any game";
    const link = edit && el("a", { href: `/edit/${pathOf(edit)}`, "aria-label": `Edit ${name}` }, "edit");
    return el("tr", { "data-bot": name },
      el("td", {}, el("bdi", {}, name)), el("td", {}, plays), el("td", { class: "row" }, check, link));
  }));
}

function showMatches({ matches }) {
  $("matches").tBodies[0].replaceChildren(...matches.map(({ id, state, url, players, created, error, reason, ...match }) => {
    const names = players.map((player, seat) => [seat > 0 && ", ", el("bdi", {}, player)]);
    const when = new Date(created).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    return el("tr", { "data-match": id, "data-state": state },
      el("td", {}, el("a", { href: url }, names.flat())), el("td", {}, facts.games[match.game]?.title ?? match.game),
      el("td", {}, when), el("td", {}, error ?? STATES[state] ?? reason ?? "has no end"));
  }));
}

const again = async () => showMatches((await ask("matches")).value);

$("game").addEventListener("change", setUp);
$("more").addEventListener("click", () => {
  const { usual } = game();
  $("seats").append(seatOf(usual[$("seats").children.length % usual.length]));
  number();
});
onSend("play", async (match) => {
  const seats = [...$("seats").querySelectorAll("select")].map((select) => select.value);
  location.assign((await ask("matches", { ...match, seats })).value.url);
});
onSend("draw", ({ name, suffix }) => location.assign(`/edit/${encodeURIComponent(name.trim() + suffix)}`));

showBots(facts);
showMatches(facts);
$("game").value = facts.main;
$("language").append(...options(Object.values(facts.games).filter(({ suffix }) => suffix).map(({ suffix, title }) => [suffix, title])));
setUp();
follow({ match: again }, again);
addEventListener("focus", async () => showBots((await ask("bots")).value)); // files change while their author is in an editor
