/**
 * Write a SnakeCore bot in JavaScript: this one file, nothing else to install (Node 14 or newer).
 *
 * A complete bot, which collects blocks and delivers when it has four:
 *
 *     const { run } = require("snake");
 *
 *     function choose(area) {
 *       if (area.me.length > 4 || area.freeBlocks.length === 0) {
 *         return area.stepTowards(area.reactors);
 *       }
 *       return area.stepTowards(area.freeBlocks);
 *     }
 *
 *     run("Ten Lines", choose);
 *
 * The referee sets NODE_PATH, so `require("snake")` finds this file. By hand, use `NODE_PATH=sdk/javascript node main.js`,
 * or put a copy beside the bot and write `require("./snake")`. `import` does not look there: use `require`, in a .js
 * file without `import`.
 *
 * Cells are objects {x, y}: x grows to the right, y grows DOWNWARDS, {x: 0, y: 0} is the top left. So "U" is y - 1, "D" is
 * y + 1. Two objects for the same cell are not `===`: compare them with `sameCell(a, b)`.
 * Rule numbers are those that `referee rules` prints. Nothing here is random: equal boards give equal answers.
 * Invalid calls throw a RangeError; a value that is not a cell throws a TypeError.
 */

"use strict";

const fs = require("fs");
const { inspect } = require("util");

/**
 * @typedef {{readonly x: number, readonly y: number}} Cell
 * @typedef {"U" | "L" | "D" | "R"} Direction
 * @typedef {Direction | "N" | "A"} Letter
 * @typedef {"move" | "eat" | "bite" | "deliver" | "shield" | "wait" | "skip"} Kind
 * @typedef {"" | "edge" | "wall" | "head" | "tail" | "shield" | "no-energy"} Why
 */

/** The six letters that `choose` may return (rule 8). */
const ACTIONS = "ULDRNA";

/**
 * The four moves and what they add to x and y. Ties between equally good paths are broken in this order.
 * @type {Readonly<Record<Direction, Cell>>}
 */
const DIRECTIONS = Object.freeze({
  U: Object.freeze({ x: 0, y: -1 }),
  L: Object.freeze({ x: -1, y: 0 }),
  D: Object.freeze({ x: 0, y: 1 }),
  R: Object.freeze({ x: 1, y: 0 }),
});

const LETTERS = /** @type {Direction[]} */ (Object.keys(DIRECTIONS));
const SPACED = Array.from(ACTIONS).join(" ");

/**
 * Readable names for the six letters.
 * @type {Readonly<Record<"UP" | "LEFT" | "DOWN" | "RIGHT" | "WAIT" | "SHIELD", Letter>>}
 */
const Action = Object.freeze({ UP: "U", LEFT: "L", DOWN: "D", RIGHT: "R", WAIT: "N", SHIELD: "A" });

const [FIRST_LIMIT, ANSWER_LIMIT, TOTAL_LIMIT] = [15, 1, 120]; // seconds, rule 18
const SHIELD_TURNS = 10; // rule 14

// Bytes of a field, which is stored row by row inside a frame of zeros: a step is an addition and needs no test for the
// edge.
const [EMPTY, WALL, REACTOR, BLOCK, ENERGY, HEAD] = Array.from(".WRbep", (letter) => letter.charCodeAt(0));
const KNOWN = new Uint8Array(256).fill(EMPTY);
for (const byte of [WALL, REACTOR, BLOCK, ENERGY, HEAD]) {
  KNOWN[byte] = byte;
}

// What a byte means for a path. All others are 0: blocked.
const [THROUGH, END] = [1, 2];
const WAYS = new Uint8Array(256);
WAYS[EMPTY] = WAYS[BLOCK] = WAYS[ENERGY] = THROUGH;
WAYS[REACTOR] = END;

/** What an action would do (rules 8-15). */
class Outcome {
  /**
   * @param {Kind} kind
   * @param {Cell} target
   * @param {{points?: number, why?: Why, victim?: number | null}} [more]
   */
  constructor(kind, target, { points = 0, why = "", victim = null } = {}) {
    this.kind = kind;
    /** The cell that the action aims at, possibly off the field; the head's own cell for "N" and "A". */
    this.target = target;
    /** The points that it scores; 0 for a bite into its own body and for a delivery without a body. */
    this.points = points;
    /** For a skip, the obstacle; otherwise "". */
    this.why = why;
    /** For a bite, the index of the bitten python (possibly the biter itself); otherwise null. */
    this.victim = victim;
  }
}

