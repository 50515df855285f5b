// The debugger: a saved game before a turn of this snake, what the program decides there, and why.
//
// 1. The board is that of the page of a match: the server sends the whole match once, and steps of it need no request.
// 2. Reasons come from the server, for the text as it is now and the step that is shown.
// 3. The chart that fires is laid over the board, as the server laid it. If somebody chooses another one, it is, until the next step.
const BEATS = 500; // milliseconds between two turns while it plays: what changed can still be seen

const NO_REASONS = { charts: [], recorded: null, answer: null };

class Debugger {
  /** moved: called when the step, the seat or the game changes. chosen: called with the number of a chart. */
  constructor(moved, chosen) {
    this.moved = moved;
    this.chosen = chosen;
    this.film = null;
    this.match = "";
    this.seat = this.step = 0;
    this.turns = [];
    this.reasons = NO_REASONS;
    this.choice = null;
    this.timer = 0;
    $("match").addEventListener("change", () => this.open($("match").value));
    $("seat").addEventListener("change", () => this.sit(Number($("seat").value)));
    $("step").addEventListener("change", () => this.go(Number($("step").value)));
    $("turn").addEventListener("input", () => this.go(this.turns[$("turn").value]));
    $("prev").addEventListener("click", () => this.turn(-1));
    $("next").addEventListener("click", () => this.turn(1));
    $("play").addEventListener("click", () => this.play(!this.timer));
    new ResizeObserver(() => this.fit()).observe($("frame").parentNode);
  }

  /** The saved games to choose from. */
  offer(matches) {
    const words = ({ file, players }) => `${file}: ${players.join(", ")}`;
    const options = matches.map((match) => el("option", { value: match.id }, words(match)));
    $("match").replaceChildren(el("option", { value: "" }, "no game"), ...options);
    $("match").value = this.match;
  }

  /** Open a saved game, at a step and a seat if they are known. */
  async open(match, step = 0, seat = null) {
    this.play(false);
    const { value: doc } = match ? await ask("programs/film", { match }) : { value: null };
    this.match = match;
    $("match").value = match;
    this.film = doc && new Film(doc);
    root.toggleAttribute("data-playable", Boolean(doc));
    if (!doc) return this.moved();
    this.board = new Board(this.film);
    $("seat").replaceChildren(...doc.names.map((name, at) => el("option", { value: at }, `${at + 1} ${name}`)));
    const own = doc.names.findIndex((name) => name.toLowerCase() === facts.stem.toLowerCase());
    this.fit();
    const { seat: known = Math.max(0, own) } = facts.matches.find(({ id }) => id === match) ?? {};
    this.sit(seat ?? known, step);
  }

  sit(seat, step = this.step) {
    const { doc, moves } = this.film;
    this.seat = clamp(seat, 0, doc.seats - 1);
    $("seat").value = this.seat;
    this.turns = moves[this.seat].map((move) => move.step).filter((step) => doc.rounds[step - 1] > 0);
    $("turn").max = Math.max(0, this.turns.length - 1);
    put($("steps"), `of ${doc.steps}`);
    this.go(step);
  }

  /** Show the turn at a step, or the last one before it. */
  go(step) {
    const at = Math.max(0, lastUpTo(this.turns, step || 0));
    this.step = this.turns[at] ?? 0;
    this.choice = null;
    $("turn").value = at;
    $("step").value = this.step;
    $("turn").setAttribute("aria-valuetext", `turn ${at + 1} of ${this.turns.length}, step ${this.step}`);
    $("prev").disabled = at === 0;
    $("next").disabled = at >= this.turns.length - 1;
    if (at >= this.turns.length - 1) this.play(false);
    this.film.go(Math.max(0, this.step - 1));
    this.board.draw(this.seat);
    this.moved();
  }

