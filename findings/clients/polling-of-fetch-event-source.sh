#!/usr/bin/env bash
# One would believe: a reader of events that gets 401 or 403 gives up, and after 503 waits as `Retry-After` says, as `EventSource`
# ends for good at every answer but 200.
# True: @microsoft/fetch-event-source asks again every second for ever, whatever the answer was, with a key that is revoked too.
# Seen in 2.0.1.
# A service for records should show in its documents an `onopen` that ends at 4xx, and must bear such readers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @microsoft/fetch-event-source@2.0.1
cat >read.js <<'JS'
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import library from '@microsoft/fetch-event-source';
globalThis.window = globalThis;
globalThis.document = { hidden: false, addEventListener() {}, removeEventListener() {} };
for (const status of [401, 503]) {
  let asked = 0;
  const server = http.createServer((_, response) => {
    asked += 1;
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '60' }).end('{}');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const ended = new AbortController();
  const url = `http://127.0.0.1:${server.address().port}/stream`;
  library.fetchEventSource(url, { signal: ended.signal, headers: { authorization: 'Bearer revoked' } }).catch(() => {});
  await setTimeout(5500);
  ended.abort();
  server.close();
  server.closeAllConnections();
  console.log(`${status}: ${asked} requests in 5.5 s`);
}
process.exit();
JS
echo "fetch-event-source $(node -p "require('./node_modules/@microsoft/fetch-event-source/package.json').version")"
seen=$(node read.js)
echo "$seen"
[ "$seen" = "401: 6 requests in 5.5 s
503: 6 requests in 5.5 s" ]
