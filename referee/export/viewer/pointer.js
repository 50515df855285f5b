// The coordinates of the cell under the pointer, from 0 at the top left, and the cell in plain text, in a small box beside it.

class Pointer {
  constructor(film, board) {
    this.film = film;
    this.canvas = board.canvas;
    this.tip = $("tip");
    this.canvas.addEventListener("pointermove", (event) => {
      this.again = () => this.show(event);
      this.again();
    });
    for (const gone of ["pointerleave", "pointercancel"]) {
      this.canvas.addEventListener(gone, () => {
        this.again = () => {};
        this.tip.hidden = true;
      });
    }
  }

  /** Show it anew: the moment may be another one. */
  again() {}

  show({ clientX, clientY }) {
    const { film, tip } = this, { left, top, width, height } = this.canvas.getBoundingClientRect();
    const [x, y] = [[clientX - left, width, film.width], [clientY - top, height, film.height]]
      .map(([place, size, cells]) => clamp(Math.floor(place / size * cells), 0, cells - 1));
    const [, text, , , , , , amount] = film.doc.marks[film.cell(y * film.width + x)[0]];
    tip.replaceChildren(`x ${x}, y ${y}`, ...text.trim() ? ["  ", el("code", {}, text)] : [], amount ? `  ${amount}` : "");
    tip.hidden = false;
    tip.style.left = `${clamp(clientX + 14, 4, Math.max(4, innerWidth - tip.offsetWidth - 4))}px`;
    tip.style.top = `${clientY + 18 + tip.offsetHeight < innerHeight ? clientY + 18 : Math.max(4, clientY - 10 - tip.offsetHeight)}px`;
  }
}
