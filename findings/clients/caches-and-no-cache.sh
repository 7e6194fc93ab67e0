#!/usr/bin/env bash
# One would believe: the cache of a client keeps an answer with an ETag and `Cache-Control: no-cache`, and asks with `If-None-Match`
# before it uses it: that is what `no-cache` says (RFC 9111 §5.2.2.4), and `max-age=0, must-revalidate` says the same.
# True: with a key in `Authorization` the cache of undici, also as `type: 'private'`, keeps nothing that has `no-cache`, that of got
# only with `shared: false`, and axios-cache-interceptor neither that nor what is `private`. With `max-age=0, must-revalidate` all
# three keep it and ask.
# Seen in undici 7.30.2, got 14.6.6, axios-cache-interceptor 1.12.3 with axios 1.21.1.
# A service for records should write `max-age=0, must-revalidate` where it wants to be asked.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts undici@7.30.2 got@14.6.6 axios-cache-interceptor@1.12.3 axios@1.21.1
cat >ask.js <<'JS'
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import axios from 'axios';
import { setupCache } from 'axios-cache-interceptor';
import got from 'got';
import { Agent, interceptors, request } from 'undici';

let asked = [];
const server = http.createServer(({ url, headers }, response) => {
  asked.push(headers['if-none-match'] === '"1"' ? 'asks whether it is as before' : 'asks');
  const status = headers['if-none-match'] === '"1"' ? 304 : 200;
  response.writeHead(status, { etag: '"1"', 'cache-control': decodeURIComponent(url.slice(1)) });
  response.end(status === 304 ? undefined : '{}');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const headers = { authorization: 'Bearer key' };
const undici = (type) => {
  const dispatcher = new Agent().compose(interceptors.cache({ type }));
  return async (address) => (await request(address, { dispatcher, headers })).body.text();
};
const gotten = (shared) => got.extend({ cache: new Map(), cacheOptions: { shared }, headers });
const clients = {
  'undici, private': () => undici('private'),
  'got, shared': () => gotten(true),
  'got, not shared': () => gotten(false),
  'axios-cache-interceptor': () => {
    const client = setupCache(axios.create({ headers }));
    return (address) => client.get(address);
  },
};
for (const rule of ['no-cache', 'private, no-cache', 'private, max-age=0, must-revalidate', 'max-age=0, must-revalidate']) {
  for (const [name, made] of Object.entries(clients)) {
    const get = made();
    for (let time = 0; time < 2; time += 1) {
      await get(`http://127.0.0.1:${server.address().port}/${encodeURIComponent(rule)}`);
      await setTimeout(20);
    }
    console.log(`${rule}; ${name}: ${asked[1]}`);
    asked = [];
  }
}
process.exit();
JS
seen=$(node ask.js)
echo "$seen"
[ "$seen" = 'no-cache; undici, private: asks
no-cache; got, shared: asks
no-cache; got, not shared: asks whether it is as before
no-cache; axios-cache-interceptor: asks
private, no-cache; undici, private: asks
private, no-cache; got, shared: asks
private, no-cache; got, not shared: asks whether it is as before
private, no-cache; axios-cache-interceptor: asks
private, max-age=0, must-revalidate; undici, private: asks whether it is as before
private, max-age=0, must-revalidate; got, shared: asks
private, max-age=0, must-revalidate; got, not shared: asks whether it is as before
private, max-age=0, must-revalidate; axios-cache-interceptor: asks
max-age=0, must-revalidate; undici, private: asks whether it is as before
max-age=0, must-revalidate; got, shared: asks whether it is as before
max-age=0, must-revalidate; got, not shared: asks whether it is as before
max-age=0, must-revalidate; axios-cache-interceptor: asks whether it is as before' ]
