// Attacks that a Node bot might try. Orders and results are as in attack.h; each function is an attack.
'use strict';
const childProcess = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const net = require('net');
const workers = require('worker_threads');

const attacks = {};

attacks.js_exec = () => childProcess.execSync('true');
attacks.js_connect = (targets) => settled(net.connect(targets.tcp, '127.0.0.1'), 'connect', (socket) => socket.destroy());
attacks.js_read_secret = (targets) => fs.readFileSync(targets.secret);
attacks.js_write_folder = () => {
  fs.writeFileSync('learned.txt', 'x');
  fs.unlinkSync('learned.txt');
};
attacks.js_kill = (targets) => process.kill(Number(targets.victim), 'SIGUSR1');
attacks.js_environment = () => {
  if (!('SECRET' in process.env)) throw Object.assign(new Error(), {code: 'ENODATA'});
};
attacks.js_buffers = () => {
  const hoard = [];
  for (let i = 0; i < 96 * 8; i++) hoard.push(Buffer.alloc(1 << 20, 1));
};
attacks.js_shared_buffer = () => new Uint8Array(new SharedArrayBuffer(768 << 20)).fill(1);
attacks.js_workers = () => settled(new workers.Worker('', {eval: true}), 'exit', () => {});
attacks.js_randomness = () => crypto.randomBytes(1 << 16);

function settled(emitter, event, after) {
  return new Promise((resolve, reject) => {
    emitter.on('error', reject);
    emitter.on(event, (value) => resolve(after(value ?? emitter)));
  });
}

async function attempt(order) {
  const [name, ...words] = order.split(' ');
  const targets = Object.fromEntries(words.map((word) => word.split(/=(.*)/s, 2)));
  let line = `hit ${name}`;
  try {
    await attacks[name](targets);
  } catch (refused) {
    line = `refused ${name} ${refused.code ?? refused.constructor.name}`;
  }
  fs.writeSync(1, line + '\n');
}

async function main() {
  for await (const order of require('readline').createInterface({ input: process.stdin }))
    await attempt(order);
  process.exit(0);
}

main();