/** One python. Do not change its members: boards share them. */
class Python {
  /**
   * @param {number} index
   * @param {number} shield
   * @param {readonly Cell[]} cells
   * @param {string} blocks
   */
  constructor(index, shield, cells, blocks) {
    /** Its index in `area.pythons`; 0 is me, the others follow in the order of their moves. */
    this.index = index;
    /**
     * The remaining turns of protection, as in the request. My counter has already been decreased for this turn; the
     * others' are decreased when their turns begin (rule 7). Above 0, this python cannot be bitten.
     */
    this.shield = shield;
    /** The head first, the tail last. */
    this.cells = cells;
    /** The kinds of the body, a letter "b" or "e" for each block, from the one behind the head to the tail. */
    this.blocks = blocks;
  }

  get head() {
    return this.cells[0];
  }

  /** The cell of the last block, or of the head if there is no body. */
  get tail() {
    return this.cells[this.cells.length - 1];
  }

  /** The cells of the blocks, from the one behind the head to the tail. */
  get body() {
    return this.cells.slice(1);
  }

  /** Head and blocks together: 1 for a head alone (rule 5). */
  get length() {
    return this.cells.length;
  }

  /** The number of energy blocks in its body, which is how many shields it can still raise. */
  get energy() {
    return this.blocks.split("e").length - 1;
  }

  /** Points for delivering the whole body now: n(n + 1)/2 for n blocks (rule 13). */
  get value() {
    return (this.blocks.length * (this.blocks.length + 1)) / 2;
  }
}

/**
 * The number of moves from one cell to the others: like a read-only Map, but any {x, y} finds its cell.
 * Iterating gives [cell, moves] from the nearest to the farthest.
 * @implements {Iterable<[Cell, number]>}
 */
class Distances {
  /**
   * Made by `AreaInfo.distances`.
   * @param {number} size
   * @param {Int32Array} queue the spots in the order in which they were reached
   * @param {Int32Array} moves by spot
   * @param {Int32Array} before by spot: the previous spot of the path; 0: not reached
   */
  constructor(size, queue, moves, before) {
    this._size = size;
    this._queue = queue;
    this._moves = moves;
    this._before = before;
  }

  /** The number of reachable cells, including the start. */
  get size() {
    return this._queue.length;
  }

  /**
   * The number of moves; undefined if there is no path.
   * @param {Cell} cell
   * @returns {number | undefined}
   */
  get(cell) {
    return this.has(cell) ? this._moves[spotOf(this._size, cell)] : undefined;
  }

  /**
   * Whether the cell can be reached.
   * @param {Cell} cell
   */
  has(cell) {
    return liesInside(this._size, cell) && this._before[spotOf(this._size, cell)] !== 0;
  }

  /** @returns {IterableIterator<[Cell, number]>} */
  *[Symbol.iterator]() {
    const table = cellsBySpot(this._size);
    for (const spot of this._queue) {
      yield [table[spot], this._moves[spot]];
    }
  }
}

/** The board of one request, with queries about it. Boards never change: `after` returns a new one. */
class AreaInfo {
  /**
   * Made by `parse` and `after`.
   * @param {number} size
   * @param {Uint8Array} field a byte for each cell, row by row, inside a frame of zeros
   * @param {Python[]} pythons
   */
  constructor(size, field, pythons) {
    /** The field has size x size cells. */
    this.size = size;
    /** All pythons: me first, then the others in the order in which they move after me. */
    this.pythons = pythons;
    /** The number of getAction requests so far, including this one. */
    this.turn = 1;
    this._field = field;
    /** @type {number | null} the python whose shield clock is already decreased for a turn not yet played */
    this._ticked = 0;
    /** @type {Map<number, Distances>} by the start's spot */
    this._searches = new Map();
    /** @type {Uint8Array | null} */
    this._wayMap = null;
    /** @type {Int32Array | null} */
    this._partMap = null;
    /** @type {{reactors?: Cell[], freeBlocks?: Cell[], freeEnergy?: Cell[]}} */
    this._lists = {};
    this._answerEnds = 0;
    this._totalEnds = 0;
    this._setClocks(ANSWER_LIMIT, TOTAL_LIMIT);
  }

