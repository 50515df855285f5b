// Features that a JavaScript player may use: workers, timers, files it may read, compression, cryptography, shared memory.
const {Worker, isMainThread, parentPort, workerData} = require('worker_threads');
const fs = require('fs');
const zlib = require('zlib');
const crypto = require('crypto');

if (!isMainThread) {
  parentPort.postMessage(workerData * 2);
} else {
  const work = (number) => new Promise((done, failed) => {
    const worker = new Worker(__filename, {workerData: number});
    worker.on('message', done);
    worker.on('error', failed);
  });
  const lines = require('readline').createInterface({input: process.stdin});
  lines.once('line', async (line) => {
    const doubled = await Promise.all([1, 2, 3].map(work));
    const own = await fs.promises.readFile(__filename);
    const packed = await new Promise((done) => zlib.gzip(own, (error, data) => done(data)));
    const key = await new Promise((done) => crypto.pbkdf2('a', 'b', 100, 16, 'sha256', (error, data) => done(data)));
    let garbage = [];
    for (let i = 0; i < 200; i++) garbage[i % 8] = Buffer.alloc(1 << 20, i);
    const shared = new Int32Array(new SharedArrayBuffer(64));
    Atomics.wait(shared, 0, 0, 2);
    process.cpuUsage();
    setTimeout(() => {
      if (doubled.join() === '2,4,6' && packed.length && key.length === 16) console.log('played ' + line);
      lines.close();
    }, 1);
  });
}
