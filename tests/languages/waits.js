// A player of SnakeCore that waits, in JavaScript.
let wanted = 0, seen = 0, heads = 0;
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "getName") {
    console.error("asked for its name");
    console.log("in JavaScript");
  } else if (line === "getAction") {
    wanted = -1;
    seen = heads = 0;
  } else if (wanted < 0) {
    wanted = Number(line);
  } else {
    seen++;
    if (seen <= wanted) heads += line.split("p").length - 1;
    if (seen === wanted + heads && seen >= wanted) console.log("N");
  }
});
