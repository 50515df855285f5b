// The moments of a match, from what changes between them (referee/export/document.py describes the document).
//
// 1. A moment is an array of slots: the size of the board, the texts of the table, the mark of each cell, and the sides on which the
//    cell is joined to its neighbours. A `Film` applies changes to go on, and keeps a copy every GAP moments to go back.
// 2. Requests are lines that change from step to step. They are put together when somebody looks at one.
const GAP = 256;

/** The document that is packed in the page. */
async function read(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
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

/** Apply the changes to the request in this place of its step. */
function change(requests, place, [count, ...changes]) {
  const lines = requests[place] ??= [];
  lines.length = count;
  for (let i = 0; i < changes.length; i += 2) lines[changes[i]] = changes[i + 1];
}

class Film {
  /**
   * scores: of each seat, the steps at which its points change, and its points since then.
   * moves: the answers of each seat, with their time and its limit in seconds, and the time used so far.
   * rounds: the steps before the first step of each round. told, kinds: the step and the kind of each event. distinct: all kinds.
   * runs: for each event, the first of those before it that say the same, without another event between them.
   */
  constructor(doc) {
    this.doc = doc;
    this.last = doc.steps;
    this.row = doc.columns.length + 1;
    this.first = 4 + doc.seats * this.row;
    this.now = new Int32Array(this.first + 2 * doc.cells);
    this.told = doc.events.map(([step]) => step);
    this.kinds = doc.events.map(([, kind]) => doc.kinds[kind]);
    this.distinct = [...new Set(this.kinds)];
    this.runs = [];
    const round = (step) => doc.rounds[step - 1];
    doc.events.forEach(([step, kind, told], i, { [i - 1]: before }) => {
      this.runs.push(before?.[1] === kind && before[2] === told && !(round(step) < round(before[0])) ? this.runs[i - 1] : i);
    });
    this.scores = doc.colours.map(() => []);
    this.moves = doc.colours.map(() => []);
    this.rounds = [];
    this.kept = [];
    const requests = [];
    for (let k = 0; k <= this.last; k++) {
      this.apply(doc.frames[k]);
      if (k) this.note(k, requests);
      this.scores.forEach((score, seat) => {
        const points = Number(this.text(seat, 2));
        if (points !== score.at(-1)?.points) score.push({ step: k, points });
      });
      if (k % GAP === 0) this.kept.push([this.now.slice(), requests.map((lines) => lines.slice())]);
    }
    this.at = this.last;
  }

  apply(changes) {
    for (let i = 0; i < changes.length; i += 2) this.now[changes[i]] = changes[i + 1];
  }

  note(step, requests) {
    const { doc } = this, { first, answer, total } = doc.limits;
    if (step === 1 || doc.rounds[step - 1] !== doc.rounds[step - 2]) this.rounds.push(step - 1);
    doc.moves[step - 1].forEach(([seat, ms, said, asked, cpu], place) => {
      const moves = this.moves[seat], before = moves.at(-1)?.used ?? 0, took = ms / 1000;
      const limit = Math.min(moves.length ? answer : first, total === null || doc.byCpu ? Infinity : total - before);
      const used = before + (doc.byCpu && cpu !== undefined ? cpu / 1000 : took);
      moves.push({ step, place, said, took, limit, used });
      change(requests, place, asked);
    });
  }

  /** Make moment `k` the current one. */
  go(k) {
    if (k < this.at || k - this.at > GAP) {
      this.at = k - k % GAP;
      this.now.set(this.kept[this.at / GAP][0]);
    }
    while (this.at < k) this.apply(this.doc.frames[++this.at]);
  }

  get width() { return this.now[0]; }

  get height() { return this.now[1]; }

  /** What is in a column of a seat; the last column is its rank. */
  text(seat, column) { return this.doc.texts[this.now[4 + seat * this.row + column]]; }

  /** The first line of the plain text. */
  get title() {
    const [title, over] = [2, 3].map((slot) => this.doc.texts[this.now[slot]]);
    const remark = `step ${this.at}/${this.last}` + (over && `, over: ${over}`);
    return title ? `${title}  ${remark}` : remark;
  }

  /** The index of the mark of a cell, and its joined sides. */
  cell(index) {
    const slot = this.first + 2 * index;
    return [this.now[slot], this.now[slot + 1]];
  }

  /** A seat's points at moment `k`. */
  pointsAt(seat, k) { return this.scores[seat][lastUpTo(this.scores[seat], k, (score) => score.step)].points; }

  /** The place of a seat's last move up to moment `k`, -1 without one. */
  lastMove(seat, k) { return lastUpTo(this.moves[seat], k, (move) => move.step); }

  /** The request of a move. */
  request({ step, place }) {
    const from = step - step % GAP, requests = this.kept[from / GAP][1].map((lines) => lines.slice());
    for (let k = from; k < step; k++) this.doc.moves[k].forEach((move, other) => change(requests, other, move[3]));
    return requests[place].join("\n");
  }
}
