// Reads commands about boards, one a line, and prints what the JavaScript SDK answers, one line for each.

"use strict";

const fs = require("fs");
const { AreaInfo, neighbour } = require("snake");

/** Bytes as they come, a character for each: a board may hold any. */
const lines = fs.readFileSync(0, "latin1").split("\n");
let area = AreaInfo.parse("1\np\n0 1 0 0");

const orDash = (text) => (text === "" ? "-" : String(text));
const cellText = (cell) => `${cell.x},${cell.y}`;
const cellsText = (cells) => orDash(Array.from(cells, cellText).join(" "));
const indices = (pythons) => orDash(pythons.map((python) => python.index).join(" "));

/** The cells that a list of numbers means. */
function cellsOf(words) {
  const cells = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    cells.push({ x: Number(words[at]), y: Number(words[at + 1]) });
  }
  return cells;
}

/** The groups of cells between lone slashes. */
function groupsOf(words) {
  const groups = [[]];
  for (const word of words) {
    if (word === "/") {
      groups.push([]);
    } else {
      groups[groups.length - 1].push(word);
    }
  }
  return groups.map(cellsOf);
}

function outcomeText({ kind, target, points, why, victim }) {
  return [kind, cellText(target), points, orDash(why), victim === null ? "-" : victim].join(" ");
}

function distancesText(distances) {
  const found = Array.from(distances).sort(([a], [b]) => a.y - b.y || a.x - b.x);
  return orDash(found.map(([cell, moves]) => `${cellText(cell)}=${moves}`).join(" "));
}

const python = (words) => area.pythons[Number(words[0])];
const cell = (words) => cellsOf(words)[0];

const ANSWERS = {
  size: () => area.size,
  turn: () => area.turn,
  text: () => orDash(String(area).replace(/\n/g, "/")),
  pythons: () => indices(area.pythons),
  me: () => area.me.index,
  rivals: () => indices(area.rivals),
  reactors: () => cellsText(area.reactors),
  free_blocks: () => cellsText(area.freeBlocks),
  free_energy: () => cellsText(area.freeEnergy),
  any_move: () => area.anyMove(),
  index: (words) => python(words).index,
  shield: (words) => python(words).shield,
  cells: (words) => cellsText(python(words).cells),
  blocks: (words) => orDash(python(words).blocks),
  head: (words) => cellText(python(words).head),
  tail: (words) => cellText(python(words).tail),
  body: (words) => cellsText(python(words).body),
  length: (words) => python(words).length,
  energy: (words) => python(words).energy,
  value: (words) => python(words).value,
  owner: (words) => (area.owner(cell(words)) === null ? "-" : area.owner(cell(words)).index),
  is_inside: (words) => area.isInside(cell(words)),
  is_wall: (words) => area.isWall(cell(words)),
  is_reactor: (words) => area.isReactor(cell(words)),
  is_empty: (words) => area.isEmpty(cell(words)),
  is_head: (words) => area.isHead(cell(words)),
  is_block: (words) => area.isBlock(cell(words)),
  is_energy: (words) => area.isEnergy(cell(words)),
  is_linked: (words) => area.isLinked(cell(words)),
  is_free_block: (words) => area.isFreeBlock(cell(words)),
  outcome: ([action, index]) => outcomeText(area.outcome(action, Number(index))),
  can_move: ([direction, index]) => area.canMove(direction, Number(index)),
  after: ([action, index]) => {
    area = area.after(action, Number(index));
    return "ok";
  },
  neighbour: ([x, y, direction]) => cellText(neighbour({ x: Number(x), y: Number(y) }, direction)),
  distances: (words) => distancesText(area.distances(cell(words))),
  path: (words) => cellsText(area.path(...cellsOf(words))),
  step_towards: (words) => area.stepTowards(cellsOf(words)),
  first_step: (words) => area.firstStep(...groupsOf(words)),
};

/** What the SDK answers to a command; `error` where it refuses. Anything else that it throws is a defect. */
function answer(command, words) {
  try {
    if (command === "area") {
      const request = Array.from({ length: Number(words[0]) }, () => lines.pop() || "");
      area = AreaInfo.parse(request);
      return "ok";
    }
    return String(ANSWERS[command](words));
  } catch (refused) {
    if (refused instanceof RangeError) {
      return "error";
    }
    throw refused;
  }
}

const answers = [];
lines.reverse(); // they are taken from the end, where that is cheap
while (lines.length > 0) {
  const [command, ...words] = lines.pop().split(/\s+/).filter(Boolean);
  if (command !== undefined) {
    answers.push(answer(command, words) + "\n");
  }
}
process.stdout.write(answers.join(""));
