// How a cell looks, by its mark.
//
// 1. The tone of a mark says what it is, and its signs how it looks. Signs are drawn as what they picture: `<>` is a diamond, `()` a
//    disc, `^` a head that looks up. Signs that picture nothing are drawn as text. No game is known here.
// 2. A part of a body has an arm to each neighbour that it is joined to, so that a body is one shape from head to tail.
// 3. Seats have their colours and their numbers. A strong mark has a white line around it.
// 4. Each look is drawn once and kept, in device pixels, so that cells are crisp.
const UP = 1, RIGHT = 2, DOWN = 4, LEFT = 8;
const TILE = "#1c2128", ENERGY = "#a6ff4d";

/** Draws cells of `size` device pixels (theory, point 2). */
class Painter {
  constructor(doc, size) {
    this.doc = doc;
    this.size = size;
    this.looks = new Map();
  }

  /** Draw on a canvas from now on, the cell with its corner here. */
  on(c, x, y) {
    this.c = c;
    c.setTransform(1, 0, 0, 1, x, y);
  }

  /** The picture of a mark that is joined to its neighbours on these sides. */
  look(index, sides) {
    const key = index * 16 + sides;
    let made = this.looks.get(key);
    if (!made) {
      made = el("canvas");
      made.width = made.height = this.size;
      this.c = made.getContext("2d");
      this.draw(this.doc.marks[index], sides);
      this.looks.set(key, made);
    }
    return made;
  }

  tile() {
    const s = this.size, gap = s < 6 ? 0 : Math.max(1, Math.round(s / 26));
    this.c.fillStyle = TILE;
    this.c.beginPath();
    this.c.roundRect(gap / 2, gap / 2, s - gap, s - gap, s / 9);
    this.c.fill();
  }

  draw([, text, tone, ink, ground, seat, strong, amount], sides) {
    const sign = text.trim();
    if (tone === "wall") return this.wall(ground, ink);
    this.tile();
    if (tone === "empty") return this.ground(sign, ink, ground);
    if (seat !== null) {
      const own = String(seat + 1), rest = sign.startsWith(own) ? sign.slice(own.length) : sign;
      return tone === "goal" ? this.home(seat, own, rest) : this.seated(tone, ground, seat, own, rest, strong, sides, amount);
    }
    if (tone === "goal") return this.goal(ground, ink);
    if (tone === "power") return this.diamond(ink, 0.34);
    if (tone === "item") return this.item(sign, ink, amount ?? sign.replace(/[()%]/g, ""));
    this.disc(ground, 0.42);
    return this.word(sign, ink);
  }

  wall(ground, ink) {
    const { c, size: s } = this, edge = Math.max(1, Math.round(s / 14));
    c.fillStyle = ground;
    c.fillRect(0, 0, s, s);
    if (s < 8) return;
    c.fillStyle = ink;
    c.globalAlpha = 0.5;
    c.fillRect(0, 0, s, edge);
    c.globalAlpha = 1;
    c.fillStyle = "#343a44";
    c.fillRect(0, s - edge, s, edge);
    c.fillRect(s - edge, 0, edge, s);
  }

  /** Floor with signs; those with a colour of their own, such as smells, tint it instead. */
  ground(sign, ink, ground) {
    const { c, size: s } = this;
    if (ground === this.doc.floor) return void (sign && this.word(sign, ink));
    c.fillStyle = ground;
    c.beginPath();
    c.roundRect(s * 0.04, s * 0.04, s * 0.92, s * 0.92, s / 8);
    c.fill();
  }

  goal(ground, ink) {
    const { c, size: s } = this, glow = c.createRadialGradient(s / 2, s / 2, s * 0.2, s / 2, s / 2, s * 0.56);
    glow.addColorStop(0, "#ffffffb0");
    glow.addColorStop(1, "#ffffff00");
    c.fillStyle = glow;
    c.fillRect(0, 0, s, s);
    for (const [radius, colour] of [[0.43, ground], [0.33, ink], [0.24, ground], [0.12, ink]]) this.disc(colour, radius);
  }

  /** A place that belongs to a seat. */
  home(seat, own, rest) {
    const [colour] = this.doc.colours[seat];
    this.ring(colour, this.size * 0.13, 0.13, 0.2);
    this.word(own + rest, colour, 0.4);
  }

  item(sign, ink, amount) {
    if (sign === "()") {
      this.disc(ink, 0.25);
      return this.disc("#ffffff50", 0.09, 0.42, 0.41);
    }
    this.disc(ink, 0.26 + 0.018 * Math.min(10, Number(amount) || 9));
    return this.word(amount || sign, "#1b1408", !amount ? 0.34 : amount < 100 ? 0.46 : 0.4);
  }

  diamond(colour, radius) {
    const { c, size: s } = this;
    if (radius > 0.3) {
      const glow = c.createRadialGradient(s / 2, s / 2, 0, s / 2, s / 2, s * 0.52);
      glow.addColorStop(0, `${colour}90`);
      glow.addColorStop(1, `${colour}00`);
      c.fillStyle = glow;
      c.fillRect(0, 0, s, s);
    }
    for (const [part, fill] of [[1, "#10240a"], [0.8, colour], [0.36, "#f4ffe8"]]) {
      const high = radius * part, wide = high * 0.82;
      this.polygon(fill, [[0, -high], [wide, 0], [0, high], [-wide, 0]]);
    }
  }

  /** A shape with these corners, seen from the middle of the cell. */
  polygon(colour, corners) {
    const { c, size: s } = this;
    c.fillStyle = colour;
    c.beginPath();
    for (const [x, y] of corners) c.lineTo((0.5 + x) * s, (0.5 + y) * s);
    c.fill();
  }

