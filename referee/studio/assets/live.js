// A match that is not over: the board as it changes, and the keys of the people who play.
const { match } = facts, path = `matches/${match.id}`, board = new Board(null);
const ARROWS = { up: "↑", down: "↓", left: "←", right: "→" };
let now = null, opened = null;

function show(moment) {
  if (!moment || now && moment.step < now.step) return;
  if (now?.step !== moment.step || JSON.stringify(now.turn) !== JSON.stringify(moment.turn)) opened = null;
  now = moment;
  draw(moment.board);
  put($("now"), [moment.title, `step ${moment.step}`, moment.over && `over: ${moment.over}`].filter(Boolean).join("  "));
  const row = (tag, cells, attributes = {}) => el("tr", attributes, cells.map((cell) => el(tag, {}, cell)));
  $("seats").tHead.replaceChildren(row("th", ["", "name", "points", ...moment.figures]));
  $("seats").tBodies[0].replaceChildren(...moment.seats.map(({ seat, name, points, figures, disqualified, due }) => {
    const marker = el("span", { class: "seat" }, seat + 1);
    [marker.style.background, , marker.style.color] = moment.board.colours[seat];
    const cells = [marker, el("bdi", {}, name), points, ...figures, disqualified];
    return row("td", cells, { "data-seat": seat, "aria-current": due });
  }));
  $("events").replaceChildren(...moment.events.slice(-40).reverse().map((text) => el("li", {}, text)));
  choices();
}

/** A moment by itself, as the board takes it (referee/export/document.py, `snapshot`). */
function draw(doc) {
  const { width } = $("frame").getBoundingClientRect();
  board.film = { ...doc, doc, cell: (index) => doc.cells.slice(2 * index, 2 * index + 2) };
  if (!board.fits || board.room !== width) {
    board.room = width;
    board.fit(devicePixelRatio, width - 12, Math.max(320, innerHeight - 150));
  }
  board.painter.doc = doc;
  board.painter.looks.clear();
  board.draw(now.turn?.seat ?? null);
}

/** What the person who is asked can do, as buttons that have its keys. */
function choices() {
  const { turn } = now, waits = now.over ? "The match is over" : "The others are to move";
  $("turn").hidden = !match.people;
  root.dataset.turn = turn ? turn.seat : "";
  put($("asked"), turn ? `${now.seats[turn.seat].name}: ${opened ? opened.words : "your turn"}` : waits);
  $("choices").replaceChildren(...offered().map((choice) => {
    const keys = choice.keys.map((key) => [el("kbd", {}, ARROWS[key] ?? key), " "]);
    const button = el("button", { type: "button", "data-answer": choice.answer ?? "" }, keys.flat(), choice.words);
    button.addEventListener("click", () => take(choice));
    return el("li", {}, button);
  }));
}

/** The choices now: those of the turn, or the further ones of a choice that was made. */
const offered = () => now?.turn ? opened?.then ?? now.turn.choices : [];

function choose(choice) {
  opened = choice;
  choices();
}

function take(choice) {
  if (choice.then.length) return choose(choice);
  const { turn: { seat }, step } = now;
  now = { ...now, turn: null };
  choose(null);
  return attempt(() => ask(`${path}/answers`, { seat, step, answer: choice.answer }));
}

$("leave").addEventListener("click", () => attempt(() => ask(`${path}/leave`, {})));

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const pressed = event.key.startsWith("Arrow") ? event.key.slice(5).toLowerCase() : event.key;
  if (match.people && pressed in ARROWS) event.preventDefault(); // also while others are to move
  if (event.key === "Escape" && opened) return choose(null);
  const choice = offered().find(({ keys }) => keys.includes(pressed));
  if (!choice) return;
  event.preventDefault();
  take(choice);
});

addEventListener("resize", () => now && draw(now.board));

function look() {
  return attempt(async () => {
    const { value } = await ask(path);
    state(value);
    if (value.state === "playing") show((await ask(`${path}/live`)).value);
  });
}

function state({ id, state: words, error }) {
  if (id !== match.id) return;
  root.dataset.state = words;
  if (words === "done") location.reload(); // the page of the match is now at this address
  if (words === "failed") {
    $("leave").hidden = true;
    if (!now) [$("stage"), ...$("side").children].forEach((part) => { part.hidden = true; }); // there is nothing to see
    say(error);
  }
  if (words === "queued") put($("now"), "The match waits until others are over.");
  if (words === "playing" && !now) put($("now"), "The players are started …");
}

follow({ match: state, step: (moment) => moment.id === match.id && show(moment) }, look);
look();
