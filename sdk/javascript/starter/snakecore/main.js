// @NAME@, a bot for SnakeCore. It eats the nearest free block and delivers a load; it looks one turn ahead, raises its
// shield when a rival could bite, and avoids dead ends. Change anything: this file is the whole bot.

"use strict";

const { run } = require("snake"); // the SDK: snake.js describes all members of a board

/** The blocks of a load: n blocks score n(n + 1)/2 at a reactor, so one delivery of 8 is worth more than two of 4. */
const LOAD = 8;

/** A bite that costs at most this many blocks is not worth a shield or a detour. */
const BEARABLE = 1;

/**
 * Called once a turn: looks at the board and returns one letter, U L D R (move), N (wait) or A (raise the shield).
 * @param {import("snake").AreaInfo} area
 */
function choose(area) {
  const wish = wanted(area);
  if (harm(area, wish) <= BEARABLE) {
    return wish;
  }
  if (area.me.energy > 0 && harm(area, "A") <= BEARABLE) {
    return "A"; // uses up an energy block of the body; for ten turns, nobody can bite us
  }
  return leastHarmful(area, wish);
}

/** The first step to the most important reachable goal. */
function wanted(area) {
  const blocks = area.me.blocks.length;
  if (blocks >= LOAD) {
    return area.firstStep(area.reactors, area.freeBlocks);
  }
  if (blocks > 0) {
    return area.firstStep(area.freeBlocks, area.reactors);
  }
  return area.firstStep(area.freeBlocks); // a head alone scores nothing at a reactor
}

/** How many blocks an action may cost us: by our own bite, by a rival's next move, or because we could not move on. */
function harm(area, action) {
  const board = area.after(action); // the board after the action
  const bitten = area.outcome(action).victim === 0 ? area.me.length - board.me.length : 0;
  const boxedIn = board.anyMove() === "N" ? board.me.blocks.length : 0;
  return bitten + boxedIn + worstBite(board);
}

/** The largest number of blocks that a rival could bite off us in its next turn. */
function worstBite(board) {
  let worst = 0;
  for (const rival of board.rivals) {
    for (const direction of "ULDR") {
      const outcome = board.outcome(direction, rival.index);
      if (outcome.kind === "bite" && outcome.victim === 0) {
        worst = Math.max(worst, outcome.points);
      }
    }
  }
  return worst;
}

/** The least harmful move; the preferred one if no other is better. */
function leastHarmful(area, wish) {
  let best = wish;
  for (const direction of "ULDR") {
    if (area.canMove(direction) && harm(area, direction) < harm(area, best)) {
      best = direction;
    }
  }
  return best;
}

// Answers the referee until the game is over. console.log writes to the bot's log, never into the protocol.
run("@NAME@", choose);