  /**
   * The board of a request given as text or lines: n, n rows, a line for each `p` on the map.
   *
   * A first line `getAction` is optional, and line ends may be CRLF. All characters except W R b e p mean empty cells.
   * Throws: RangeError, if a line or a number is missing or invalid, or a python is off the field.
   * @param {string | Iterable<string>} request
   * @returns {AreaInfo}
   */
  static parse(request) {
    const lines = typeof request === "string" ? request.replace(/\r?\n$/, "").split(/\r?\n/) : Array.from(request);
    let next = lines.length && /^[ \t-\r]*getAction[ \t-\r]*$/.test(lines[0]) ? 1 : 0;
    const area = readArea(() => (next < lines.length ? oneByteEach(lines[next++]) : null));
    if (area === null) {
      throw new RangeError("the request ends too early: after n must come n rows and one line for each python");
    }
    return area;
  }

  /** The board's rows as in the request. `console.log(area)` shows them too (on stderr while `run` is running). */
  toString() {
    const rows = [];
    for (let y = 0; y < this.size; y++) {
      const start = (y + 1) * (this.size + 2) + 1;
      rows.push(String.fromCharCode(...this._field.subarray(start, start + this.size)));
    }
    return rows.join("\n");
  }

  [inspect.custom]() {
    return this.toString();
  }

  // Time, in seconds. The protocol sends no clocks, so the SDK measures, from the first request on.

  /** The time left of the 120 s for all my answers. */
  get timeLeft() {
    return this._totalEnds - now();
  }

  /** The time left for this answer, of 1 s (15 s for the first answer). */
  answerTimeLeft() {
    return Math.min(this._answerEnds - now(), this.timeLeft);
  }

  /**
   * @param {number} answer
   * @param {number} total
   */
  _setClocks(answer, total) {
    const moment = now();
    this._answerEnds = moment + answer;
    this._totalEnds = moment + total;
  }

  // The pythons

  get me() {
    return this.pythons[0];
  }

  /** All pythons except me. Those of disqualified players stay, but no longer move (rule 17). */
  get rivals() {
    return this.pythons.slice(1);
  }

  /** @returns {readonly Cell[]} */
  get reactors() {
    return this._lists.reactors || (this._lists.reactors = this._cellsWhere((spot) => this._field[spot] === REACTOR));
  }

  /**
   * The free blocks of both kinds, row by row.
   * @returns {readonly Cell[]}
   */
  get freeBlocks() {
    if (!this._lists.freeBlocks) {
      const [field, parts] = [this._field, this._parts()];
      this._lists.freeBlocks = this._cellsWhere((spot) => isBlockByte(field[spot]) && parts[spot] === 0);
    }
    return this._lists.freeBlocks;
  }

  /**
   * The free energy blocks.
   * @returns {readonly Cell[]}
   */
  get freeEnergy() {
    return this._lists.freeEnergy || (this._lists.freeEnergy = this.freeBlocks.filter((cell) => this.isEnergy(cell)));
  }

  /**
   * The python whose head or block occupies the cell; null for a free block or anything else.
   * @param {Cell} cell
   * @returns {Python | null}
   */
  owner(cell) {
    return this.isInside(cell) ? this.pythons[this._parts()[this._spot(cell)] - 1] || null : null;
  }

  // The content of a cell. All are false off the field.

  /** @param {Cell} cell */
  isInside(cell) {
    return liesInside(this.size, cell);
  }

  /** @param {Cell} cell */
  isWall(cell) {
    return this._at(cell) === WALL;
  }

  /** @param {Cell} cell */
  isReactor(cell) {
    return this._at(cell) === REACTOR;
  }

  /** @param {Cell} cell */
  isEmpty(cell) {
    return this._at(cell) === EMPTY;
  }

  /** @param {Cell} cell */
  isHead(cell) {
    return this._at(cell) === HEAD;
  }

  /**
   * A block of any kind, free or linked.
   * @param {Cell} cell
   */
  isBlock(cell) {
    return isBlockByte(this._at(cell));
  }

  /**
   * An energy block, free or linked.
   * @param {Cell} cell
   */
  isEnergy(cell) {
    return this._at(cell) === ENERGY;
  }

  /**
   * A block that is part of a python's body (rule 3).
   * @param {Cell} cell
   */
  isLinked(cell) {
    return this.isBlock(cell) && this._parts()[this._spot(cell)] !== 0;
  }

  /**
   * A free block of any kind, which can be eaten.
   * @param {Cell} cell
   */
  isFreeBlock(cell) {
    return this.isBlock(cell) && this._parts()[this._spot(cell)] === 0;
  }

  /**
   * The byte of the field; 0 off it.
   * @param {Cell} cell
   */
  _at(cell) {
    return this.isInside(cell) ? this._field[this._spot(cell)] : 0;
  }

