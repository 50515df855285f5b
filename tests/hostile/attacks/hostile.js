// Attacks that a Node bot might try. Orders and results are as in attack.h; each function is an attack.
'use strict';
const childProcess = require('child_process');
const cluster = require('cluster');
const crypto = require('crypto');
const dgram = require('dgram');
const dns = require('dns');
const fs = require('fs');
const http = require('http');
const net = require('net');
const os = require('os');
const workers = require('worker_threads');

const attacks = {};

attacks.js_exec = () => childProcess.execSync('true');
attacks.js_spawn = () => {
  const done = childProcess.spawnSync(process.execPath, ['--version']);
  if (done.error) throw done.error;
};
attacks.js_fork = () => settled(childProcess.fork(__filename, {stdio: 'ignore'}), 'spawn', (child) => child.kill());
attacks.js_cluster = () => {
  cluster.setupPrimary({exec: __filename, silent: true});
  return settled(cluster.fork().process, 'spawn', (child) => child.kill());
};
attacks.js_connect = (targets) => settled(net.connect(targets.tcp, '127.0.0.1'), 'connect', (socket) => socket.destroy());
attacks.js_unix_socket = (targets) => settled(net.connect(targets.unix), 'connect', (socket) => socket.destroy());
attacks.js_listen = () => settled(net.createServer().listen(0), 'listening', (server) => server.close());
attacks.js_http = (targets) =>
  settled(http.get({port: targets.http, host: '127.0.0.1'}), 'response', (answer) => answer.destroy());
attacks.js_datagram = (targets) =>
  new Promise((resolve, reject) => {
    const socket = dgram.createSocket('udp4');
    socket.on('error', reject);
    socket.send('hello', targets.udp, '127.0.0.1', (error) => (error ? reject(error) : resolve(socket.close())));
  });
attacks.js_resolve = () => dns.promises.lookup('localhost');
attacks.js_read_secret = (targets) => fs.readFileSync(targets.secret);
attacks.js_list_home = (targets) => fs.readdirSync(targets.home);
attacks.js_write_folder = () => {
  fs.writeFileSync('learned.txt', 'x');
  fs.unlinkSync('learned.txt');
};
attacks.js_temporary_folder = () => fs.rmdirSync(fs.mkdtempSync(os.tmpdir() + '/hostile'));
attacks.js_kill = (targets) => process.kill(Number(targets.victim), 'SIGUSR1');
attacks.js_kill_parent = () => process.kill(process.ppid, 0);
attacks.js_set_user = () => process.setuid(process.getuid() === 0 ? 1 : 0);
attacks.js_priority = () => os.setPriority(0, -5);
attacks.js_watch = () => fs.watch('.').close();
attacks.js_environment = () => {
  if (!('SECRET' in process.env)) throw Object.assign(new Error(), {code: 'ENODATA'});
};
attacks.js_debugger = () => {
  require('inspector').open(0, '127.0.0.1');
  if (!require('inspector').url()) throw Object.assign(new Error(), {code: 'EPERM'});
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
