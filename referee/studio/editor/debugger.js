// The debugger: a saved game before a turn of this snake, what the program decides there, and why.
//
// 1. The board is that of the page of a match: the server sends the whole match once, and steps of it need no request.
// 2. Reasons come from the server, for the text as it is now and the step that is shown.
// 3. The chart that fires is laid over the board, as the server laid it. If somebody chooses another one, it is, until the next step.
const BEATS = 500; // milliseconds between two turns while it plays: what changed can still be seen
const FITS = "#3ddc84", FAILS = "#ff8a5c";
const NO_REASONS = { charts: [], recorded: null, answer: null };

class Debugger {
  film = null;
  match = "";
  seat = 0;
  step = 0;
  turns = [];
  reasons = NO_REASONS;
  chosen = false; // whether the chart of the editor is laid over the board
  timer = 0;

  /** moved: called when the step, the seat or the game changes. */
  constructor(moved) {
    this.moved = moved;
    new ResizeObserver(() => this.fit()).observe($("frame").parentNode);
  }

  /** Open a saved game, or none, at a step and a seat if they are known. */
  async open(match, step = 0, seat = null) {
    this.play(false);
    const games = facts.matches.map(({ id, file, players }) => [id, `${players.join(", ")}: ${file}`]);
    $("match").replaceChildren(...options([["", "no game"], ...games]));
    $("match").value = this.match;
    const doc = match ? (await ask("programs/film", { match })).value : null;
    this.match = $("match").value = match;
    this.film = doc && new Film(doc);
    root.toggleAttribute("data-playable", Boolean(doc));
    if (!doc) return this.moved();
    this.board = new Board(this.film);
    $("seat").replaceChildren(...options(doc.names.map((name, at) => [at, `${at + 1} ${name}`])));
    const own = doc.names.findIndex((name) => name.toLowerCase() === facts.stem.toLowerCase());
    const { seat: known = Math.max(0, own) } = facts.matches.find(({ id }) => id === match) ?? {};
    this.fit();
    return this.sit(seat ?? known, step);
  }

  sit(seat, step = this.step) {
    const { doc, moves } = this.film;
    this.seat = $("seat").value = clamp(seat, 0, doc.seats - 1);
    this.turns = moves[this.seat].map((move) => move.step).filter((step) => doc.rounds[step - 1] > 0);
    $("turn").max = Math.max(0, this.turns.length - 1);
    put($("steps"), `of ${doc.steps}`);
    this.go(step);
  }

  /** Show the turn at a step, or the last one before it. */
  go(step) {
    const last = this.turns.length - 1, at = Math.max(0, lastUpTo(this.turns, step || 0));
    this.step = $("step").value = this.turns[at] ?? 0;
    this.chosen = false;
    $("turn").value = at;
    $("turn").setAttribute("aria-valuetext", `turn ${at + 1} of ${last + 1}, step ${this.step}`);
    $("prev").disabled = at === 0;
    $("next").disabled = at >= last;
    if (at >= last) this.play(false);
    this.film.go(Math.max(0, this.step - 1));
    this.board.draw(this.seat);
    this.moved();
  }

  turn(by) {
    if (this.film) this.go(this.turns[$("turn").valueAsNumber + by] ?? this.step);
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = on && this.turns.length ? setInterval(() => this.turn(1), BEATS) : 0;
    put($("play"), this.timer ? "■" : "▶");
    $("play").setAttribute("aria-label", this.timer ? "Stop" : "Play");
    $("play").setAttribute("aria-pressed", Boolean(this.timer));
  }

  /** Make the board as large as its column and the window allow. */
  fit() {
    if (!this.film) return;
    this.board.fit(devicePixelRatio, $("frame").parentNode.clientWidth - 26, Math.max(300, innerHeight * 0.42));
    const { width, height } = $("board");
    Object.assign($("overlay"), { width, height });
    this.board.draw(this.seat);
    this.overlay();
  }

  /** Ask what a program decides here. */
  async explain(text) {
    const { match, step, seat } = this, question = { game: facts.game, text, match, step, seat, drawn: false };
    const reasons = match && step ? (await ask("programs/explain", question)).value : NO_REASONS;
    if (match === this.match && step === this.step && seat === this.seat) this.reasons = reasons;
  }

  /** The cells of a chart as they lie on the board. */
  laid(chart) { return this.reasons.charts[chart]?.cells ?? []; }

  /** Show the reasons. part: what the game calls a chart. chart: that of the editor. */
  draw(doc, part, chart) {
    const { charts, recorded, answer } = this.reasons, fires = charts.find(({ verdict }) => verdict === "fires");
    const current = this.chosen ? chart : (fires?.chart ?? 0) - 1;
    patch($("reasons"), charts.map(({ chart, verdict, why, moves }, at) =>
      el("li", { "data-chart": chart, "data-verdict": verdict, "aria-current": at === current ? "true" : null },
        el("button", { type: "button" }, el("b", {}, chart), el("span", { class: "word" }, WORDS[verdict]),
          el("span", {}, moves ? `${arrows(moves)} (${why})` : why)))));
    const about = fires && doc.charts[fires.chart - 1]?.description;
    const what = fires ? `${part} ${fires.chart} fires${about && `: ${about}`}` : `No ${part.toLowerCase()} fits`;
    const same = `The saved game has ${recorded === answer ? "the same answer" : recorded ?? "no answer"}.`;
    $("answer").hidden = answer === null;
    $("answer").classList.toggle("fires", Boolean(fires));
    $("answer").classList.toggle("differs", answer !== null && recorded !== answer);
    Object.assign($("answer").dataset, { now: answer ?? "", recorded: recorded ?? "" });
    patch($("answer"), [el("b", {}, what), el("span", {}, `Answers ${answer}: ${arrows(answer ?? "")}. ${same}`)]);
    $("overlay").dataset.chart = current + 1;
    this.overlay();
  }

  /** Put a ring around the cells of the chosen chart: green if the cell fits, orange and dashed if not. */
  overlay() {
    const c = $("overlay").getContext("2d");
    c.reset();
    if (!this.film || !this.step) return;
    const { board, board: { painter, size } } = this;
    for (const [x, y] of board.heads.map((head) => board.corner(head))) {
      for (const { dx, dy, fits } of this.laid($("overlay").dataset.chart - 1)) {
        painter.on(c, x + dx * size, y + dy * size);
        c.setLineDash(fits ? [] : [size * 0.22, size * 0.14]);
        painter.ring(fits ? FITS : FAILS, Math.max(1.5, size * 0.1), 0.09, 0.14);
      }
    }
  }
}

/** Moves as arrows and words, such as `→ right, ↓ down`; each once. */
function arrows(moves) {
  const words = { U: "↑ up", R: "→ right", D: "↓ down", L: "← left" };
  return [...new Set(moves)].map((move) => words[move] ?? move).join(", ");
}