  turn(by) {
    if (this.film && this.turns.length) this.go(this.turns[clamp(lastUpTo(this.turns, this.step) + by, 0, this.turns.length - 1)]);
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = on && this.turns.length ? setInterval(() => this.turn(1), BEATS) : 0;
    put($("play"), this.timer ? "■" : "▶");
    set($("play"), "aria-label", this.timer ? "Stop" : "Play");
    set($("play"), "aria-pressed", Boolean(this.timer));
  }

  /** Make the board as large as its column and the window allow. */
  fit() {
    if (!this.film) return;
    const wide = $("frame").parentNode.clientWidth - 26;
    this.board.fit(devicePixelRatio, wide, Math.max(300, innerHeight * 0.42));
    const { width, height, style } = $("board");
    Object.assign($("overlay"), { width, height });
    for (const side of ["width", "height"]) $("overlay").style[side] = style[side];
    this.board.draw(this.seat);
    this.overlay();
  }

  /** Ask what a program decides here. */
  async explain(game, text) {
    const { match, step, seat } = this;
    const question = { game, text, match, step, seat, drawn: false };
    const reasons = match && step ? (await ask("programs/explain", question)).value : NO_REASONS;
    if (match === this.match && step === this.step && seat === this.seat) this.reasons = reasons;
  }

  /** The cells of a chart as they lie on the board. */
  laid(chart) { return this.reasons.charts[chart]?.cells ?? []; }

  /** Show the reasons. part: what the game calls a chart. */
  draw(doc, part) {
    const { charts, recorded, answer } = this.reasons, fires = charts.find((chart) => chart.verdict === "fires");
    const current = this.choice ?? (fires?.chart ?? 0) - 1;
    list($("reasons"), charts, () => this.reason(), (item, { chart, verdict, why, moves }, at) => {
      set(item, "data-chart", chart);
      set(item, "data-verdict", verdict);
      if (at === current) item.setAttribute("aria-current", "true"); else item.removeAttribute("aria-current");
      const [number, word, reason] = item.firstChild.children;
      put(number, String(chart));
      put(word, WORDS[verdict]);
      put(reason, moves ? `${arrows(moves)} (${why})` : why);
    });
    hide($("answer"), answer === null);
    const node = $("answer");
    node.classList.toggle("fires", Boolean(fires));
    set(node, "data-now", answer ?? "");
    set(node, "data-recorded", recorded ?? "");
    const about = fires && doc.charts[fires.chart - 1]?.description;
    const what = fires ? `${part} ${fires.chart} fires${about && `: ${about}`}` : `No ${part.toLowerCase()} fits`;
    const same = `The saved game has ${recorded === answer ? "the same answer" : recorded ?? "no answer"}.`;
    node.replaceChildren(el("b", {}, what), el("span", {}, `Answers ${answer}: ${arrows(answer ?? "")}. ${same}`));
    node.classList.toggle("differs", answer !== null && recorded !== answer);
    set($("overlay"), "data-chart", current + 1);
    this.overlay();
  }

  reason() {
    const button = el("button", { type: "button" }, el("b"), el("span", { class: "word" }), el("span"));
    const item = el("li", {}, button);
    button.addEventListener("click", () => this.chosen(Number(item.dataset.chart) - 1));
    return item;
  }

  overlay() {
    const canvas = $("overlay"), c = canvas.getContext("2d");
    c.clearRect(0, 0, canvas.width, canvas.height);
    if (!this.film || !this.step) return;
    const { film, board } = this;
    for (let cell = 0; cell < film.width * film.height; cell++) {
      const [, , tone, , , seat] = film.doc.marks[film.cell(cell)[0]];
      if (tone === "head" && seat === this.seat) lay(c, this.laid($("overlay").dataset.chart - 1), [cell % film.width, Math.floor(cell / film.width)], board.size);
    }
  }
}

/** Moves as arrows and words, such as `→ right, ↓ down`; each once. */
function arrows(moves) {
  const words = { U: "↑ up", R: "→ right", D: "↓ down", L: "← left" };
  return [...new Set(moves)].map((move) => words[move] ?? move).join(", ");
}