  /** @param {Cell} cell */
  _spot(cell) {
    return spotOf(this.size, cell);
  }

  /**
   * @param {(spot: number) => boolean} test
   * @returns {Cell[]}
   */
  _cellsWhere(test) {
    const table = cellsBySpot(this.size);
    return table.filter((_, spot) => test(spot));
  }

  /** By spot: 1 + the index of the python that occupies it; 0 for none. */
  _parts() {
    if (this._partMap === null) {
      this._partMap = new Int32Array(this._field.length);
      for (const python of this.pythons) {
        for (const cell of python.cells) {
          this._partMap[this._spot(cell)] = python.index + 1;
        }
      }
    }
    return this._partMap;
  }

  // Actions, by the rules

  /**
   * What `action` of the python with that index (0: me) would do now, by rules 8-15.
   *
   * Throws: RangeError, if the action is not one of U L D R N A, or there is no such python.
   * @param {string} action
   * @param {number} [python]
   * @returns {Outcome}
   */
  outcome(action, python = 0) {
    const mover = this._python(python);
    if (action === "N") {
      return new Outcome("wait", mover.head);
    }
    if (action === "A") {
      return mover.blocks.includes("e")
        ? new Outcome("shield", mover.head)
        : new Outcome("skip", mover.head, { why: "no-energy" });
    }
    const target = neighbour(mover.head, action);
    const what = this._at(target);
    if (what === EMPTY) {
      return new Outcome("move", target);
    }
    if (what === REACTOR) {
      return new Outcome("deliver", target, { points: mover.value });
    }
    if (!isBlockByte(what)) {
      return new Outcome("skip", target, { why: what === WALL ? "wall" : what === HEAD ? "head" : "edge" });
    }
    const owner = this.pythons.find((other) => placeOf(other, target) >= 0);
    if (owner === undefined) {
      return new Outcome("eat", target);
    }
    const own = owner === mover;
    if (sameCell(target, owner.tail)) {
      // Its own tail moves away in time (rule 12); a rival's cannot be bitten.
      return own ? new Outcome("move", target) : new Outcome("skip", target, { why: "tail" });
    }
    if ((own ? this._shieldAtTurn(owner) : owner.shield) !== 0) {
      return new Outcome("skip", target, { why: "shield" });
    }
    const lost = owner.length - placeOf(owner, target);
    return new Outcome("bite", target, { points: own ? 0 : lost, victim: owner.index });
  }

  /**
   * Whether the head would move there, by a move, a meal or a bite. A head never enters a reactor: see `outcome`.
   * @param {string} direction
   * @param {number} [python]
   */
  canMove(direction, python = 0) {
    return ["move", "eat", "bite"].includes(this.outcome(direction, python).kind);
  }

  /**
   * The board after that action of that python. My index stays 0.
   *
   * Blocks that would return (delivered, or used for a shield) are missing, since chance decides where (rule 16).
   * Shield clocks are updated. The board of a request is in the middle of my turn; every other call of `after` begins a
   * turn of its python, so its counter is decreased first (rule 7). For points, see `outcome`.
   * Throws: like `outcome`.
   * @param {string} action
   * @param {number} [python]
   * @returns {AreaInfo}
   */
  after(action, python = 0) {
    const done = this.outcome(action, python);
    const pythons = this.pythons.slice();
    const field = this._field.slice();
    const taken = String.fromCharCode(field[this._spot(done.target)]);
    if (done.victim !== null) {
      const loser = pythons[done.victim];
      const left = placeOf(loser, done.target);
      const [cells, blocks] = [loser.cells.slice(0, left), loser.blocks.slice(0, left - 1)];
      pythons[done.victim] = new Python(loser.index, loser.shield, cells, blocks);
    }
    const mover = pythons[python];
    let { cells, blocks } = mover;
    let shield = this._shieldAtTurn(mover);
    if (done.kind === "move") {
      cells = [done.target, ...cells.slice(0, -1)];
    } else if (done.kind === "eat" || done.kind === "bite") {
      cells = [done.target, ...cells];
      blocks = taken + blocks;
    } else if (done.kind === "deliver") {
      cells = cells.slice(0, 1);
      blocks = "";
    } else if (done.kind === "shield") {
      // Removes the energy block nearest to the head, and the chain closes up (rule 14).
      cells = cells.slice(0, -1);
      blocks = blocks.replace("e", "");
      shield += SHIELD_TURNS;
    }
    for (const cell of mover.cells) {
      field[this._spot(cell)] = EMPTY;
    }
    field[this._spot(cells[0])] = HEAD;
    for (let place = 1; place < cells.length; place++) {
      field[this._spot(cells[place])] = blocks.charCodeAt(place - 1);
    }
    pythons[python] = new Python(python, shield, cells, blocks);
    const area = new AreaInfo(this.size, field, pythons);
    area.turn = this.turn;
    area._ticked = null;
    area._answerEnds = this._answerEnds;
    area._totalEnds = this._totalEnds;
    return area;
  }

