// How cells of charts look. What an element pictures is a mark with its sides, as on a board (cells.js); the server says which.
//
// 1. A group is a ring in its colour, with its sign in the corner of the cell: colour alone tells nothing.
// 2. "Except" is a bar across a paler picture.
// 3. A letter without a picture, such as that of a set, is drawn as a letter.
const FITS = "#3ddc84", FAILS = "#ff8a5c";

class Pictures extends Painter {
  constructor(doc, size) {
    super(doc, size);
    this.canvases = new Map();
  }

  word() {} // bodies on boards have the numbers of their seats, elements have none

  /** The picture of a cell with these two characters. */
  of(text) {
    let canvas = this.canvases.get(text);
    if (!canvas) {
      canvas = el("canvas", { "aria-hidden": "true" });
      canvas.width = canvas.height = this.size;
      this.c = canvas.getContext("2d");
      this.cell(text);
      this.canvases.set(text, canvas);
    }
    return canvas;
  }

  cell(text) {
    const { doc, c, size: s } = this, parts = partsOf(doc, text);
    const { look } = (parts ? doc.elements.find(({ letter }) => letter === parts.letter) : doc.heads.find((head) => head.text === text)) ?? {};
    const group = parts && doc.groups.find(({ sign }) => sign === parts.group);
    this.tile();
    c.globalAlpha = parts?.not ? 0.45 : 1;
    if (look?.mark[2] === "empty") this.disc("#d5dae1", 0.14);
    else if (look) this.draw(look.mark, look.sides);
    else if (parts) super.word(parts.letter, "#e8e8e5", 0.6);
    c.globalAlpha = 1;
    if (!parts && look) this.arrow(TURNS.indexOf(facing(doc, text)));
    if (parts?.not) this.bar();
    if (group?.colour) this.ring(group.colour);
  }

  /** Where the own head goes. */
  arrow(turns) {
    const { c, size: s } = this;
    c.save();
    c.translate(s / 2, s / 2);
    c.rotate(turns * Math.PI / 2);
    c.fillStyle = "#000000";
    c.beginPath();
    c.moveTo(0, -s * 0.12);
    c.lineTo(s * 0.17, s * 0.18);
    c.lineTo(-s * 0.17, s * 0.18);
    c.fill();
    c.restore();
  }

  bar() {
    const { c, size: s } = this;
    for (const [width, colour] of [[0.2, TILE], [0.1, "#ffffff"]]) {
      c.strokeStyle = colour;
      c.lineWidth = Math.max(1, width * s);
      c.beginPath();
      c.moveTo(s * 0.16, s * 0.84);
      c.lineTo(s * 0.84, s * 0.16);
      c.stroke();
    }
  }

  ring(colour) {
    const { c, size: s } = this, width = Math.max(1, s * 0.06);
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.beginPath();
    c.roundRect(width / 2 + s * 0.02, width / 2 + s * 0.02, s * 0.96 - width, s * 0.96 - width, s / 9);
    c.stroke();
  }
}

/** Painters by size in device pixels, for one document's language. */
class Album {
  constructor(doc) {
    this.doc = doc;
    this.sizes = new Map();
  }

  of(text, size) {
    if (!this.sizes.has(size)) this.sizes.set(size, new Pictures(this.doc, size));
    return this.sizes.get(size).of(text);
  }

  /** Draw a picture on a canvas of this many CSS pixels. */
  put(canvas, text, pixels) {
    const size = Math.max(1, Math.round(pixels * devicePixelRatio)), key = `${text}${size}`;
    if (canvas.dataset.key === key) return;
    canvas.dataset.key = key;
    canvas.width = canvas.height = size;
    canvas.getContext("2d").drawImage(this.of(text, size), 0, 0);
  }

  /** Draw a whole chart on a canvas, small. */
  chart(canvas, chart, pixels) {
    const cells = cellsOf(chart), size = Math.max(1, Math.round(pixels * devicePixelRatio / cells.length)), key = chart.rows.join() + size;
    if (canvas.dataset.key === key) return;
    canvas.dataset.key = key;
    canvas.width = canvas.height = size * cells.length;
    const c = canvas.getContext("2d");
    cells.forEach((row, y) => row.forEach((text, x) => c.drawImage(this.of(text, size), x * size, y * size)));
  }
}

/** A ring around the cells of a chart that is laid over a board: green if the cell fits, orange and dashed if not. */
function lay(c, cells, [hx, hy], s) {
  for (const { dx, dy, fits } of cells) {
    c.strokeStyle = fits ? FITS : FAILS;
    c.lineWidth = Math.max(1.5, s * 0.1);
    c.setLineDash(fits ? [] : [s * 0.22, s * 0.14]);
    c.beginPath();
    c.roundRect((hx + dx) * s + s * 0.09, (hy + dy) * s + s * 0.09, s * 0.82, s * 0.82, s * 0.14);
    c.stroke();
  }
  c.setLineDash([]);
}
