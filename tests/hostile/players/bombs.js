// Takes memory until there is none.
'use strict';
const hoard = [];
for (;;) hoard.push(new Array(1 << 17).fill(hoard.length + 0.5));