  /** @param {number} index */
  _python(index) {
    const python = this.pythons[index];
    if (python === undefined) {
      throw new RangeError(`there is no python ${index}: they are 0 to ${this.pythons.length - 1}`);
    }
    return python;
  }

  /** @param {Python} python */
  _shieldAtTurn(python) {
    return this._ticked === python.index ? python.shield : Math.max(0, python.shield - 1);
  }

  // Paths. They lead through empty cells, free blocks and my own tail. Anything else except a wall can only be their
  // end.

  /**
   * The number of moves from `start` to each reachable cell, if all others stand still:
   * `area.distances(area.me.head).get(cell)`, undefined if there is no path.
   *
   * Reactors, heads and linked blocks also have a distance, as ends of paths: the third move delivers to a reactor at
   * distance 3.
   * Throws: RangeError, if `start` is off the field.
   * @param {Cell} start
   * @returns {Distances}
   */
  distances(start) {
    if (!this.isInside(start)) {
      throw new RangeError(`the cell (${start.x}, ${start.y}) is off the field of ${this.size} x ${this.size}`);
    }
    const root = this._spot(start);
    const known = this._searches.get(root);
    if (known !== undefined) {
      return known;
    }
    const ways = this._ways();
    const before = new Int32Array(ways.length);
    const moves = new Int32Array(ways.length);
    const queue = new Int32Array(ways.length);
    const steps = [-this.size - 2, -1, this.size + 2, 1]; // U L D R
    let reached = 1;
    queue[0] = before[root] = root; // 0 means not reached: spot 0 is in the frame
    for (let looked = 0; looked < reached; looked++) {
      const spot = queue[looked];
      if (ways[spot] === THROUGH || spot === root) {
        for (let turn = 0; turn < 4; turn++) {
          const beside = spot + steps[turn];
          if (ways[beside] !== 0 && before[beside] === 0) {
            before[beside] = spot;
            moves[beside] = moves[spot] + 1;
            queue[reached++] = beside;
          }
        }
      }
    }
    const found = new Distances(this.size, queue.subarray(0, reached), moves, before);
    this._searches.set(root, found);
    return found;
  }

  /**
   * A shortest path from `start` (by default, my head): its cells, without `start` and with `to`; [] if there is none.
   *
   * Throws: RangeError, if `start` is off the field.
   * @param {Cell} to
   * @param {Cell} [start]
   * @returns {Cell[]}
   */
  path(to, start = this.me.head) {
    const distances = this.distances(start);
    if (!distances.has(to)) {
      return [];
    }
    const table = cellsBySpot(this.size);
    const way = [];
    for (let spot = this._spot(to); spot !== this._spot(start); spot = distances._before[spot]) {
      way.push(table[spot]);
    }
    return way.reverse();
  }

  /**
   * The direction of my first move to the nearest of the cells; "N" if none is reachable or I am already there.
   * @param {Iterable<Cell>} cells
   * @returns {Direction | "N"}
   */
  stepTowards(cells) {
    const { head } = this.me;
    const distances = this.distances(head);
    let near = head;
    let least = Infinity;
    for (const cell of cells) {
      const moves = distances.get(cell);
      if (moves !== undefined && (moves < least || (moves === least && (cell.x - near.x || cell.y - near.y) < 0))) {
        [near, least] = [cell, moves];
      }
    }
    const way = this.path(near);
    return LETTERS.find((letter) => way.length > 0 && sameCell(neighbour(head, letter), way[0])) || "N";
  }

  /**
   * The direction of my first move to the first reachable goal; `anyMove` if there is none.
   *
   * Each goal is a group of cells, the most important first: `area.firstStep(area.freeBlocks, area.reactors)`. The next
   * group counts only if no cell of a group is reachable. Within a group, the nearest cell counts.
   * @param {...Iterable<Cell>} goals
   * @returns {Direction | "N"}
   */
  firstStep(...goals) {
    for (const cells of goals) {
      const step = this.stepTowards(cells);
      if (step !== "N") {
        return step;
      }
    }
    return this.anyMove();
  }

