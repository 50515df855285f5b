// Salesman: plans round trips like a travelling salesman: over several blocks in a good order, and home to a reactor.
//
// For each of its actions, it takes the board after the action, the action's score, the possible replies of rivals
// (danger.js), and the best tour from there (tours.js). It makes a new plan each turn, and remembers only the terrain and
// which pythons have not moved lately. All limits are numbers of tours, never times: the same requests get the same answers
// on every machine.

"use strict";

const { ACTIONS, run } = require("snake");

const { DangerMap, Watch } = require("./danger");
const { terrainOf } = require("./terrain");
const { Tours, fade } = require("./tours");
const { arrivals } = require("./ways");

/** The protocol does not say how long a game is; this is the usual length. */
const ROUNDS = 300;

/** The target load of a delivery: without a shield available, and more for each available shield. */
const AIM = 14;
const AIM_PER_SHIELD = 2;

/** The target is at most this share of its own and the free blocks, because the last ones take too long to find. */
const SHARE = 0.6;

/** The moves needed to find a block, if little time is left. */
const MOVES_PER_BLOCK = 4;

/** The assumed probability that a rival uses its chance of a bite. */
const FEAR = 0.7;

/** The extra cost of a block bitten off its own body: the time to eat it again. */
const SELF_BITE = 0.4;

/** The cost of a turn of waiting, in blocks. Each consecutive turn costs more, so the bot does not wait for ever for a plan
 * that looks better than its first step. */
const WAIT = 0.3;

/** A head that can reach fewer cells is in a trap, and this share of its body counts as lost. */
const ROOM = 12;
const CAUGHT = 0.5;

const watch = new Watch();

/** @param {import("snake").AreaInfo} area */
function choose(area) {
  const terrain = terrainOf(area);
  const left = area.turn <= ROUNDS ? ROUNDS - area.turn : ROUNDS;
  const danger = new DangerMap(area, terrain, watch.asleep(area));
  const supply = area.freeBlocks.length + area.me.blocks.length;
  const tours = new Tours(terrain, danger, supply, aim(area, supply, left), left);
  let [best, most] = ["N", -Infinity];
  for (const action of ACTIONS) {
    if (area.outcome(action).kind !== "skip") {
      const worth = value(area, action, tours);
      if (worth > most) {
        [best, most] = [action, worth];
      }
    }
  }
  return best;
}

/**
 * How many blocks a delivery should bring.
 * @param {import("snake").AreaInfo} area
 * @param {number} supply how many blocks are mine or free
 * @param {number} left the moves left in the game
 */
function aim({ me }, supply, left) {
  return Math.min(AIM + AIM_PER_SHIELD * me.energy, SHARE * supply, me.blocks.length + left / MOVES_PER_BLOCK);
}

/**
 * The worth of an action in points: its score and meals, its risk, and what it leads to.
 * @param {import("snake").AreaInfo} area
 * @param {string} action
 * @param {Tours} tours
 */
function value(area, action, tours) {
  const outcome = area.outcome(action);
  const board = area.after(action);
  const ways = arrivals(board, tours.terrain, tours.danger.asleep);
  const eaten = board.me.length - area.me.length;
  let worth = outcome.points + tours.block * (eaten - FEAR * tours.danger.worstBite(board));
  if (outcome.kind === "wait") {
    worth -= tours.block * WAIT * (1 + watch.idle);
  } else if (outcome.victim === 0) {
    worth += tours.block * SELF_BITE * eaten;
  }
  const room = ways.filter((moves) => moves < ROOM).length;
  if (room < Math.min(ROOM, board.me.length)) {
    worth -= tours.block * CAUGHT * board.me.blocks.length;
  }
  return worth + fade(1) * tours.best(board, ways);
}

run("Salesman", choose);
