// Shows a saved match that stands in this page (referee/export/document.py describes the document).
//
// 1. The page knows frames, not games. A moment is an array of slots: the mark of each cell, the sides on which it is joined to
//    its neighbours, and the texts of the table. The document has what changes from each moment to the next. A `Film` applies the
//    changes, and keeps a copy every GAP moments to go back.
// 2. A cell is drawn by its mark: its tone says what it is, and its signs how it looks. Signs are drawn as what they picture: `<>`
//    is a diamond, `()` a disc, `^` a head that looks up. Signs that picture nothing are drawn as text. Each look is drawn once
//    and kept (`Painter`), in device pixels, so that cells are crisp.
// 3. `go` and `play` change the state; `draw` shows it, at most once per frame of the browser. Keys do what they do in the
//    terminal's replay (referee/view/viewer.py).
// 4. Text of bots gets into the page by `textContent` only.
"use strict";
(() => {
const GAP = 256, PAGE = 10, STRIDES = 20, WHOLE = 5, EVENTS = 60, UNLIMITED = 0;
const LADDER = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const DASHES = [[], [8, 3], [2, 3], [9, 3, 2, 3], [14, 4], [5, 5], [2, 6], [9, 3, 2, 3, 2, 3]];
const UP = 1, RIGHT = 2, DOWN = 4, LEFT = 8;
const root = document.documentElement;
const $ = (id) => document.getElementById(id);

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** The last index of a sorted array whose value is at most `most`; -1 without one. */
function lastUpTo(sorted, most, value = (entry) => entry) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value(sorted[middle]) <= most) low = middle + 1; else high = middle;
  }
  return low - 1;
}

/** A time span in seconds, in words. */
function lapse(seconds) {
  if (seconds < 0.009995) return `${(seconds * 1000).toFixed(2)}ms`;
  if (seconds < 0.9995) return `${(seconds * 1000).toFixed(0)}ms`;
  return `${seconds.toFixed(seconds < 9.995 ? 2 : seconds < 99.95 ? 1 : 0)}s`;
}

