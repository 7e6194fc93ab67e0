#!/usr/bin/env bash
# One would believe: a generator of rows, `for await (const row of streamXlsxRows(bytes))`, reads on when the next row is asked
# for, so that a slow loop, such as one that writes to a database, needs the memory of some rows.
# True: the reader parses the whole sheet while the loop waits, and keeps all of its rows. Seen in 1.0.0.
# A service for records should read in a thread that stands still (Atomics.wait) while its rows are used.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts hucre@1.0.0
cat >read.js <<'JS'
import { setTimeout } from 'node:timers/promises';
import { streamXlsxRows, writeXlsx } from 'hucre/xlsx';
const rows = Array.from({ length: 100_000 }, (_, row) => Array.from({ length: 8 }, (_, cell) => row + cell / 7));
const bytes = await writeXlsx({ sheets: [{ name: 'a', rows }] });
rows.length = 0;
gc();
const before = process.memoryUsage().heapUsed;
let megabytes;
for await (const _ of streamXlsxRows(bytes)) {
  await setTimeout(8000);
  gc();
  megabytes = Math.round((process.memoryUsage().heapUsed - before) / 1e6);
  break;
}
console.error(`${megabytes} MB`);
console.log(megabytes > 10 ? 'the rows of the whole sheet are held' : 'rows are read as they are asked for');
JS
echo "hucre $(node -p "require('./node_modules/hucre/package.json').version")"
seen=$(node --expose-gc read.js)
echo "$seen"
[ "$seen" = 'the rows of the whole sheet are held' ]
