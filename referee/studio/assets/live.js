// A match that is not over: the board as it changes, and the keys of the people who play.
const { match } = facts, ARROWS = { up: "ArrowUp", down: "ArrowDown", left: "ArrowLeft", right: "ArrowRight" };
const SIGNS = { up: "↑", down: "↓", left: "←", right: "→" };
let board = null, now = null, opened = null;

function show(moment) {
  if (!moment || now && moment.step < now.step) return;
  const same = now && now.step === moment.step && JSON.stringify(now.turn) === JSON.stringify(moment.turn);
  now = moment;
  if (!same) opened = null;
  if (moment.board) draw(moment.board);
  put($("now"), [moment.title, `step ${moment.step}`, moment.over && `over: ${moment.over}`].filter(Boolean).join("  "));
  const row = (cells, tag, attributes = {}) => el("tr", attributes, ...cells.map((cell) => el(tag, {}, cell)));
  $("seats").tHead.replaceChildren(row(["", "name", "points", ...moment.figures], "th"));
  $("seats").tBodies[0].replaceChildren(...moment.seats.map((line) => {
    const marker = el("span", { class: "seat", "data-colour": line.seat % 8 }, String(line.seat + 1));
    const cells = [marker, el("bdi", {}, line.name), String(line.points), ...line.figures, line.disqualified ?? ""];
    return row(cells, "td", { "data-seat": line.seat, "aria-current": line.due });
  }));
  $("events").replaceChildren(...moment.events.slice(-40).reverse().map((text) => el("li", {}, text)));
  choices();
}

/** A moment by itself, as the board takes it (referee/export/document.py, `still`). */
function draw(doc) {
  board ??= new Board(null);
  board.film = { doc, width: doc.width, height: doc.height, cell: (index) => [doc.cells[2 * index], doc.cells[2 * index + 1]] };
  const room = $("frame").getBoundingClientRect();
  if (!board.fits || board.room !== room.width) {
    board.room = room.width;
    board.fit(devicePixelRatio, room.width - 12, Math.max(320, innerHeight - 150));
  }
  board.painter.doc = doc;
  board.painter.looks.clear();
  board.draw(now.turn?.seat ?? null);
}

/** What the person who is asked can do, as buttons that have its keys. */
function choices() {
  const { turn } = now;
  $("turn").hidden = !match.people;
  root.dataset.turn = turn ? turn.seat : "";
  if (!turn) {
    put($("asked"), now.over ? "The match is over" : "The others are to move");
    $("choices").replaceChildren();
    return;
  }
  put($("asked"), `${now.seats[turn.seat].name}: ${opened ? opened.words : "your turn"}`);
  $("choices").replaceChildren(...(opened ? opened.then : turn.choices).map((choice) => {
    const button = el("button", { type: "button", "data-answer": choice.answer ?? "" }, ...choice.keys.flatMap((key) => [el("kbd", {}, SIGNS[key] ?? key), " "]), choice.words);
    button.addEventListener("click", () => take(choice));
    return el("li", {}, button);
  }));
}

async function take(choice) {
  if (choice.then.length) {
    opened = choice;
    return choices();
  }
  const { turn, step } = now;
  now = { ...now, turn: null };
  opened = null;
  choices();
  try {
    await ask(`matches/${match.id}/answers`, { seat: turn.seat, step, answer: choice.answer });
    wrong(null);
  } catch (failed) { wrong(failed); }
}

$("leave").addEventListener("click", async () => {
  try {
    await ask(`matches/${match.id}/leave`, {});
  } catch (failed) { wrong(failed); }
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (match.people && Object.values(ARROWS).includes(event.key)) event.preventDefault(); // also while others are to move
  if (!now?.turn) return;
  if (event.key === "Escape" && opened) {
    opened = null;
    return choices();
  }
  const choice = (opened ? opened.then : now.turn.choices).find(({ keys }) => keys.some((key) => (ARROWS[key] ?? key) === event.key));
  if (!choice) return;
  event.preventDefault();
  take(choice);
});

async function look() {
  try {
    const { value } = await ask(`matches/${match.id}`);
    state(value);
    if (value.state === "playing") show((await ask(`matches/${match.id}/live`)).value);
  } catch (failed) { wrong(failed); }
}

function state(value) {
  if (value.id !== match.id) return;
  root.dataset.state = value.state;
  if (value.state === "done") location.reload(); // the page of the match is now at this address
  if (value.state === "failed") wrong({ message: value.error });
  if (value.state === "queued") put($("now"), "The match waits until others are over.");
  if (value.state === "playing" && !now) put($("now"), "The players are started …");
}

follow({ match: state, step: (moment) => moment.id === match.id && show(moment) }, look);
look();