async function read(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** The moments of the match (theory, point 1), and the points, times and moves of each seat. */
class Film {
  constructor(doc) {
    this.doc = doc;
    this.row = doc.columns.length + 1;
    this.first = this.seatSlot(doc.seats, 0);
    this.now = new Int32Array(this.first + 2 * doc.cells);
    this.kept = [];
    this.asked = [];
    this.scores = Array.from({ length: doc.seats }, () => ({ at: [], points: [] }));
    this.moves = Array.from({ length: doc.seats }, () => []);
    this.rounds = [];
    const lines = [];
    for (let k = 0; k <= doc.steps; k++) {
      this.apply(doc.frames[k]);
      if (k) this.note(k, lines);
      this.scores.forEach((score, seat) => {
        const points = Number(this.text(this.seatSlot(seat, 2)));
        if (points !== score.points.at(-1)) { score.at.push(k); score.points.push(points); }
      });
      if (k % GAP === 0) {
        this.kept.push(this.now.slice());
        this.asked.push(lines.map((asked) => asked.slice()));
      }
    }
    this.at = doc.steps;
  }

  apply(changes) {
    for (let i = 0; i < changes.length; i += 2) this.now[changes[i]] = changes[i + 1];
  }

  /** Note the answers of step `k`: whose they are, and how long they took of which limit. */
  note(k, lines) {
    const { doc } = this, { first, answer, total } = doc.limits;
    if (k === 1 || doc.rounds[k - 1] !== doc.rounds[k - 2]) this.rounds.push(k - 1);
    doc.moves[k - 1].forEach(([seat, ms, said, asked, cpu], place) => {
      const own = this.moves[seat], before = own.at(-1)?.used ?? 0, took = ms / 1000;
      const limit = Math.min(own.length ? answer : first, total === null || doc.byCpu ? Infinity : total - before);
      own.push({ step: k, place, took, limit, used: before + (doc.byCpu && cpu !== undefined ? cpu / 1000 : took), said });
      follow(lines, place, asked);
    });
  }

  /** Make moment `k` the current one. */
  go(k) {
    if (k < this.at || k - this.at > GAP) {
      this.at = k - k % GAP;
      this.now.set(this.kept[this.at / GAP]);
    }
    while (this.at < k) this.apply(this.doc.frames[++this.at]);
  }

  get width() { return this.now[0]; }

  get height() { return this.now[1]; }

  text(slot) { return this.doc.texts[this.now[slot]]; }

  seatSlot(seat, column) { return 4 + seat * this.row + column; }

  mark(cell) { return this.doc.marks[this.now[this.first + 2 * cell]]; }

  /** The request that is in this place of step `k`. */
  request(k, place) {
    const from = k - k % GAP, lines = this.asked[from / GAP].map((asked) => asked.slice());
    for (let step = from + 1; step <= k; step++) this.doc.moves[step - 1].forEach((move, index) => follow(lines, index, move[3]));
    return lines[place].join("\n");
  }

  /** The place of a seat's last move up to moment `k`, -1 without one. */
  lastMove(seat, k) { return lastUpTo(this.moves[seat], k, (move) => move.step); }
}

/** Apply the changes to the request in this place of its step. */
function follow(lines, place, [count, ...changes]) {
  const own = lines[place] ??= [];
  own.length = count;
  for (let i = 0; i < changes.length; i += 2) own[changes[i]] = changes[i + 1];
}

/** Draws cells of `size` device pixels (theory, point 2). */
class Painter {
  constructor(doc, size) {
    this.doc = doc;
    this.size = size;
    this.looks = new Map();
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
    this.c.fillStyle = "#1c2128";
    this.c.beginPath();
    this.c.roundRect(gap / 2, gap / 2, s - gap, s - gap, s / 9);
    this.c.fill();
  }

  draw([, text, tone, ink, ground, seat, strong], sides) {
    const sign = text.trim();
    if (tone === "wall") return this.wall(ground, ink);
    this.tile();
    if (tone === "empty") return this.ground(sign, ink);
    if (seat !== null) {
      const own = String(seat + 1), rest = sign.startsWith(own) ? sign.slice(own.length) : sign;
      return tone === "goal" ? this.home(seat, own, rest) : this.seated(tone, seat, own, rest, strong, sides);
    }
    if (tone === "goal") return this.goal(ground, ink);
    if (tone === "power") return this.diamond(ink, 0.34);
    if (tone === "item") return this.item(sign, ink);
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

  /** Floor with signs: traces such as smells tint it, the more signs the stronger. */
  ground(sign, ink) {
    const { c, size: s } = this;
    if (!sign) return;
    if (!/^~+$/.test(sign)) return void this.word(sign, ink);
    c.fillStyle = sign.length > 1 ? "#3c5a78" : "#263443";
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
    const { c, size: s } = this, [colour] = this.doc.colours[seat];
    c.strokeStyle = colour;
    c.lineWidth = s * 0.13;
    c.beginPath();
    c.roundRect(s * 0.13, s * 0.13, s * 0.74, s * 0.74, s * 0.2);
    c.stroke();
    this.word(own + rest, colour, 0.4);
  }

  item(sign, ink) {
    const amount = sign.replace(/[()%]/g, "");
    if (sign === "()") {
      this.disc(ink, 0.25);
      return this.disc("#ffffff50", 0.09, 0.42, 0.41);
    }
    this.disc(ink, 0.26 + 0.018 * (Number(amount) || 9));
    return this.word(amount || sign, "#1b1408", amount ? 0.46 : 0.34);
  }

  diamond(colour, radius) {
    const { c, size: s } = this, r = radius * s;
    if (radius > 0.3) {
      const glow = c.createRadialGradient(s / 2, s / 2, 0, s / 2, s / 2, s * 0.52);
      glow.addColorStop(0, `${colour}90`);
      glow.addColorStop(1, `${colour}00`);
      c.fillStyle = glow;
      c.fillRect(0, 0, s, s);
    }
    for (const [part, fill] of [[1, "#10240a"], [0.8, colour], [0.36, "#f4ffe8"]]) {
      c.fillStyle = fill;
      c.beginPath();
      c.moveTo(s / 2, s / 2 - r * part);
      c.lineTo(s / 2 + r * part * 0.82, s / 2);
      c.lineTo(s / 2, s / 2 + r * part);
      c.lineTo(s / 2 - r * part * 0.82, s / 2);
      c.fill();
    }
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
  seated(tone, seat, own, sign, strong, sides) {
    const [bright, dark, ink] = this.doc.colours[seat], head = tone === "head" || !sides;
    const eaten = sign === "x" && tone === "tail";
    const look = sign && "^>v<".includes(sign) ? "^>v<".indexOf(sign) : tone === "head" ? [DOWN, LEFT, UP, RIGHT].indexOf(sides) : -1;
    for (const [more, body, front] of strong ? [[0.14, "#ffffff", "#ffffff"], [0, dark, bright]] : [[0, dark, bright]]) {
      if (sides) this.body(body, 0.72 + more, sides, tone === "tail");
      if (head) this.round(tone === "head" ? front : body, 0.82 + more, sides);
    }
    if (eaten) this.body("#1c2128", 0.5, sides, false);
    if (head) {
      const [dx, dy] = [[0, -1], [1, 0], [0, 1], [-1, 0]][look] ?? [0, 0];
      if (look >= 0) for (const side of [-0.21, 0.21]) this.eye(ink, bright, 0.5 + dx * 0.24 + dy * side, 0.5 + dy * 0.24 + dx * side);
      this.word(own, ink, own.length > 1 ? 0.44 : 0.54, 0.5 - dx * 0.09, 0.5 - dy * 0.09);
    } else if (!eaten && !/[*%]/.test(sign)) {
      this.c.globalAlpha = 0.42;
      this.word(own, ink, 0.34);
      this.c.globalAlpha = 1;
    }
    if (/[*%]/.test(sign)) this.diamond("#a6ff4d", 0.27);
    else if (!eaten && !/^[o._#^>v<]?$/.test(sign)) this.badge(sign);
  }

  eye(ink, colour, x, y) {
    this.disc(ink, 0.085, x, y);
    this.disc(colour, 0.03, x, y);
  }

  badge(sign) {
    this.disc("#0b0d10", 0.23, 0.77, 0.77);
    this.word(sign, "#ffffff", 0.34, 0.77, 0.77);
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

/** The page of a match. */
function show(doc) {
  const film = new Film(doc), last = doc.steps, total = doc.limits.total;
  const kinds = doc.events.map((event) => doc.kinds[event[1]]), told = doc.events.map((event) => event[0]);
  let at = 0, playing = false, speed = doc.speed, followed = null, kind = null, marked = null;
  let line = null, wanted = false, timer = 0, painter = null, floor = null, back = null, shown = [];

  // What people do

  function go(step) {
    at = clamp(step, 0, last);
    line = null;
    if (at === last) playing = false;
    refresh();
  }

  function play(on) {
    if (on && at === last) at = 0;
    playing = on && last > 0;
    line = null;
    refresh();
  }

  function setSpeed(to) {
    speed = to;
    line = null;
    refresh();
  }

  const faster = () => setSpeed(speed === UNLIMITED ? UNLIMITED : LADDER.find((rung) => rung > speed) ?? UNLIMITED);
  const slower = () => setSpeed(speed === UNLIMITED ? LADDER.at(-1) : LADDER.findLast((rung) => rung < speed) ?? LADDER[0]);
  const rate = () => speed || Math.max(LADDER.at(-1), last / WHOLE);

  function stop(step) {
    play(false);
    go(step);
  }

  function round(forward) {
    const { rounds } = film;
    if (forward) return stop(rounds[lastUpTo(rounds, at) + 1] ?? last);
    return stop(rounds[lastUpTo(rounds, at - 1)] ?? 0);
  }

  function move(forward) {
    if (followed === null) follows(toMove()[0] ?? null);
    if (followed === null) return;
    const moves = film.moves[followed];
    const next = moves[forward ? film.lastMove(followed, at) + 1 : film.lastMove(followed, at - 1)];
    if (next) stop(next.step);
  }

  function seek(forward) {
    const fits = (event) => kind === null || kinds[event] === kind;
    let event = forward ? lastUpTo(told, at) + 1 : lastUpTo(told, at - 1);
    while (event >= 0 && event < told.length && !fits(event)) event += forward ? 1 : -1;
    if (event < 0 || event >= told.length) return;
    while (!forward && event > 0 && told[event - 1] === told[event]) event--;
    while (!fits(event)) event++;
    kind = kinds[event];
    marked = told[event];
    stop(told[event]);
  }

  function follows(seat) {
    followed = seat;
    refresh();
  }

  function toMove() {
    film.go(at);
    const column = doc.columns.length - 1;
    return doc.colours.map((_, seat) => seat).filter((seat) => film.text(film.seatSlot(seat, column)) === "to move");
  }

  // Drawing

  function refresh() {
    if (wanted) return;
    wanted = true;
    requestAnimationFrame((now) => {
      wanted = false;
      if (playing) {
        line ??= [now, at];
        at = line[1] + Math.floor(Math.min(last - line[1], (now - line[0]) / 1000 * rate() + 1e-9));
        if (at === last) playing = false;
      }
      draw();
      if (playing) refresh();
    });
  }

  function draw() {
    film.go(at);
    drawBoard();
    drawTable();
    drawCharts();
    drawEvents();
    drawMove();
    const over = film.text(3), remark = `step ${at}/${last}` + (over && `, over: ${over}`);
    const title = [film.text(2), remark].filter(Boolean).join("  ");
    $("now").textContent = title;
    $("seek").value = at;
    $("seek").setAttribute("aria-valuetext", title);
    $("speed").textContent = speed ? `${speed} step${speed === 1 ? "" : "s"}/s` : "full speed";
    $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    $("kind").textContent = kind === null ? "" : `n, N: ${kind}`;
    if (root.dataset.step !== String(at)) address();
    root.dataset.step = at;
    root.dataset.playing = Number(playing);
  }

  /** Whether the canvas has the size of this moment's board. */
  const fits = () => $("board").width === painter.size * film.width && $("board").height === painter.size * film.height;

  function drawBoard() {
    if (!fits()) arrange();
    const canvas = $("board"), s = painter.size, c = canvas.getContext("2d");
    c.drawImage(floor, 0, 0);
    const lines = [];
    for (let y = 0, cell = 0; y < film.height; y++) {
      let text = "";
      for (let x = 0; x < film.width; x++, cell++) {
        const mark = film.mark(cell);
        text += mark[0];
        if (mark[2] !== "empty" || mark[1].trim()) {
          const slot = film.first + 2 * cell;
          c.drawImage(painter.look(film.now[slot], film.now[slot + 1]), x * s, y * s);
        }
      }
      lines.push(text.trimEnd());
    }
    $("board-text").textContent = lines.join("\n");
    if (followed === null) return;
    for (let cell = 0; cell < film.width * film.height; cell++) {
      const mark = film.mark(cell);
      if (mark[5] === followed && mark[2] === "head") ring(c, cell % film.width * s, Math.floor(cell / film.width) * s, s);
    }
  }

  function ring(c, x, y, s) {
    const out = s * 0.1;
    for (const [width, colour] of [[0.2, "#000000"], [0.09, "#ffffff"]]) {
      c.strokeStyle = colour;
      c.lineWidth = Math.max(1, width * s);
      c.beginPath();
      c.roundRect(x - out, y - out, s + 2 * out, s + 2 * out, s * 0.4);
      c.stroke();
    }
  }

  function drawTable() {
    const worst = doc.limits.answer;
    rows.forEach(({ row, cells, rank, took, left }, seat) => {
      cells.forEach((cell, column) => put(cell, film.text(film.seatSlot(seat, column))));
      const place = film.text(film.seatSlot(seat, cells.length));
      put(rank, place && `#${place}`);
      const moved = film.moves[seat][film.lastMove(seat, at)], used = moved?.used ?? 0;
      fill(took, moved ? moved.took / moved.limit : 0, moved ? lapse(moved.took) : "-", `of ${lapse(moved?.limit ?? worst)}`);
      if (total === null) fill(left, null, lapse(used), "");
      else fill(left, Math.max(0, 1 - used / total), lapse(Math.max(0, total - used)), `of ${lapse(total)}`);
      if (seat === followed) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
      row.querySelector("button").setAttribute("aria-pressed", seat === followed);
      row.classList.toggle("out", film.text(film.seatSlot(seat, cells.length - 1)).startsWith("disqualified"));
    });
  }

  function put(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }

  function fill({ bar, text, cell }, part, words, limit) {
    bar.parentNode.hidden = part === null;
    bar.style.width = `${clamp(part, 0, 1) * 100}%`;
    bar.classList.toggle("high", part > 0.8 && cell.dataset.bar === "took");
    put(text, words);
    cell.title = limit && `${words} ${limit}`;
  }

  function drawCharts() {
    for (const canvas of [$("chart"), $("times")]) {
      const c = canvas.getContext("2d"), x = Math.round(at / Math.max(1, last) * canvas.width);
      c.drawImage(back.get(canvas), 0, 0);
      c.fillStyle = "#14171c99";
      c.fillRect(x, 0, canvas.width - x, canvas.height);
      c.fillStyle = "#ffffff";
      c.fillRect(clamp(x - devicePixelRatio, 0, canvas.width - 2 * devicePixelRatio), 0, 2 * devicePixelRatio, canvas.height);
    }
  }

  /** Points over time: a line a seat, with a pattern of its own and its number at the end. */
  function plot(c, width, height, pixel) {
    const every = film.scores.flatMap((score) => score.points).filter(Number.isFinite);
    const low = Math.min(0, ...extremes(every)), high = Math.max(1, ...extremes(every));
    const room = 12 * pixel, x = (step) => step / Math.max(1, last) * width;
    const y = (points) => height - room - (points - low) / (high - low) * (height - 2 * room);
    caption(c, pixel, "points");
    for (const value of ticks(low, high)) {
      c.fillStyle = "#2b3038";
      c.fillRect(0, Math.round(y(value)), width, Math.max(1, Math.round(pixel)));
      c.fillStyle = "#a3a9b3";
      c.textAlign = "left";
      c.fillText(value, 6 * pixel, y(value) - 7 * pixel);
    }
    const ends = film.scores.map((score, seat) => ({ seat, y: y(score.points.at(-1)) })).filter((end) => Number.isFinite(end.y));
    film.scores.forEach((score, seat) => {
      c.strokeStyle = doc.colours[seat][0];
      c.lineWidth = 2 * pixel;
      c.lineJoin = "round";
      c.setLineDash(DASHES[seat % DASHES.length].map((dash) => dash * pixel));
      c.beginPath();
      score.at.forEach((step, i) => {
        if (i) c.lineTo(x(step), y(score.points[i - 1])); else c.moveTo(x(step), y(score.points[i]));
        c.lineTo(x(step), y(score.points[i]));
      });
      c.lineTo(width, y(score.points.at(-1)));
      c.stroke();
    });
    c.setLineDash([]);
    ends.sort((one, other) => one.y - other.y);
    let least = 8 * pixel;
    ends.forEach((end, i) => {
      end.y = clamp(end.y, least, height - (ends.length - i - 0.5) * 15 * pixel);
      least = end.y + 15 * pixel;
      const [colour, , ink] = doc.colours[end.seat];
      c.fillStyle = colour;
      c.beginPath();
      c.roundRect(width - 19 * pixel, end.y - 7 * pixel, 16 * pixel, 14 * pixel, 3 * pixel);
      c.fill();
      c.fillStyle = ink;
      c.textAlign = "center";
      c.fillText(end.seat + 1, width - 11 * pixel, end.y + 0.5 * pixel);
    });
  }

  function caption(c, pixel, text) {
    c.font = `${11 * pixel}px system-ui, "DejaVu Sans", sans-serif`;
    c.textBaseline = "middle";
    c.textAlign = "center";
    c.fillStyle = "#a3a9b3";
    c.fillText(text, c.canvas.width / 2, 8 * pixel);
  }

  /** The time of each answer as a bar; a bar as high as the strip is the limit, a quarter less a tenth of it. */
  function strip(c, width, height, pixel) {
    caption(c, pixel, "time of each answer; the full height is its limit");
    const bars = film.moves.flatMap((moves, seat) => moves.map(({ step, took, limit }) => ({ step, seat, part: took / limit })));
    const wide = Math.max(1, Math.ceil(width / Math.max(1, last)) - 1);
    for (const { step, seat, part } of bars.sort((one, other) => other.part - one.part)) {
      const high = Math.round(clamp(1 + Math.log10(part || 1e-9) / 4, 0.02, 1) * height);
      c.fillStyle = doc.colours[seat][0];
      c.fillRect(clamp(Math.floor(step / Math.max(1, last) * width), 0, width - wide), height - high, wide, high);
    }
  }

  function drawEvents() {
    const end = lastUpTo(told, at) + 1, from = Math.max(0, end - EVENTS), list = $("events");
    const items = [];
    for (let event = from; event < end; event++) items.push(shown[event] ??= item(event));
    const same = list.childElementCount === items.length && list.lastChild === (items.at(-1) ?? null) && list.firstChild === (items[0] ?? null);
    if (!same) {
      list.replaceChildren(...items);
      list.scrollTop = list.scrollHeight;
    }
    for (const one of items) {
      one.classList.toggle("now", one.dataset.step === String(at));
      one.classList.toggle("marked", marked !== null && one.dataset.step === String(marked) && one.dataset.kind === kind);
    }
    $("none").hidden = end > 0;
  }

  function item(event) {
    const [step, , sentence] = doc.events[event];
    const link = el("a", { href: `#step=${step}` });
    for (const part of doc.told[sentence]) {
      if (typeof part === "string") link.append(part);
      else link.append(named(...part));
    }
    link.addEventListener("click", (click) => {
      click.preventDefault();
      stop(step);
    });
    return el("li", { "data-step": step, "data-kind": kinds[event], "data-round": doc.rounds[step - 1] || "–" }, link);
  }

  function named(seat, name) {
    const made = el("bdi");
    made.textContent = name;
    made.style.setProperty("--seat", doc.colours[seat][0]);
    return made;
  }

  /** The last move of the followed seat, else of seat 0. */
  function drawMove() {
    const seat = followed ?? 0, moved = film.moves[seat][film.lastMove(seat, at)], fault = Array.isArray(moved?.said);
    $("mover").replaceChildren(named(seat, film.text(film.seatSlot(seat, 1))));
    put($("moved"), moved ? `${doc.askNames[doc.asks[moved.step - 1]]}, step ${moved.step}` : "no move yet");
    fill(lasted, moved ? moved.took / moved.limit : 0, moved ? `${lapse(moved.took)} of ${lapse(moved.limit)}` : "", "");
    put($("request"), moved ? film.request(moved.step, moved.place) : "");
    put($("answer"), moved ? fault ? `${moved.said[0]}: ${moved.said[1]}` : moved.said : "");
    $("answer").classList.toggle("fault", fault);
    if (doc.logs) put($("log"), moved ? doc.logs[moved.step - 1][moved.place] : "");
  }

  // The parts that stay

  function timeCell(name) {
    const bar = el("i"), text = el("span"), cell = el("td", { "data-bar": name, class: "time" }, text, el("b", {}, bar));
    return { bar, text, cell };
  }

  const lasted = { bar: $("took").firstChild, text: $("lasted"), cell: $("took") };
  const figures = doc.columns.length - 1;
  $("seats").tHead.append(el("tr", {},
    el("th", { scope: "col" }, "rank"),
    ...doc.columns.slice(0, figures).map((name) => el("th", { scope: "col", "data-col": name }, name)),
    el("th", { scope: "col", title: "the time of the last answer, against its limit" }, "last"),
    el("th", { scope: "col" }, total === null ? "used" : "left"),
    el("th", { scope: "col", "data-col": doc.columns[figures] }, doc.columns[figures])));
  const rows = doc.colours.map(([colour, , ink], seat) => {
    const button = el("button", { type: "button" }), rank = el("td", { class: "rank" }), name = el("bdi");
    button.style.background = colour;
    button.style.color = ink;
    button.setAttribute("aria-label", `Follow seat ${seat + 1}`);
    button.addEventListener("click", () => follows(followed === seat ? null : seat));
    const nodes = doc.columns.map((_, column) => column === 0 ? button : column === 1 ? name : el("span"));
    const cells = doc.columns.map((column, index) => el("td", { "data-col": column }, nodes[index]));
    const took = timeCell("took"), left = timeCell("left");
    const row = el("tr", { "data-seat": seat }, rank, ...cells.slice(0, figures), took.cell, left.cell, cells[figures]);
    row.style.setProperty("--seat", colour);
    $("seats").tBodies[0].append(row);
    return { row, cells: nodes, rank, took, left };
  });
  const samples = doc.legend.map(([mark, sides, meaning]) => {
    const canvas = el("canvas", { "aria-hidden": "true" }), code = el("code"), words = el("span");
    code.textContent = doc.marks[mark][0];
    words.textContent = meaning;
    $("legend").append(el("li", {}, canvas, code, words));
    return { canvas, mark, sides };
  });
  $("log-part").hidden = !doc.logs;
  if (!doc.logs) $("log").remove();
  $("explained").hidden = doc.explanation === null;
  put($("explanation"), doc.explanation ?? "");
  $("seek").max = last;

  /** Give everything its size: the largest board of whole device pixels a cell for which there is room. */
  function arrange() {
    const pixel = devicePixelRatio || 1, frame = $("frame"), stage = $("stage"), side = $("side");
    stage.style.width = "";
    const twice = getComputedStyle($("match")).display === "grid" && side.offsetLeft > stage.offsetLeft;
    const inset = frame.offsetWidth - frame.clientWidth + parseFloat(getComputedStyle(frame).paddingLeft) * 2;
    const below = stage.offsetHeight - frame.offsetHeight + 24;
    const wide = (twice ? $("match").clientWidth - 430 : stage.clientWidth) - inset;
    const high = twice ? innerHeight - stage.getBoundingClientRect().top - scrollY - below - inset : Infinity;
    const room = Math.min(wide / film.width, Math.max(high, 320) / film.height);
    const size = Math.max(1, Math.floor(room * pixel + 1e-6));
    const board = $("board");
    board.width = size * film.width;
    board.height = size * film.height;
    board.style.width = `${board.width / pixel}px`;
    board.style.height = `${board.height / pixel}px`;
    if (twice) stage.style.width = `${Math.max(board.width / pixel + inset, 420)}px`;
    painter = new Painter(doc, size);
    floor = el("canvas");
    floor.width = board.width;
    floor.height = board.height;
    const c = floor.getContext("2d");
    c.fillStyle = doc.floor;
    c.fillRect(0, 0, floor.width, floor.height);
    const tile = el("canvas");
    tile.width = tile.height = size;
    painter.c = tile.getContext("2d");
    painter.tile();
    for (let cell = 0; cell < film.width * film.height; cell++) c.drawImage(tile, cell % film.width * size, Math.floor(cell / film.width) * size);
    const little = new Painter(doc, Math.round(26 * pixel));
    for (const { canvas, mark, sides } of samples) {
      canvas.width = canvas.height = little.size;
      canvas.getContext("2d").drawImage(little.look(mark, sides), 0, 0);
    }
    back = new Map([["chart", plot], ["times", strip]].map(([id, drawn]) => {
      const canvas = $(id), kept = el("canvas");
      kept.width = canvas.width = Math.round(canvas.clientWidth * pixel);
      kept.height = canvas.height = Math.round(canvas.clientHeight * pixel);
      const c = kept.getContext("2d");
      c.fillStyle = doc.floor;
      c.fillRect(0, 0, kept.width, kept.height);
      drawn(c, kept.width, kept.height, pixel);
      return [canvas, kept];
    }));
  }

  /** Write the step into the address, at most twice a second: browsers allow no more. */
  function address() {
    timer ||= setTimeout(() => {
      timer = 0;
      try { history.replaceState(null, "", `#step=${at}`); } catch { /* a page without an address of its own */ }
    }, 500);
  }

  function fromAddress() {
    const found = /^#step=(-?\d+)$/.exec(location.hash);
    return found ? clamp(Number(found[1]), 0, last) : 0;
  }

  const help = $("help");
  const dialog = () => help.open ? help.close() : help.showModal();
  const stride = Math.max(PAGE, Math.floor(last / STRIDES));
  const keys = {
    " ": () => play(!playing), "?": dialog,
    ArrowRight: () => stop(at + 1), ArrowLeft: () => stop(at - 1), ArrowDown: () => round(true), ArrowUp: () => round(false),
    PageDown: () => go(at + PAGE), PageUp: () => go(at - PAGE), "]": () => go(at + stride), "[": () => go(at - stride),
    Home: () => go(0), End: () => go(last), "+": faster, "=": faster, "-": slower, _: slower,
    n: () => seek(true), N: () => seek(false), m: () => move(true), M: () => move(false),
    f: () => follows(followed === null ? 0 : followed + 1 < doc.seats ? followed + 1 : null),
    F: () => follows(followed === null ? doc.seats - 1 : followed > 0 ? followed - 1 : null),
    Escape: () => { if (!help.open) { kind = marked = null; refresh(); } },
  };
  for (let digit = 0; digit < 10; digit++) keys[digit] = () => setSpeed(digit ? 2 ** (digit - 1) : UNLIMITED);
  addEventListener("keydown", (event) => {
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && event.target.closest?.("button, summary")) return;
    if (event.key !== "Escape") event.preventDefault();
    act();
  });

  const clicks = { play: keys[" "], prev: keys.ArrowLeft, next: keys.ArrowRight, slower, faster, keys: dialog, close: dialog };
  for (const [id, act] of Object.entries(clicks)) $(id).addEventListener("click", act);
  $("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  $("seek").addEventListener("input", () => go(Number($("seek").value)));
  for (const id of ["chart", "times"]) {
    $(id).addEventListener("click", (event) => {
      const box = $(id).getBoundingClientRect(), left = box.left + $(id).clientLeft;
      go(Math.round((event.clientX - left) / $(id).clientWidth * last));
    });
  }
  addEventListener("hashchange", () => stop(fromAddress()));
  addEventListener("resize", () => { arrange(); refresh(); });

  at = fromAddress();
  root.dataset.step = at;
  film.go(at);
  arrange();
  draw();
  root.dataset.ready = 1;
}

/** The least and the greatest of many numbers; none of none. */
function extremes(values) {
  return values.length ? [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))] : [];
}

/** A few round numbers from `low` to `high`. */
function ticks(low, high) {
  const power = 10 ** Math.floor(Math.log10((high - low) / 2));
  const step = [1, 2, 5, 10].map((part) => part * power).find((part) => (high - low) / part <= 4);
  const first = Math.ceil(low / step), found = [];
  for (let i = first; i * step <= high; i++) found.push(Number((i * step).toPrecision(6)));
  return found;
}

read($("data").textContent).then(show).catch((failed) => {
  root.dataset.ready = "error";
  const old = typeof DecompressionStream === "undefined" ? "This browser is too old for it: it needs one of 2023 or later. " : "";
  $("failed").textContent = `This match cannot be shown. ${old}${failed}`;
  $("failed").hidden = false;
});
})();