  /**
   * A direction in which my head can move: to an empty cell or my tail, or else to a free block, or else by a bite.
   *
   * So a python without a goal keeps moving, and a trapped one bites its way out. "N" if no move is possible.
   * @returns {Direction | "N"}
   */
  anyMove() {
    const kinds = LETTERS.map((letter) => this.outcome(letter).kind);
    const best = ["move", "eat", "bite"].map((kind) => kinds.indexOf(/** @type {Kind} */ (kind))).find((at) => at >= 0);
    return best === undefined ? "N" : LETTERS[best];
  }

  /** By spot: THROUGH, END, or 0 for no way. */
  _ways() {
    if (this._wayMap === null) {
      const ways = this._field.map((byte) => WAYS[byte]);
      for (const python of this.pythons) {
        for (const cell of python.cells) {
          ways[this._spot(cell)] = END;
        }
      }
      if (this.me.length > 1) {
        ways[this._spot(this.me.tail)] = THROUGH;
      }
      this._wayMap = ways;
    }
    return this._wayMap;
  }
}

/**
 * The cell one step from `cell`, possibly off the field. Throws: RangeError, for a direction other than U L D R.
 * @param {Cell} cell
 * @param {string} direction
 * @returns {Cell}
 */
function neighbour(cell, direction) {
  if (!LETTERS.includes(/** @type {Direction} */ (direction))) {
    throw new RangeError(`${shown(direction)} is not one of ${SPACED}`);
  }
  const step = DIRECTIONS[/** @type {Direction} */ (direction)];
  return { x: cell.x + step.x, y: cell.y + step.y };
}

/**
 * Whether both are the same cell.
 * @param {Cell} one
 * @param {Cell} other
 */
function sameCell(one, other) {
  return one.x === other.x && one.y === other.y;
}

/**
 * Answers the referee until it closes the input: getName with `name`, getAction with `choose(area)`.
 *
 * While this runs, console.log and process.stdout.write write to stderr, the player's own log: only answers go to the
 * real stdout. Exceptions of `choose` are not caught: the program ends with a trace on stderr and status 1, which
 * disqualifies. Nothing else runs meanwhile: `choose` must return the letter itself, not a promise.
 * Throws: RangeError, for a name longer than 32 characters or with control characters in it, for an answer of
 * `choose` that is not one of U L D R N A, and for a request that is neither getName nor getAction.
 * @param {string} name
 * @param {(area: AreaInfo) => string} choose
 */
function run(name, choose) {
  const length = [...name].length;
  if (length > 32) {
    throw new RangeError(`the name ${shown(name)} is longer than 32 characters: ${length}`);
  }
  if (/[\x00-\x1f\x7f-\x9f]/.test(name)) {
    throw new RangeError(`the name ${shown(name)} contains a control character`);
  }
  const readLine = lineReader(0);
  const giveBack = takeOutputs();
  let [turn, spent, limit] = [0, 0, FIRST_LIMIT];
  try {
    for (let request = readLine(); request !== null; request = readLine()) {
      const began = now();
      let answer = name;
      if (withoutLineEnd(request) === "getAction") {
        const area = readArea(readLine);
        if (area === null) {
          return;
        }
        area.turn = ++turn;
        area._setClocks(limit, TOTAL_LIMIT - spent);
        answer = choose(area);
        if (typeof answer !== "string" || answer.length !== 1 || !ACTIONS.includes(answer)) {
          throw new RangeError(`choose must return one of ${SPACED}, it returned ${shown(answer)}`);
        }
      } else if (withoutLineEnd(request) !== "getName") {
        throw new RangeError(`the referee sent an unknown request: ${shown(request)}`);
      }
      writeAll(1, Buffer.from(answer + "\n", "utf8"));
      spent += now() - began;
      limit = ANSWER_LIMIT;
    }
  } finally {
    giveBack();
  }
}

// Reading boards. Lines are strings with a character (0-255) for each byte.

/**
 * The board after a `getAction` line; null if the input ends within it (`readLine` returns null).
 * @param {() => string | null} readLine
 * @returns {AreaInfo | null}
 */
