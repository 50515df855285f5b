// @NAME@: a first bot for the Easter egg hunt. It goes to the nearest egg in view, or straight on if there is none.
//
// It lives for the whole match, so it can keep data for the next turn in variables. Rule numbers are those of
// `referee rules egghunt`. console.error writes to the bot's log; console.log would spoil its answers.

"use strict";

const readline = require("readline");

/** The change of x and y for each direction (rule 3), clockwise from direction 1. */
const STEPS = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]];
const STAY = 9;

/** Data kept from turn to turn: the last direction and the random state, which is the same in every match. */
const seen = { heading: STAY, dice: 1 };

/**
 * Decides a turn: returns a direction and a stance (A, C or N).
 * @param {string[]} rows the five lines of its view, with itself in the middle
 */
function choose(rows) {
  for (const letter of rows.join("")) {
    seen.dice = (seen.dice * 31 + letter.charCodeAt(0)) % 1000003;
  }
  let direction = wayToAnEgg(rows);
  // Two bots that want the same egg would push each other back for ever, so now and then it walks on instead.
  if (direction === 0 || seen.dice % 8 === 0) {
    direction = straightOn(rows, Math.floor(seen.dice / 8));
  }
  seen.heading = direction;
  const ontoAnEgg = direction !== STAY && at(rows, STEPS[direction - 1]) === "o";
  // Only N collects an egg (rule 5); elsewhere, an attack pushes back any player that does nothing.
  return [direction, ontoAnEgg ? "N" : "A"];
}

/** The cell at this offset to the right and down: o an egg, # a wall, * a player, X outside the field, or a blank. */
function at(rows, [x, y]) {
  return rows[2 + y][2 + x];
}

/** Whether a cell is in view and can be entered. */
function isOpen(rows, [x, y]) {
  return Math.abs(x) <= 2 && Math.abs(y) <= 2 && !"#X".includes(at(rows, [x, y]));
}

/** The first step of a shortest path to an egg in view; 0 if there is none. */
function wayToAnEgg(rows) {
  const first = new Map(); // the first step on the path to each cell
  const cells = []; // the nearest come first
  const reach = (cell, step) => {
    if (isOpen(rows, cell) && !first.has(String(cell))) {
      first.set(String(cell), step);
      cells.push(cell);
    }
  };
  STEPS.forEach((step, index) => reach(step, index + 1));
  for (const cell of cells) {
    if (at(rows, cell) === "o") {
      return first.get(String(cell));
    }
    for (const [dx, dy] of STEPS) {
      reach([cell[0] + dx, cell[1] + dy], first.get(String(cell)));
    }
  }
  return 0;
}

/** The direction of the last step until a wall is in the way; then any other. */
function straightOn(rows, dice) {
  const free = STEPS.map((_, index) => index + 1).filter((number) => isOpen(rows, STEPS[number - 1]));
  if (free.length === 0) {
    return STAY;
  }
  return free.includes(seen.heading) && dice % 6 !== 0 ? seen.heading : free[Math.floor(dice / 6) % free.length];
}

// Talks to the referee: the name once, then for each turn three lines in answer to the six after the request's name.
let lines = null;
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (lines === null) {
    if (line === "getName") {
      process.stdout.write("@NAME@\n");
    } else if (line === "getAction") {
      lines = [];
    }
    return;
  }
  lines.push(line);
  if (lines.length === 6) {
    const [direction, stance] = choose(lines.slice(0, 5));
    lines = null;
    process.stdout.write(`${direction}\n${stance}\n\n`); // the memory is empty, because the bot needs none
  }
});
