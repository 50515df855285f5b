// Reads boards with the SDK and waits. Logs the nanoseconds of the second half of REQUESTS.
"use strict";

const { run } = require("snake");

const REQUESTS = Number(process.env.REQUESTS);
let turns = 0;
let began = 0n;

run("Reader", () => {
  turns += 1;
  if (turns === Math.floor(REQUESTS / 2)) {
    began = process.hrtime.bigint();
  } else if (turns === REQUESTS) {
    console.error(String(process.hrtime.bigint() - began));
  }
  return "N";
});