function readArea(readLine) {
  const first = readLine();
  if (first === null) {
    return null;
  }
  const [size, ...surplus] = integers(first);
  if (size === undefined || size < 1 || surplus.length > 0) {
    throw new RangeError(`not the size of a field: ${shown(first)}`);
  }
  const rows = [];
  let heads = 0;
  for (let y = 0; y < size; y++) {
    const line = readLine();
    if (line === null) {
      return null;
    }
    rows.push(withoutLineEnd(line));
  }
  const width = size + 2;
  const field = new Uint8Array(width * width);
  rows.forEach((row, y) => {
    const start = (y + 1) * width + 1;
    for (let x = 0; x < size; x++) {
      const byte = x < row.length ? KNOWN[row.charCodeAt(x)] : EMPTY;
      field[start + x] = byte;
      heads += byte === HEAD ? 1 : 0;
    }
  });
  const pythons = [];
  for (let index = 0; index < heads; index++) {
    const line = readLine();
    if (line === null) {
      return null;
    }
    pythons.push(readPython(line, index, size, field));
  }
  return new AreaInfo(size, field, pythons);
}

/**
 * @param {string} line
 * @param {number} index
 * @param {number} size
 * @param {Uint8Array} field
 */
function readPython(line, index, size, field) {
  const numbers = integers(line);
  if (numbers.length < 4 || numbers.length !== 2 + 2 * numbers[1]) {
    throw new RangeError(`not a python's line, which is "shield length x0 y0 x1 y1 ...": ${shown(line)}`);
  }
  const table = cellsBySpot(size);
  const cells = [];
  let blocks = "";
  for (let at = 2; at < numbers.length; at += 2) {
    const cell = { x: numbers[at], y: numbers[at + 1] };
    if (!liesInside(size, cell)) {
      throw new RangeError(`a python's line with (${cell.x}, ${cell.y}), which is off the field: ${shown(line)}`);
    }
    const spot = spotOf(size, cell);
    cells.push(table[spot]);
    blocks += at > 2 ? String.fromCharCode(field[spot]) : "";
  }
  return new Python(index, numbers[0], cells, blocks);
}

/**
 * The numbers of a line. Throws: RangeError, if there is anything else.
 * @param {string} line
 */
function integers(line) {
  const numbers = [];
  for (let at = 0; at < line.length; at++) {
    // Without regular expressions, which would take ten times as long: long pythons make up most of a request.
    let code = line.charCodeAt(at);
    if (!isBlank(code)) {
      const negative = code === 45;
      if (negative || code === 43) {
        code = line.charCodeAt(++at);
      }
      const start = at;
      let number = 0;
      for (; code >= 48 && code <= 57; code = line.charCodeAt(++at)) {
        number = 10 * number + code - 48;
      }
      if (at === start || (at < line.length && !isBlank(code))) {
        throw new RangeError(`not whole numbers with spaces between them: ${shown(line)}`);
      }
      numbers.push(negative ? -number : number);
    }
  }
  return numbers;
}

/** @param {number} code */
function isBlank(code) {
  return code === 32 || (code >= 9 && code <= 13);
}

/** @param {string} line */
function withoutLineEnd(line) {
  return line.replace(/[\r\n]+$/, "");
}

/**
 * A character for each byte that the referee would have sent; anything beyond Latin-1 becomes one unknown character.
 * @param {string} line
 */
function oneByteEach(line) {
  return line.replace(/[^\x00-\xff]/gu, "?");
}

// Cells and spots: a spot is a cell's index in a framed field.

/**
 * @param {number} size
 * @param {Cell} cell
 */
function spotOf(size, cell) {
  return (cell.y + 1) * (size + 2) + cell.x + 1;
}

/**
 * @param {number} size
 * @param {Cell} cell
 */
function liesInside(size, cell) {
  if (!Number.isInteger(cell.x) || !Number.isInteger(cell.y)) {
    throw new TypeError(`a cell is an object {x, y} of two whole numbers, not ${shown(cell)}`);
  }
  return cell.x >= 0 && cell.x < size && cell.y >= 0 && cell.y < size;
}

/** @type {Map<number, Cell[]>} */
const tables = new Map();

/**
 * The cell of each byte of a framed field of that size.
 * @param {number} size
 */
function cellsBySpot(size) {
  let table = tables.get(size);
  if (table === undefined) {
    const width = size + 2;
    table = Array.from({ length: width * width }, (_, spot) =>
      Object.freeze({ x: (spot % width) - 1, y: Math.floor(spot / width) - 1 }),
    );
    tables.set(size, table);
  }
  return table;
}

/**
 * The index of a cell in a python's chain, 0 for the head; -1 if it is not one of its cells.
 * @param {Python} python
 * @param {Cell} cell
 */
