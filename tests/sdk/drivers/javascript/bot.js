// The smallest bot that shows how `run` behaves: it prints, throws on a board of size 3, and answers nonsense on size 4.

"use strict";

const { run } = require("snake");

const NAMES = ["Tell Tale"];

run(NAMES[process.env.NAME ?? 0], (area) => {
  console.log("thinking");
  if (area.size === 3) {
    throw new Error("a board of size 3");
  }
  return area.size === 4 ? "X" : area.stepTowards(area.freeBlocks);
});
