#!/usr/bin/env bash
# One would believe: a client that continues a broken download sends `Range` with `If-Range`, which is made for it: when the file has
# changed meanwhile, the answer is the whole new file with 200. And it waits for as long as `Retry-After` says.
# True: undici's RetryAgent sends `Range` with `If-Match`, without `If-Range`. A service that does not check `If-Match` of a GET sends
# the end of another file, and 206 says that it fits; one that checks it answers 412, and the download fails. After 503 with
# `Retry-After: 3600` it asks again after its longest pause, 30 s by default.
# Seen in undici 6.29.1 and 7.30.2.
# A service for records should check `If-Match` of GET before it sends a part, and bear clients that are back before their time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts undici@6.29.1 undici-7@npm:undici@7.30.2
cat >download.js <<'JS'
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import * as six from 'undici';
import * as seven from 'undici-7';
for (const [name, { Agent, RetryAgent, request }] of Object.entries({ six, seven })) {
  const asked = [];
  const server = http.createServer(async (message, response) => {
    const { range = '-', 'if-match': match = '-', 'if-range': since = '-' } = message.headers;
    asked.push(`Range ${range}, If-Match ${match}, If-Range ${since}`);
    const headers = { etag: '"one"', 'accept-ranges': 'bytes' };
    if (asked.length > 1) return response.writeHead(206, { ...headers, 'content-range': 'bytes 4-9/10', 'content-length': 6 }).end('456789');
    response.writeHead(200, { ...headers, 'content-length': 10 }).write('0123');
    await setTimeout(100);
    response.destroy();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const dispatcher = new RetryAgent(new Agent(), { minTimeout: 1 });
  const { body } = await request(`http://127.0.0.1:${server.address().port}/`, { dispatcher });
  console.log(`${name}: ${await body.text()}; first ${asked[0]}; then ${asked[1]}`);
  server.close();
  server.closeAllConnections();
  // Its longest pause is 30 s by default.
  const busy = http.createServer((_, response) => response.writeHead(503, { 'retry-after': '3600' }).end());
  await new Promise((done) => busy.listen(0, '127.0.0.1', done));
  const impatient = new RetryAgent(new Agent(), { maxTimeout: 100, maxRetries: 3 });
  const started = performance.now();
  await request(`http://127.0.0.1:${busy.address().port}/`, { dispatcher: impatient }).catch(() => {});
  console.log(`${name}: gives up after ${performance.now() - started < 3000 ? 'three of its longest pauses' : 'what Retry-After says'}`);
  busy.close();
  busy.closeAllConnections();
}
process.exit();
JS
for name in undici undici-7; do echo "$name $(node -p "require('./node_modules/$name/package.json').version")" >&2; done
seen=$(node download.js)
echo "$seen"
[ "$seen" = 'six: 0123456789; first Range -, If-Match -, If-Range -; then Range bytes=4-9, If-Match "one", If-Range -
six: gives up after three of its longest pauses
seven: 0123456789; first Range -, If-Match -, If-Range -; then Range bytes=4-9, If-Match "one", If-Range -
seven: gives up after three of its longest pauses' ]
