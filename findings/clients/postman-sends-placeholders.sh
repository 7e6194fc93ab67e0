#!/usr/bin/env bash
# One would believe: a collection that Postman's converter makes of an OpenAPI document sends what is required, and has what is optional
# to be filled in and switched on.
# True: openapi-to-postmanv2 switches every optional header and parameter on, with its type as the value: `Idempotency-Key: <string>`,
# `If-Match: <string>`, `cursor=<string>`. The first create works; the next, with another body, is refused, because the key was used.
# Seen in openapi-to-postmanv2 6.3.3, run by newman 6.2.2. `enableOptionalParameters: false` (`-O enableOptionalParameters=false`)
# switches them off.
# A service for records should name the option in its documents.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts openapi-to-postmanv2@6.3.3 newman@6.2.2
cat >run.js <<'JS'
import http from 'node:http';
import newman from 'newman';
import converter from 'openapi-to-postmanv2';
const [schema, text] = [{ type: 'string' }, { type: 'object', properties: { name: { type: 'string' } } }];
const optional = (name, place) => ({ name, in: place, required: false, schema });
const server = http.createServer((message, response) => {
  const { 'idempotency-key': key = '-', 'if-match': match = '-' } = message.headers;
  console.log(`${name}: ${message.method} ${decodeURIComponent(message.url)}, key ${key}, If-Match ${match}`);
  message.resume();
  response.end();
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const responses = { 200: { description: 'Done.' } };
const data = {
  openapi: '3.1.0',
  info: { title: 'Records', version: '1' },
  servers: [{ url: `http://127.0.0.1:${server.address().port}` }],
  paths: {
    '/records': {
      get: { parameters: [optional('cursor', 'query')], responses },
      post: {
        parameters: [optional('Idempotency-Key', 'header'), optional('If-Match', 'header')],
        requestBody: { content: { 'application/json': { schema: text } } },
        responses,
      },
    },
  },
};
let name;
for (const options of [{}, { enableOptionalParameters: false }]) {
  name = Object.keys(options)[0] ?? 'no option';
  const { output } = await new Promise((done, fail) =>
    converter.convert({ type: 'json', data: structuredClone(data) }, options, (error, result) =>
      error ? fail(error) : done(result),
    ),
  );
  await new Promise((done, fail) =>
    newman.run({ collection: output[0].data }, (error) => (error ? fail(error) : done())),
  );
}
process.exit();
JS
seen=$(node run.js)
echo "$seen"
[ "$seen" = 'no option: GET /records?cursor=<string>, key -, If-Match -
no option: POST /records, key <string>, If-Match <string>
enableOptionalParameters: GET /records, key -, If-Match -
enableOptionalParameters: POST /records, key -, If-Match -' ]
