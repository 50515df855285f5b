// Tours: in which order to visit blocks, and when to go home with them.
//
// 1. A tour visits some stops, one after the other. It ends in a reactor, or its end is open. A stop is a free block; the
//    first one may be a rival's body instead.
// 2. No machine can try all orders of twenty blocks. So tours grow stop by stop: of two tours that have visited the same
//    blocks and are at the same one, only the better is kept, and of all tours of the same length only the most promising.
// 3. A delivery of n blocks scores n(n + 1)/2 points. With a target load of `aim`, a carried block is worth
//    (aim + 1)/2: compared with going on, a delivery of fewer blocks loses and one of more blocks gains.
// 4. All gains fade with the time until they are made. The possible gain after the end of a tour is added, and fades too.
//    So a tour is not better only because it is longer.
// 5. Walks between stops ignore bodies, since those move on. But no tour reaches a cell sooner than my head could by
//    the shortest way round the bodies that lie there now: a coil must be left before it can be crossed.

"use strict";

const { FAR } = require("./terrain");

/** The number of blocks considered, of tours kept for each length, and of stops in the longest tour. */
const STOPS = 20;
const WIDTH = 12;
const LENGTH = 6;

/** The share of a gain that remains after a move of delay. */
const FADE = 0.96;

/** The possible gain after the end of a tour, in blocks. */
const FUTURE = 5;

/** How likely a block is still there when a rival could have come before me. */
const CONTESTED = 0.45;

/** The worth of an energy block relative to an ordinary one. */
const ENERGY = 1.15;

/** The part of a body that a rival's head right beside it costs on average in a move. */
const RISK = 0.04;

/** The share of a hunt's gain that remains after each move, and the share of the fallen blocks that I eat. */
const CATCH = 0.6;
const LOOT = 0.5;

/** Moves reserved for the last way home, plus a quarter of the length, because a long body winds. */
const SPARE = 6;

/**
 * @typedef {object} Tour
 * @property {number} place the number of the cell where it stands
 * @property {number} home the moves from there to a delivery
 * @property {number} soonest the moves from the start to a delivery, by the shortest way
 * @property {number} time the moves so far
 * @property {number} aboard the blocks in the body; contested ones count in part
 * @property {number} gained the points so far, minus the losses by bites
 * @property {number} visited a bit for each stop
 *
 * @typedef {{place: number, arrival: number, moves: Float64Array, weight: number, bit: number}} Stop
 */

/** The search for the best tour, with the data shared by all boards of a turn. */
class Tours {
  /**
   * @param {import("./terrain").Terrain} terrain
   * @param {import("./danger").DangerMap} danger
   * @param {number} supply how many blocks are mine or free
   * @param {number} aim how many blocks a delivery is aimed at
   * @param {number} left the moves left in the game
   */
  constructor(terrain, danger, supply, aim, left) {
    this.terrain = terrain;
    this.danger = danger;
    this.supply = supply;
    this.aim = aim;
    this.left = left;
    /** The worth of a carried block, in points. */
    this.block = (aim + 1) / 2;
  }

  /**
   * The most points that a tour from a board gains, in addition to the worth of the load there.
   * @param {import("snake").AreaInfo} board
   * @param {Float64Array} arrivals by cell: the moves of my head to it
   */
  best(board, arrivals) {
    const start = this.start(board, arrivals);
    const stops = this.stops(board, arrivals);
    const { shield } = board.me;
    let best = this.ending(start);
    let tours = this.hunts(board, arrivals, start);
    for (const stop of stops) {
      tours.push(this.extended(start, stop, stop.arrival, shield));
    }
    for (let length = 1; length <= LENGTH && tours.length > 0; length++) {
      const kept = this.mostPromising(tours);
      tours = [];
      for (const { tour, value } of kept) {
        best = Math.max(best, value);
        for (const stop of stops) {
          if ((tour.visited & stop.bit) === 0) {
            tours.push(this.extended(tour, stop, stop.moves[tour.place], shield));
          }
        }
      }
    }
    return best;
  }

  /**
   * @param {import("snake").AreaInfo} board
   * @param {Float64Array} arrivals
   * @returns {Tour}
   */
  start(board, arrivals) {
    const place = this.terrain.number(board.me.head);
    let home = FAR;
    arrivals.forEach((moves, number) => {
      if (this.terrain.home[number] === 1) {
        home = Math.min(home, moves + 1);
      }
    });
    const soonest = home < FAR ? home : 0;
    return { place, home, soonest, time: 0, aboard: board.me.blocks.length, gained: 0, visited: 0 };
  }

