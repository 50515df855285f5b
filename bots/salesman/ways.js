// The first leg of every tour: where my head can be, and when. Bodies block the way, but not for ever.

"use strict";

const { FAR } = require("./terrain");

/**
 * By cell: the moves of my head to it; FAR if there is no way. Pythons are assumed to move on, so that each cell of a body
 * is free when the tail has passed it (rule 9); a rival makes its first move after mine, and one that is asleep makes none.
 * @param {import("snake").AreaInfo} area
 * @param {import("./terrain").Terrain} terrain
 * @param {Set<number>} asleep indices of pythons
 */
function arrivals(area, terrain, asleep) {
  const freeFrom = new Float64Array(terrain.size ** 2);
  for (const { index, cells } of area.pythons) {
    const late = asleep.has(index) ? FAR : index > 0 ? 1 : 0;
    cells.forEach((cell, place) => {
      freeFrom[terrain.number(cell)] = cells.length - place + late;
    });
  }
  const moves = new Float64Array(terrain.size ** 2).fill(FAR);
  const queue = [terrain.number(area.me.head)];
  moves[queue[0]] = 0;
  for (const here of queue) {
    for (const near of terrain.beside[here]) {
      if (moves[near] === FAR && moves[here] + 1 >= freeFrom[near]) {
        moves[near] = moves[here] + 1;
        queue.push(near);
      }
    }
  }
  return moves;
}

module.exports = { arrivals };
