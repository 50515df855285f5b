// @NAME@, a first bot for the Easter egg hunt. It goes to the nearest egg that it sees, and straight on when it sees none.
//
// It stays for the whole match, so what it wants to know next turn it keeps in variables. Rule numbers are those of
// `referee rules egghunt`. console.error writes to the bot's log; console.log would spoil its answers.

"use strict";

const readline = require("readline");

/** What each direction does to x and y (rule 3): they go clockwise, and the first is direction 1. */
const STEPS = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]];
const STAY = 9;

/** What lasts from turn to turn: the last direction, and dice that roll the same way in every match. */
const seen = { heading: STAY, dice: 1 };

/**
 * Decides a turn: returns a direction and a stance (A, C or N).
 * @param {string[]} rows the five lines that it sees, with itself in the middle
 */
function choose(rows) {
  for (const letter of rows.join("")) {
    seen.dice = (seen.dice * 31 + letter.charCodeAt(0)) % 1000003;
  }
  let direction = wayToAnEgg(rows);
  // Two who want the same egg would push each other back for ever, so now and then it goes on instead.
  if (direction === 0 || seen.dice % 8 === 0) {
    direction = straightOn(rows, Math.floor(seen.dice / 8));
  }
  seen.heading = direction;
  const ontoAnEgg = direction !== STAY && at(rows, STEPS[direction - 1]) === "o";
  // Only who does nothing collects (rule 5); elsewhere an attack pushes back whoever does nothing.
  return [direction, ontoAnEgg ? "N" : "A"];
}

/** What is so many cells to the right and below: o an egg, # a wall, * a player, X nothing of the field, else blank. */
function at(rows, [x, y]) {
  return rows[2 + y][2 + x];
}

/** Whether a cell is in view and can be entered. */
function isOpen(rows, [x, y]) {
  return Math.abs(x) <= 2 && Math.abs(y) <= 2 && !"#X".includes(at(rows, [x, y]));
}

/** The first step of a shortest way to an egg in view; 0 without one. */
function wayToAnEgg(rows) {
  const first = new Map(); // by which first step a cell is reached
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

/** The direction of the last step, as long as no wall is there; then any other. */
function straightOn(rows, dice) {
  const free = STEPS.map((_, index) => index + 1).filter((number) => isOpen(rows, STEPS[number - 1]));
  if (free.length === 0) {
    return STAY;
  }
  return free.includes(seen.heading) && dice % 6 !== 0 ? seen.heading : free[Math.floor(dice / 6) % free.length];
}

// Talks to the referee: a name once, then a turn each time, three lines for the six that follow the request's name.
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
    process.stdout.write(`${direction}\n${stance}\n\n`); // an empty memory: none is needed
  }
});
