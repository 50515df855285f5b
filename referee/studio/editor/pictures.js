// How cells of charts look. What an element pictures is a mark with its sides, as on a board (cells.js); the server says which.
//
// 1. A group is a ring in its colour, with its sign in the corner of the cell: colour alone tells nothing.
// 2. "Except" is a bar across a paler picture.
// 3. A letter without a picture, such as that of a set, is drawn as a letter.
// 4. A picture is a canvas that says which cells it shows. It is drawn when it is on the page, because only then it has a size.

class Pictures extends Painter {
  word() {} // bodies on boards have the numbers of their seats, elements have none

  /** Draw a cell with these two characters. */
  cell(text) {
    const { doc, c } = this, parts = partsOf(doc, text), head = doc.heads.find((head) => head.text === text);
    const { look } = (parts ? doc.elements.find(({ letter }) => letter === parts.letter) : head) ?? {};
    const group = parts && doc.groups.find(({ sign }) => sign === parts.group);
    this.tile();
    c.globalAlpha = parts?.not ? 0.45 : 1;
    if (look?.mark[2] === "empty") this.disc("#d5dae1", 0.14);
    else if (look) this.draw(look.mark, look.sides);
    else if (parts) super.word(parts.letter, "#e8e8e5", 0.6);
    c.globalAlpha = 1;
    if (!parts && look) this.arrow(TURNS.indexOf(facing(doc, text)));
    if (parts?.not) this.bar();
    if (group?.colour) this.group(group.colour);
  }

  group(colour) {
    const width = Math.max(1, this.size * 0.06);
    this.ring(colour, width, 0.02 + width / 2 / this.size, 1 / 9);
  }

  /** Where the own head goes. */
  arrow(turns) {
    let corners = [[0, -0.12], [0.17, 0.18], [-0.17, 0.18]];
    for (let turn = 0; turn < turns; turn++) corners = corners.map(([x, y]) => [-y, x]); // to the right
    this.polygon("#000000", corners);
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
}

/** A picture of rows of cells, which have two characters each. */
const picture = (rows) => el("canvas", { "aria-hidden": "true", "data-cells": rows.join("\n") });

/** Draw the pictures that do not show what they say, or not in their size. */
function paint(doc) {
  for (const canvas of document.querySelectorAll("[data-cells]")) {
    const cells = cellsOf({ rows: canvas.dataset.cells.split("\n") });
    const size = Math.round(canvas.clientWidth * devicePixelRatio / cells.length);
    const key = `${canvas.dataset.cells} ${size}`;
    if (canvas.key === key || !size) continue;
    canvas.key = key;
    canvas.width = canvas.height = size * cells.length;
    const painter = new Pictures(doc, size), c = canvas.getContext("2d");
    cells.forEach((row, y) => row.forEach((text, x) => {
      painter.on(c, x * size, y * size);
      painter.cell(text);
    }));
  }
}
