// Reads a property of undefined, twenty calls deep.
function dig(depth) {
  return depth === 0 ? undefined.body : dig(depth - 1) + 1;
}

process.stdin.on("data", (data) => {
  for (const line of data.toString().split("\n")) {
    if (line === "getName") process.stdout.write("bot\n");
    if (line === "getAction") dig(20);
  }
});
