#!/usr/bin/env bash
# One would believe: a stand-in for `EventSource`, which programs take because it can send `Authorization`, comes back after a
# break as `EventSource` does: the same address, with the id of the last event in the header `Last-Event-ID`.
# True: event-source-polyfill sends no such header, and adds `?lastEventId=41` to the address. reconnecting-eventsource does the same
# after an answer that is final for `EventSource`, such as 503. A service that refuses unknown parameters answers 400, and the
# reader is gone after its first break.
# Seen in event-source-polyfill 1.0.31 and reconnecting-eventsource 1.6.5; eventsource 4.1.1 sends the header alone, and ends at 503.
# A service for records should take `lastEventId` in the address of its stream for the same.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts event-source-polyfill@1.0.31 reconnecting-eventsource@1.6.5 eventsource@4.1.1
cat >read.js <<'JS'
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { EventSource } from 'eventsource';
import polyfill from 'event-source-polyfill';
import reconnecting from 'reconnecting-eventsource';
const SOURCES = {
  eventsource: (url) => new EventSource(url),
  'event-source-polyfill': (url) => new polyfill.EventSourcePolyfill(url, { headers: { Authorization: 'Bearer a' } }),
  'reconnecting-eventsource': (url) => new (reconnecting.default ?? reconnecting)(url, { eventSourceClass: EventSource, max_retry_time: 200 }),
};
for (const [name, open] of Object.entries(SOURCES)) {
  const asked = [];
  const server = http.createServer((request, response) => {
    asked.push(`${request.url} ${request.headers['last-event-id'] ?? '-'}`);
    if (asked.length === 2) return response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 200\nid: 41\ndata: x\n\n');
    setTimeout(300).then(() => response.end());
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const source = open(`http://127.0.0.1:${server.address().port}/stream`);
  source.onerror = () => {};
  source.addEventListener('message', () => {});
  for (let tries = 0; asked.length < 3 && tries < 60; tries += 1) await setTimeout(100);
  source.close();
  server.close();
  server.closeAllConnections();
  console.log(`${name}: ${asked.slice(0, 3).join(', then ')}`);
}
process.exit();
JS
for name in event-source-polyfill reconnecting-eventsource eventsource; do
  echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")" >&2
done
seen=$(node read.js)
echo "$seen"
[ "$seen" = "eventsource: /stream -, then /stream 41
event-source-polyfill: /stream -, then /stream?lastEventId=41 -
reconnecting-eventsource: /stream -, then /stream 41, then /stream?lastEventId=41 -" ]