function placeOf(python, cell) {
  return python.cells.findIndex((part) => sameCell(part, cell));
}

/** @param {number} byte */
function isBlockByte(byte) {
  return byte === BLOCK || byte === ENERGY;
}

// Input and output. Both are synchronous: an answer is written before the next line is read, and the log is never late.

/**
 * A function that returns the next line with its line end (the last one may lack it), or null at the end of the input.
 * @param {number} descriptor
 * @returns {() => string | null}
 */
function lineReader(descriptor) {
  let buffer = Buffer.alloc(1 << 16);
  let [start, end] = [0, 0];
  return () => {
    for (let searched = start; ; ) {
      const found = buffer.indexOf(10, searched);
      if (found >= 0 && found < end) {
        const line = buffer.toString("latin1", start, found + 1);
        start = found + 1;
        return line;
      }
      if (end === buffer.length) {
        const larger = start > 0 ? buffer : Buffer.alloc(2 * buffer.length);
        buffer.copy(larger, 0, start, end);
        [buffer, start, end] = [larger, 0, end - start];
      }
      searched = end;
      const got = read(descriptor, buffer, end);
      end += got;
      if (got === 0) {
        const unended = buffer.toString("latin1", start, end);
        start = end;
        return unended === "" ? null : unended;
      }
    }
  };
}

/**
 * @param {number} descriptor
 * @param {Buffer} buffer
 * @param {number} from
 */
function read(descriptor, buffer, from) {
  for (;;) {
    try {
      return fs.readSync(descriptor, buffer, from, buffer.length - from, null);
    } catch (failed) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (failed);
      if (code === "EOF") {
        return 0; // how Windows reports the end of a pipe
      }
      if (code !== "EAGAIN") {
        throw failed;
      }
      pause();
    }
  }
}

/**
 * @param {number} descriptor
 * @param {Uint8Array} bytes
 */
function writeAll(descriptor, bytes) {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += fs.writeSync(descriptor, bytes, written);
    } catch (failed) {
      if (/** @type {NodeJS.ErrnoException} */ (failed).code !== "EAGAIN") {
        throw failed;
      }
      pause();
    }
  }
}

/**
 * Redirects stdout and stderr to the log; returns a function that undoes this.
 *
 * Node creates these streams on first use, which takes 5 to 10 ms, a quarter of its start time. So a stream that has not
 * been used yet is redirected on first use.
 * @returns {() => void}
 */
function takeOutputs() {
  const undo = [];
  const take = (stream) => {
    const { write } = stream;
    stream.write = writeToLog;
    undo.push(() => {
      stream.write = write;
    });
    return stream;
  };
  for (const name of ["stdout", "stderr"]) {
    const property = Object.getOwnPropertyDescriptor(process, name);
    if (streamsMayBeThere() || !property || !property.get || !property.configurable) {
      take(process[name]);
      continue;
    }
    let taken = null;
    const get = () => (taken = taken || take(property.get.call(process)));
    Object.defineProperty(process, name, { ...property, get });
    undo.push(() => Object.defineProperty(process, name, property));
  }
  return () => undo.forEach((step) => step());
}

/**
 * No stream exists before Node has loaded its module for pipes, terminals, files or workers. If Node does not say what
 * it has loaded, one may exist.
 */
function streamsMayBeThere() {
  const loaded = process.moduleLoadList;
  const makers = / (net|tty|internal\/fs\/sync_write_stream|internal\/worker\/io)$/;
  return !Array.isArray(loaded) || loaded.some((module) => makers.test(module));
}

/**
 * Replaces the `write` of stdout and stderr. The original keeps data for a full pipe until the event loop runs, which
 * never happens here.
 * @param {string | Uint8Array} chunk
 */
function writeToLog(chunk) {
  writeAll(2, typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return true;
}

/** The pipe is non-blocking: wait a millisecond before the next attempt. */
function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

function now() {
  const [seconds, nanoseconds] = process.hrtime(); // `performance` would add 1 to 3 ms to each start
  return seconds + nanoseconds / 1e9;
}

/**
 * A value for an error message, shortened.
 * @param {unknown} value
 */
function shown(value) {
  const text = typeof value === "string" ? JSON.stringify(value) : inspect(value, { breakLength: Infinity });
  return text.length > 200 ? text.slice(0, 200) + "..." : text;
}

module.exports = { ACTIONS, DIRECTIONS, Action, AreaInfo, Distances, Outcome, Python, neighbour, run, sameCell };
