// Everything that does not change during a game: walls, reactors, and all distances.

"use strict";

const { DIRECTIONS, neighbour } = require("snake");

/** More moves than any path has: unreachable. */
const FAR = 1e6;

/** Paths over the open cells, ignoring pythons, because bodies move on. Cells are numbered row by row. */
class Terrain {
  /** @param {import("snake").AreaInfo} area */
  constructor(area) {
    this.size = area.size;
    const cells = Array.from({ length: area.size ** 2 }, (_, number) => this.cell(number));
    const open = cells.map((cell) => !area.isWall(cell) && !area.isReactor(cell));
    /** By cell: the numbers of the open cells beside it. */
    this.beside = cells.map((cell) =>
      Object.keys(DIRECTIONS)
        .map((letter) => neighbour(cell, letter))
        .filter((near) => area.isInside(near) && open[this.number(near)])
        .map((near) => this.number(near)),
    );
    /** By cell: the moves to a delivery in the nearest reactor. */
    this.home = this.walksFrom(area.reactors.map((cell) => this.number(cell)));
    /** @type {Map<number, Float64Array>} */
    this.known = new Map();
  }

  /** @param {import("snake").Cell} cell */
  number(cell) {
    return cell.y * this.size + cell.x;
  }

  /** @param {number} number */
  cell(number) {
    return { x: number % this.size, y: Math.floor(number / this.size) };
  }

  /**
   * By cell: the moves to it from this one. Computed once a game.
   * @param {number} start
   */
  walks(start) {
    let walks = this.known.get(start);
    if (walks === undefined) {
      walks = this.walksFrom([start]);
      this.known.set(start, walks);
    }
    return walks;
  }

  /**
   * By cell: the moves to it from the nearest of these.
   * @param {number[]} starts
   */
  walksFrom(starts) {
    const moves = new Float64Array(this.size ** 2).fill(FAR);
    const queue = starts.slice();
    for (const start of starts) {
      moves[start] = 0;
    }
    for (const here of queue) {
      for (const near of this.beside[here]) {
        if (moves[near] === FAR) {
          moves[near] = moves[here] + 1;
          queue.push(near);
        }
      }
    }
    return moves;
  }
}

let latest = { drawing: "", terrain: /** @type {Terrain | null} */ (null) };

/**
 * The terrain of a board. If walls and reactors are the same as last time, this is the same object.
 * @param {import("snake").AreaInfo} area
 * @returns {Terrain}
 */
function terrainOf(area) {
  const drawing = String(area).replace(/[bep]/g, ".");
  if (latest.terrain === null || drawing !== latest.drawing) {
    latest = { drawing, terrain: new Terrain(area) };
  }
  return /** @type {Terrain} */ (latest.terrain);
}

module.exports = { FAR, Terrain, terrainOf };
