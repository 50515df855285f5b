// What stands under the pointer, in a small box beside it: a cell and its coordinates, the points of a step, its answers, its events.
// It says nothing that cannot be read elsewhere on the page, so it needs no focus.
const NEAR = 3; // CSS pixels between the pointer and an event that it means

class Pointer {
  constructor(film, board, charts) {
    this.film = film;
    this.tip = $("tip");
    this.over($("board"), (event) => this.cell(board, event));
    this.over($("chart"), (event, chart) => this.step(charts.stepAt(chart, event.clientX), (seat, at) => [film.pointsAt(seat, at)]));
    this.over($("times"), (event, times) => this.step(charts.stepAt(times, event.clientX), (seat, at) => {
      const move = film.moves[seat][film.lastMove(seat, at)];
      return move?.step === at ? [`${lapse(move.took)} of ${lapse(move.limit)}`] : [];
    }));
    this.over($("ticks"), (event, canvas) => this.events(charts, canvas, charts.stepAt(canvas, event.clientX)));
  }

  /** While the pointer is over `node`, show the lines that `told` gives. */
  over(node, told) {
    node.addEventListener("pointermove", (event) => {
      this.again = () => this.show(event, told(event, node));
      this.again();
    });
    for (const gone of ["pointerleave", "pointercancel"]) {
      node.addEventListener(gone, () => {
        this.again = () => {};
        this.tip.hidden = true;
      });
    }
  }

  /** Show it anew: the moment may be another one. */
  again() {}

  show({ clientX: x, clientY: y }, lines) {
    const { tip } = this;
    tip.replaceChildren(...lines.map((line) => el("div", {}, ...line)));
    tip.hidden = !lines.length;
    tip.style.left = `${clamp(x + 14, 4, Math.max(4, innerWidth - tip.offsetWidth - 4))}px`;
    tip.style.top = `${y + 18 + tip.offsetHeight < innerHeight ? y + 18 : Math.max(4, y - 10 - tip.offsetHeight)}px`;
  }

  /** Coordinates, from 0 at the top left, and the cell in plain text. */
  cell(board, event) {
    const { film } = this, { left, top, width, height } = board.canvas.getBoundingClientRect();
    const [x, y] = [[event.clientX - left, width, film.width], [event.clientY - top, height, film.height]]
      .map(([place, size, cells]) => clamp(Math.floor(place / size * cells), 0, cells - 1));
    const [, text, , , , , , amount] = film.doc.marks[film.cell(y * film.width + x)[0]];
    return [[`x ${x}, y ${y}`, ...text.trim() ? ["  ", el("code", {}, text)] : [], ...amount ? [`  ${amount}`] : []]];
  }

  /** A step, and a line for each seat of which there is something to say. */
  step(at, told) {
    const lines = this.film.doc.colours.map(([colour, , ink], seat) => {
      const said = told(seat, at), chip = el("b", {}, String(seat + 1));
      chip.style.background = colour;
      chip.style.color = ink;
      return said.length ? [chip, " ", ...said.map(String)] : [];
    });
    return [[`step ${at}`], ...lines.filter((line) => line.length)];
  }

  /** The events nearest to the pointer, in words; of many, the first. */
  events(charts, canvas, at) {
    const { film } = this, { doc, told } = film;
    const shown = (i) => charts.kind === null || film.kinds[i] === charts.kind, near = NEAR / canvas.clientWidth * film.last;
    let best = null;
    for (let i = lastUpTo(told, at - near - 1) + 1; told[i] <= at + near; i++) {
      if (shown(i) && (best === null || Math.abs(told[i] - at) < Math.abs(best - at))) best = told[i];
    }
    if (best === null) return [[`step ${at}`]];
    const those = [...told.keys()].slice(lastUpTo(told, best - 1) + 1, lastUpTo(told, best) + 1).filter(shown);
    return [[`step ${best}`], ...those.slice(0, 4).map((i) => sentence(doc, i))];
  }
}
