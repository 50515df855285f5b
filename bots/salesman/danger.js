// The map of danger: where the rivals will soon be, and what they could bite.

"use strict";

const { sameCell } = require("snake");

const { FAR } = require("./terrain");

/** The share of a rival's danger that remains after each move. */
const REACH = 0.8;

/** A rival that has not moved for this many turns is asleep, perhaps disqualified (rule 17), and ignored. */
const DROWSY = 4;

/** Remembers which pythons move: the only data kept from turn to turn. */
class Watch {
  constructor() {
    /** @type {{head: import("snake").Cell, turns: number}[]} by index */
    this.seen = [];
    /** The number of turns for which my own head has not moved. */
    this.idle = 0;
  }

  /**
   * The indices of the rivals that are asleep. Call this once a turn.
   * @param {import("snake").AreaInfo} area
   */
  asleep(area) {
    this.seen = area.pythons.map(({ head, index }) => {
      const before = this.seen[index];
      return { head, turns: before && sameCell(before.head, head) ? before.turns + 1 : 0 };
    });
    this.idle = this.seen[0].turns;
    return new Set(area.rivals.map(({ index }) => index).filter((index) => this.seen[index].turns >= DROWSY));
  }
}

/** How near and how dangerous the rivals are to each cell. */
class DangerMap {
  /**
   * @param {import("snake").AreaInfo} area
   * @param {import("./terrain").Terrain} terrain
   * @param {Set<number>} asleep
   */
  constructor(area, terrain, asleep) {
    this.asleep = asleep;
    /** By cell: the moves of the nearest rival to it. */
    this.nearest = new Float64Array(terrain.size ** 2).fill(FAR);
    /** By cell: 1 for a rival's head right there, less the further away it is; several add up. */
    this.peril = new Float64Array(terrain.size ** 2);
    for (const rival of this.awake(area)) {
      terrain.walks(terrain.number(rival.head)).forEach((moves, number) => {
        this.nearest[number] = Math.min(this.nearest[number], moves);
        this.peril[number] += REACH ** moves;
      });
    }
  }

  /** @param {import("snake").AreaInfo} area */
  awake(area) {
    return area.rivals.filter(({ index }) => !this.asleep.has(index));
  }

  /**
   * The largest number of blocks that a rival can bite off me in its next turn.
   * @param {import("snake").AreaInfo} area
   */
  worstBite(area) {
    let worst = 0;
    for (const rival of this.awake(area)) {
      for (const direction of "ULDR") {
        const { victim, points } = area.outcome(direction, rival.index);
        worst = victim === 0 ? Math.max(worst, points) : worst;
      }
    }
    return worst;
  }
}

module.exports = { DangerMap, Watch };
