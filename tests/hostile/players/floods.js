// Writes output without end and without a line feed.
'use strict';
const fs = require('fs');
const much = Buffer.alloc(1 << 20, 'N');
fs.readSync(0, Buffer.alloc(1));
for (;;) fs.writeSync(1, much);
