// A program as the page edits it: functions from documents to documents (the contract's `Programs.document`), and what undo keeps.
//
// 1. A document is never changed: each edit makes another one, which shares what is the same. So undo is a list of documents.
// 2. A version is a document and its text. An edit of the grid knows only the document, an edit of the text only the text. The server
//    adds the other one (editor.js), and until then it is null.
// 3. Nothing is known here of what an element or a group means: a cell is two characters, a letter and a sign.

const PAUSE = 1000; // milliseconds after which typing goes on as another edit
const TURNS = ["U", "R", "D", "L"]; // the directions of heads, clockwise

/** The cells of a chart, as rows of two characters each. */
const cellsOf = (chart) => chart.rows.map((row) => row.trim().split(/\s+/));

/** The document with this chart in place of another one. */
const withChart = (doc, at, chart) => ({ ...doc, charts: doc.charts.with(at, chart) });

const withCells = (chart, cells) => ({ ...chart, rows: cells.map((row) => row.join(" ")) });

/** The direction of a cell that is a head, undefined for others. */
const facing = (doc, text) => doc.heads.find((head) => head.text === text)?.move;

const headOf = (doc, move) => doc.heads.find((head) => head.move === move).text;

/** The document with these two characters in a cell. A chart has one head: a new one takes it away, and nothing else can. */
function painted(doc, at, x, y, text) {
  const old = cellsOf(doc.charts[at]), head = facing(doc, text);
  if (old[y][x] === text || facing(doc, old[y][x]) && !head) return doc;
  const cells = old.map((row) => row.map((cell) => head && facing(doc, cell) ? doc.nothing : cell));
  cells[y][x] = text;
  return withChart(doc, at, withCells(doc.charts[at], cells));
}

/** The document with a chart turned to the right, or mirrored left to right, its head too. Neither changes what it means. */
function turned(doc, at, mirror) {
  const cells = cellsOf(doc.charts[at]), last = cells.length - 1;
  const from = (x, y) => mirror ? cells[y][last - x] : cells[last - x][y];
  const turn = (move) => mirror ? { L: "R", R: "L" }[move] ?? move : TURNS[(TURNS.indexOf(move) + 1) % 4];
  const image = (text) => facing(doc, text) ? headOf(doc, turn(facing(doc, text))) : text;
  return withChart(doc, at, withCells(doc.charts[at], cells.map((row, y) => row.map((_, x) => image(from(x, y))))));
}

/** The document with a chart at another place of the order. */
function reordered(doc, from, to) {
  return { ...doc, charts: doc.charts.toSpliced(from, 1).toSpliced(to, 0, doc.charts[from]) };
}

/** A chart that asks nothing: its head is in the middle, the direction up. */
function blank(doc) {
  const { charts: [like], nothing } = doc, side = like.rows.length, middle = (side - 1) / 2;
  const cells = like.rows.map(() => Array(side).fill(nothing));
  cells[middle][middle] = headOf(doc, "U");
  return withCells({ ...like, description: "", reads: "" }, cells);
}

/** The letter of a cell as in the palette, its group, and whether it is "except"; null for a head and for a cell that asks nothing. */
function partsOf(doc, text) {
  if (text === doc.nothing || facing(doc, text)) return null;
  const letter = text[0].toUpperCase();
  return { letter, group: text[1], not: letter !== text[0] };
}

const textOf = ({ letter, group, not }) => (not ? letter.toLowerCase() : letter) + group;

/** The versions of a program, to undo and redo. Edits of one kind in quick succession are undone together: a stroke, or a word that is typed. */
class History {
  at = 0;
  kind = null;

  constructor(first) { this.list = [first]; }

  get now() { return this.list[this.at]; }

  /** The document of now, or the last one before it: a text with a mistake has none. */
  get doc() { return this.list.slice(0, this.at + 1).findLast(({ doc }) => doc)?.doc; }

  add(version, kind) {
    const now = performance.now(), merge = kind !== null && kind === this.kind && now - this.time < PAUSE && this.at > 0;
    this.list = [...this.list.slice(0, this.at + (merge ? 0 : 1)), version].slice(-200);
    this.at = this.list.length - 1;
    this.kind = kind;
    this.time = now;
  }

  /** Go back (-1) or on (1); whether there was a version. */
  go(by) {
    if (!this.list[this.at + by]) return false;
    this.at += by;
    this.kind = null;
    return true;
  }
}
