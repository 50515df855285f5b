// Plays correctly while a worker computes forever.
'use strict';
const readline = require('readline');
const {Worker} = require('worker_threads');
new Worker('for (;;);', {eval: true}).unref();
const lines = readline.createInterface({input: process.stdin});
let left = null;
let pythons = 0;
lines.on('line', (line) => {
  if (line === 'getName') return say('bot\n');
  if (line === 'getAction') return void ([left, pythons] = ['size', 0]);
  if (left === 'size') return void (left = Number(line));
  if (left > 0) {
    left--;
    pythons += line.split('p').length - 1;
    return undefined;
  }
  if (--pythons === 0) say('N\n');
  return undefined;
});
lines.on('close', () => process.exit(0));
function say(text) {
  require('fs').writeSync(1, text);
}