  /**
   * The nearest free blocks.
   * @param {import("snake").AreaInfo} board
   * @param {Float64Array} arrivals
   * @returns {Stop[]}
   */
  stops(board, arrivals) {
    return board.freeBlocks
      .map((cell) => ({ place: this.terrain.number(cell), weight: board.isEnergy(cell) ? ENERGY : 1 }))
      .filter(({ place }) => arrivals[place] < FAR)
      .sort((one, other) => arrivals[one.place] - arrivals[other.place] || one.place - other.place)
      .slice(0, STOPS)
      .map(({ place, weight }, number) => {
        return { place, arrival: arrivals[place], moves: this.terrain.walks(place), weight, bit: 1 << number };
      });
  }

  /**
   * The tour with one more stop.
   * @param {Tour} tour
   * @param {Stop} stop
   * @param {number} moves
   * @param {number} shield turns of protection, from the start of the tour on
   * @returns {Tour}
   */
  extended(tour, stop, moves, shield) {
    const time = Math.max(tour.time + moves, stop.arrival);
    const found = this.danger.nearest[stop.place] < time ? CONTESTED : 1;
    return {
      place: stop.place,
      home: this.terrain.home[stop.place],
      soonest: tour.soonest,
      time,
      aboard: tour.aboard + found,
      gained: tour.gained + fade(time) * this.block * stop.weight * found - this.risk(tour, stop.place, time, shield),
      visited: tour.visited | stop.bit,
    };
  }

  /**
   * The expected cost of bites on the way to a place.
   * @param {Tour} tour
   * @param {number} place
   * @param {number} time
   * @param {number} shield
   */
  risk(tour, place, time, shield) {
    const bare = Math.max(0, time - Math.max(tour.time, shield));
    const peril = (this.danger.peril[tour.place] + this.danger.peril[place]) / 2;
    return fade(time) * RISK * peril * bare * tour.aboard * this.block;
  }

  /**
   * Tours that begin with a bite. The prey moves on while I approach, so I bite a block further back.
   * @param {import("snake").AreaInfo} board
   * @param {Float64Array} arrivals
   * @param {Tour} start
   * @returns {Tour[]}
   */
  hunts(board, arrivals, start) {
    const tours = [];
    for (const rival of board.rivals) {
      for (const [place, cell] of rival.cells.entries()) {
        const number = this.terrain.number(cell);
        const time = 1 + this.terrain.beside[number].reduce((least, near) => Math.min(least, arrivals[near]), FAR);
        const passed = this.danger.asleep.has(rival.index) ? 0 : time - 1;
        const lost = rival.length - (place + passed);
        if (place > 0 && lost > 1 && time < FAR && rival.shield < time) {
          const gained = fade(time) * CATCH ** passed * (lost + this.block * (1 + LOOT * (lost - 1)));
          tours.push({ ...start, place: number, home: this.terrain.home[number], time, gained });
        }
      }
    }
    return tours;
  }

  /**
   * The best of tours of the same length, each with its value.
   * @param {Tour[]} tours
   */
  mostPromising(tours) {
    /** @type {Map<number, {tour: Tour, value: number}>} */
    const best = new Map();
    for (const tour of tours) {
      const value = tour.gained + this.ending(tour);
      const alike = tour.visited * this.terrain.beside.length + tour.place;
      const rival = best.get(alike);
      if (rival === undefined || rival.value < value) {
        best.set(alike, { tour, value });
      }
    }
    return Array.from(best.values()).sort((one, other) => other.value - one.value).slice(0, WIDTH);
  }

  /**
   * The possible gain after the last stop: by a delivery, or by going on. Blocks that cannot be delivered in time are lost.
   * @param {Tour} tour
   */
  ending(tour) {
    const done = Math.max(tour.time + tour.home, tour.soonest);
    const late = done + SPARE + tour.aboard / 4 > this.left && tour.home < FAR;
    const more = Math.min(FUTURE, Math.max(0, this.supply - tour.aboard));
    const goOn = fade(tour.time) * this.block * (late ? -tour.aboard : more);
    if (done > this.left) {
      return goOn;
    }
    const delivery = (tour.aboard * (tour.aboard - this.aim)) / 2;
    const returned = Math.min(FUTURE, this.supply); // rule 16
    return Math.max(goOn, fade(done) * (delivery + this.block * returned));
  }
}

const FADED = Float64Array.from({ length: 1000 }, (_, time) => FADE ** time);

/**
 * The share of a gain that remains after a delay; a table, since it is needed a hundred thousand times a turn.
 * @param {number} time
 */
function fade(time) {
  return time < FADED.length ? FADED[time] : 0;
}

module.exports = { Tours, fade };
