#!/usr/bin/env bash
# One would believe: a proxy gives 503 with `Retry-After: 5` to its client, or waits five seconds before it asks again.
# True: @fastify/http-proxy, by @fastify/reply-from, takes the seconds for milliseconds and asks ten times more: eleven reads reach a
# service that has just said that it is busy, within the time of one. `maxRetriesOn503: 0` counts as ten; `retryMethods` without GET
# ends it. Writes are not repeated.
# Seen in @fastify/http-proxy 11.6.3 with @fastify/reply-from 12.6.5.
# A service for records should refuse cheaply when it is busy, and name the option in its documents.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts fastify@5.12.8 @fastify/http-proxy@11.6.3 @fastify/reply-from@12.6.5
cat >ask.js <<'JS'
import http from 'node:http';
import proxy from '@fastify/http-proxy';
import fastify from 'fastify';
let requests = 0;
const busy = http.createServer((message, response) => {
  requests += 1;
  message.resume();
  response.writeHead(503, { 'retry-after': '5' }).end();
});
await new Promise((done) => busy.listen(0, '127.0.0.1', done));
const upstream = `http://127.0.0.1:${busy.address().port}`;
for (const [name, options] of Object.entries({
  'no option': {},
  'maxRetriesOn503: 0': { replyOptions: { maxRetriesOn503: 0 } },
  "retryMethods: ['HEAD']": { retryMethods: ['HEAD'] },
})) {
  const server = fastify();
  await server.register(proxy, { upstream, ...options });
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  for (const method of ['GET', 'POST']) {
    requests = 0;
    const started = performance.now();
    const { status } = await fetch(address, { method, ...(method === 'POST' && { body: 'a' }) });
    const isEarly = performance.now() - started < 5000;
    console.log(`${name}, ${method}: ${status}, ${requests} requests, ${isEarly ? 'in less than' : 'after'} 5 s`);
  }
  await server.close();
}
process.exit();
JS
seen=$(node ask.js)
echo "$seen"
[ "$seen" = "no option, GET: 503, 11 requests, in less than 5 s
no option, POST: 503, 1 requests, in less than 5 s
maxRetriesOn503: 0, GET: 503, 11 requests, in less than 5 s
maxRetriesOn503: 0, POST: 503, 1 requests, in less than 5 s
retryMethods: ['HEAD'], GET: 503, 1 requests, in less than 5 s
retryMethods: ['HEAD'], POST: 503, 1 requests, in less than 5 s" ]
