// @NAME@: a first bot for SnakeCore. It collects blocks, carries them home, and keeps its body out of rivals' reach.
//
// The SDK (snake.js) talks to the referee and calls `choose` once a turn: start reading there. Output of console.log
// goes to the bot's log, so `console.log(area)` shows what the bot sees. Rule numbers are those of `referee rules`.

"use strict";

const { run } = require("snake"); // by hand: NODE_PATH=$(referee sdk path javascript)

/** It delivers with this many blocks. n blocks score n(n + 1)/2 (rule 13), so larger loads score more and risk more. */
const ENOUGH = 10;

/**
 * The action of this turn: one of U L D R (move), N (wait), A (raise the shield).
 * @param {import("snake").AreaInfo} area
 */
function choose(area) {
  let best = errand(area);
  // Another step is better only if it is safer. It may lead to an empty cell, to my own tail, which moves away in time
  // (rule 12), or to a free block. Waiting is not an option, since two careful bots would wait for each other.
  for (const action of "ULDR") {
    const open = ["move", "eat"].includes(area.outcome(action).kind);
    if (open && danger(area, action) < danger(area, best)) {
      best = action;
    }
  }
  if (danger(area, best) > 0 && area.me.energy > 0) {
    return "A"; // no move is safe, but an energy block protects me for ten turns (rule 14)
  }
  return best;
}

/**
 * Where I would go without rivals: to a reactor if I carry enough blocks or none are left, otherwise to the nearest
 * block.
 */
function errand(area) {
  const blocks = area.me.body.length;
  if (blocks >= ENOUGH) {
    return area.firstStep(area.reactors, area.freeBlocks);
  }
  if (blocks > 0) {
    return area.firstStep(area.freeBlocks, area.reactors);
  }
  return area.firstStep(area.freeBlocks);
}

/** How many blocks a rival could bite off me in its next turn if I did this now (rule 11). */
function danger(area, action) {
  const later = area.after(action);
  let worst = 0;
  for (const rival of later.rivals) {
    for (const direction of "ULDR") {
      const bite = later.outcome(direction, rival.index);
      if (bite.victim === later.me.index) {
        worst = Math.max(worst, bite.points);
      }
    }
  }
  return worst;
}

run("@NAME@", choose);
