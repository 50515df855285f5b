// The board: a canvas that is the grid of cells and nothing else, and the same as text.

class Board {
  constructor(film) {
    this.film = film;
    this.canvas = $("board");
  }

  /** Whether the canvas has the size of this moment's board. */
  get fits() {
    const { canvas, film, size } = this;
    return canvas.width === size * film.width && canvas.height === size * film.height;
  }

  /** Take the most room: as many whole device pixels a cell as there are in this many CSS pixels. */
  fit(pixel, wide, high) {
    const { canvas, film } = this;
    canvas.hidden = !film.width; // a game without a board
    const columns = Math.max(1, film.width), rows = Math.max(1, film.height);
    this.size = Math.max(1, Math.floor(Math.min(wide / columns, high / rows) * pixel + 1e-6));
    canvas.width = this.size * film.width;
    canvas.height = this.size * film.height;
    canvas.style.width = `${canvas.width / pixel}px`;
    canvas.style.height = `${canvas.height / pixel}px`;
    this.painter = new Painter(film.doc, this.size);
    if (canvas.hidden) return;
    const c = canvas.getContext("2d"), tile = this.painter.look(0, 0);
    c.fillStyle = film.doc.floor;
    c.fillRect(0, 0, canvas.width, canvas.height);
    for (let cell = 0; cell < film.width * film.height; cell++) c.drawImage(tile, ...this.corner(cell));
    this.floor = el("canvas");
    this.floor.width = canvas.width;
    this.floor.height = canvas.height;
    this.floor.getContext("2d").drawImage(canvas, 0, 0);
  }

  corner(cell) {
    const { width } = this.film;
    return [cell % width * this.size, Math.floor(cell / width) * this.size];
  }

  draw(followed) {
    const { film, painter, size: s } = this, c = this.canvas.getContext("2d"), lines = [], heads = [];
    if (!this.canvas.hidden) c.drawImage(this.floor, 0, 0);
    for (let cell = 0, text = ""; cell < film.width * film.height; cell++) {
      const [index, sides] = film.cell(cell), [plain, , tone, , , seat] = film.doc.marks[index];
      if (index) c.drawImage(painter.look(index, sides), ...this.corner(cell));
      if (seat === followed && tone === "head") heads.push(cell);
      text += plain;
      if (cell % film.width === film.width - 1) {
        lines.push(text.trimEnd());
        text = "";
      }
    }
    put($("board-text"), lines.join("\n"));
    this.heads = heads; // of the followed seat
    for (const cell of heads) {
      painter.on(c, ...this.corner(cell));
      painter.ring("#000000", Math.max(1, 0.2 * s), -0.1, 0.4);
      painter.ring("#ffffff", Math.max(1, 0.09 * s), -0.1, 0.4);
    }
    c.resetTransform();
  }
}
