// The first page: a form for a match, the bots of the folder, and the matches.
let bots = facts.bots, matches = facts.matches;
const form = $("play");

function game() { return facts.games[$("game").value]; }

/** The words that can sit in a seat of this game, in groups. */
function players() {
  const { human, house } = game(), here = bots.filter((bot) => !bot.error && (!bot.games || bot.games.includes($("game").value)));
  const ours = facts.samples[$("game").value];
  return [
    ["Here", here.map((bot) => [bot.word, bot.name])],
    ["Sample bots", ours.map((name) => [name, name])],
    ["Others", [...human ? [["human", "you, in this browser"]] : [], ...house ? [["house", "the house"]] : []]],
  ].filter(([, words]) => words.length);
}

function seatOf(word) {
  const groups = players().map(([label, words]) => {
    return el("optgroup", { label }, ...words.map(([value, text]) => el("option", { value }, text)));
  });
  const select = el("select", { "aria-label": "Player" }, ...groups);
  if ([...select.options].some((option) => option.value === word)) select.value = word;
  const remove = el("button", { type: "button", title: "Remove this seat", "aria-label": "Remove this seat" }, "×");
  remove.addEventListener("click", () => { remove.parentElement.remove(); number(); });
  return el("div", { class: "row" }, select, remove);
}

/** Number the seats, and say what can still be added or removed. */
function number() {
  const rows = [...$("seats").children];
  rows.forEach((row, seat) => { row.firstChild.dataset.seat = seat; row.lastChild.disabled = rows.length <= Math.max(1, game().house ? 1 : game().least); });
  $("more").disabled = rows.length >= game().most;
}

function setUp(map = game().map, words = game().usual.slice(0, game().most)) {
  $("map").replaceChildren(...game().maps.map((name) => el("option", { value: name }, name)));
  $("map").value = map ?? game().map;
  $("map").parentElement.hidden = game().maps.length < 2;
  $("seats").replaceChildren(...words.map(seatOf));
  number();
}

$("game").addEventListener("change", () => setUp());
$("more").addEventListener("click", () => {
  $("seats").append(seatOf(game().usual[$("seats").children.length % game().usual.length]));
  number();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  wrong(null);
  const whole = (id) => $(id).value === "" ? {} : { [id]: Number($(id).value) };
  const map = game().maps.length > 1 ? { map: $("map").value } : {};
  const seats = [...$("seats").querySelectorAll("select")].map((select) => select.value);
  try {
    const { value } = await ask("matches", { game: $("game").value, seats, ...map, ...whole("seed"), ...whole("rounds") });
    location.assign(value.url);
  } catch (failed) { wrong(failed); }
});

function showBots() {
  $("bots").tBodies[0].replaceChildren(...bots.map((bot) => {
    const check = el("button", { type: "button", "data-check": bot.word }, "Check");
    check.addEventListener("click", () => location.assign(`/check/${bot.word.slice(2).split("/").map(encodeURIComponent).join("/")}`));
    const edit = bot.edit ? [el("a", { href: `/edit/${bot.edit.split("/").map(encodeURIComponent).join("/")}` }, "edit")] : [];
    const plays = bot.error ?? bot.games?.map((name) => facts.games[name]?.title ?? name).join(", ") ?? "any game";
    const cells = [el("bdi", {}, bot.name), plays].map((part) => el("td", {}, part));
    return el("tr", { "data-bot": bot.name }, ...cells, el("td", { class: "row" }, check, ...edit));
  }));
}

const STATES = { queued: "waits", playing: "is played", failed: "failed" };

function showMatches() {
  $("matches").tBodies[0].replaceChildren(...matches.map((match) => {
    const names = match.players.flatMap((player, seat) => [...seat ? [", "] : [], el("bdi", {}, player)]);
    const when = match.created ? new Date(match.created).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "now";
    const about = match.error ?? STATES[match.state] ?? match.reason ?? "has no end";
    return el("tr", { "data-match": match.id, "data-state": match.state },
      el("td", {}, el("a", { href: match.url }, ...names)),
      el("td", {}, facts.games[match.game]?.title ?? match.game), el("td", {}, when), el("td", {}, about));
  }));
}

async function again() {
  matches = (await ask("matches")).value.matches;
  showMatches();
}

async function look() {
  bots = (await ask("bots")).value.bots;
  showBots();
}

/** Begin with what a match had (`?again=ID`), or with the main game. */
async function begin() {
  const id = new URLSearchParams(location.search).get("again");
  $("game").value = facts.main;
  if (id) {
    try {
      const { value } = await ask(`matches/${encodeURIComponent(id)}`);
      $("game").value = value.game;
      $("seed").value = value.seed ?? "";
      setUp(value.map, value.words ?? undefined);
      return;
    } catch (failed) { wrong(failed); }
  }
  setUp();
}

$("draw").addEventListener("submit", (event) => {
  event.preventDefault();
  location.assign(`/edit/${encodeURIComponent($("drawn").value.trim() + $("language").value)}`);
});

showBots();
showMatches();
begin();
follow({ match: again }, again);
addEventListener("focus", look); // files change while their author is in an editor