  /** A line of this width in device pixels along the edges of the cell, `inset` inside of them, with round corners. */
  ring(colour, width, inset, radius) {
    const { c, size: s } = this, side = s * (1 - 2 * inset);
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.beginPath();
    c.roundRect(s * inset, s * inset, side, side, s * radius);
    c.stroke();
  }

  disc(colour, radius, x = 0.5, y = 0.5) {
    this.c.fillStyle = colour;
    this.c.beginPath();
    this.c.arc(x * this.size, y * this.size, radius * this.size, 0, 7);
    this.c.fill();
  }

  word(text, colour, height = 0.5, x = 0.5, y = 0.5) {
    const { c, size: s } = this;
    if (s < 8) return;
    c.fillStyle = colour;
    c.font = `700 ${Math.round(Math.min(height * s, 14 * devicePixelRatio + 0.22 * s))}px system-ui, "DejaVu Sans", sans-serif`;
    c.textAlign = "center";
    c.textBaseline = "alphabetic";
    const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = c.measureText(text);
    c.fillText(text, x * s, y * s + (above - below) / 2, s * 0.9);
  }

  /** A part of a body, or somebody who is one cell. */
  seated(tone, ground, seat, own, sign, strong, sides, amount) {
    const [bright, usual, ink] = this.doc.colours[seat], head = tone === "head" || !sides;
    // One colour from head to tail: signs need every second cell darker to show a body's course, shapes do not.
    const dark = tone === "head" || tone === "body" && sides ? usual : ground;
    const eaten = sign === "x" && tone === "tail";
    const look = sign && "^>v<".includes(sign) ? "^>v<".indexOf(sign) : tone === "head" ? [DOWN, LEFT, UP, RIGHT].indexOf(sides) : -1;
    for (const [more, body, front] of strong ? [[0.14, "#ffffff", "#ffffff"], [0, dark, bright]] : [[0, dark, bright]]) {
      if (sides) this.body(body, 0.72 + more, sides, tone === "tail");
      if (head) this.round(tone === "head" ? front : body, 0.82 + more, sides);
    }
    if (eaten) this.body(TILE, 0.5, sides, false);
    if (head) {
      const [dx, dy] = [[0, -1], [1, 0], [0, 1], [-1, 0]][look] ?? [0, 0];
      if (look >= 0) for (const side of [-0.21, 0.21]) this.eye(ink, bright, 0.5 + dx * 0.24 + dy * side, 0.5 + dy * 0.24 + dx * side);
      if (amount) this.word(own, ink, 0.4, 0.36, 0.3);
      else this.word(own, eaten ? "#ffffff" : ink, own.length > 1 ? 0.44 : 0.54, 0.5 - dx * 0.09, 0.5 - dy * 0.09);
    } else if (!eaten && !/[*%]/.test(sign)) {
      this.c.globalAlpha = 0.42;
      this.word(own, ink, 0.34);
      this.c.globalAlpha = 1;
    }
    if (/[*%]/.test(sign)) this.diamond(ENERGY, 0.27);
    else if (amount) this.plate(amount);
    else if (!eaten && !/^[o._#^>v<]?$/.test(sign)) this.badge(sign);
  }

  eye(ink, colour, x, y) {
    this.disc(ink, 0.085, x, y);
    this.disc(colour, 0.03, x, y);
  }

  badge(sign) {
    const radius = this.size > 60 ? 0.17 : 0.23, middle = 0.98 - radius;
    this.disc("#0b0d10", radius, middle, middle);
    this.word(sign, "#ffffff", radius * 1.5, middle, middle);
  }

  /** A number of more than one digit. */
  plate(amount) {
    const { c, size: s } = this;
    c.fillStyle = "#0b0d10";
    c.beginPath();
    c.roundRect(s * 0.3, s * 0.5, s * 0.68, s * 0.48, s * 0.16);
    c.fill();
    this.word(String(amount), "#ffffff", 0.46, 0.64, 0.74);
  }

  /** A head: a disc if it is alone. */
  round(colour, width, sides) {
    const { c, size: s } = this, w = width * s;
    c.fillStyle = colour;
    c.beginPath();
    c.roundRect((s - w) / 2, (s - w) / 2, w, w, sides ? w * 0.36 : w / 2);
    c.fill();
  }

  /** A part of a body of this width (1 is a cell), with an arm to each joined side; the end of a tail gets narrower. */
  body(colour, width, sides, tail) {
    const { c, size: s } = this, w = width * s, arms = [UP, RIGHT, DOWN, LEFT].filter((side) => sides & side);
    c.fillStyle = colour;
    c.save();
    c.translate(s / 2, s / 2);
    c.beginPath();
    if (!tail || arms.length > 1) c.roundRect(-w / 2, -w / 2, w, w, w * 0.38);
    c.fill();
    for (const arm of arms) {
      c.save();
      c.rotate([UP, RIGHT, DOWN, LEFT].indexOf(arm) * Math.PI / 2);
      c.beginPath();
      if (tail && arms.length === 1) {
        c.moveTo(-w / 2, -s / 2);
        c.lineTo(w / 2, -s / 2);
        c.bezierCurveTo(w / 2, s * 0.05, w * 0.3, w * 0.5, 0, w * 0.5);
        c.bezierCurveTo(-w * 0.3, w * 0.5, -w / 2, s * 0.05, -w / 2, -s / 2);
      } else c.rect(-w / 2, -s / 2, w, s / 2);
      c.fill();
      c.restore();
    }
    c.restore();
  }
}
