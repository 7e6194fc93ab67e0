#!/usr/bin/env bash
# One would believe: `security: [{apiKey: []}, {session: []}]` of an OpenAPI operation means that one of the two is enough,
# so a generated client sends one of them, the first that it has a value for.
# True: a client of @hey-api/openapi-ts sends the one value of `auth` in every alternative: as bearer token and as cookie,
# when `auth` is a text. With a cookie name that is a template no request can be made at all. Seen in 0.99.0.
# A service for records should leave the sessions of browsers out of `security`, and describe them in an extension.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @hey-api/openapi-ts@0.99.0 typescript@5.9.3 tsx@4.23.15
document() {
  cat <<JSON
{ "openapi": "3.1.0", "info": { "title": "t", "version": "1" },
  "paths": { "/things": { "get": { "operationId": "listThings", "security": [{ "apiKey": [] }, { "session": [] }],
    "responses": { "200": { "description": "ok" } } } } },
  "components": { "securitySchemes": {
    "apiKey": { "type": "http", "scheme": "bearer" },
    "session": { "type": "apiKey", "in": "cookie", "name": "$1" } } } }
JSON
}
cat >call.ts <<'TS'
import { createServer } from 'node:http';
import { client } from './out/client.gen.ts';
import { listThings } from './out/sdk.gen.ts';
const heard: string[] = [];
const server = createServer((request, response) => {
  heard.push(`authorization: ${request.headers.authorization}, cookie: ${request.headers.cookie}`);
  response.end('{}');
}).listen(0, '127.0.0.1', async () => {
  client.setConfig({ baseUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}`, auth: 'KEY' });
  const failed = await listThings().then(({ error }) => error, (error) => error);
  console.log(heard[0] ?? `no request: ${failed}`);
  server.close();
});
TS
echo "@hey-api/openapi-ts $(node -p "require('./node_modules/@hey-api/openapi-ts/package.json').version")"
try() {
  document "$1" >openapi.json
  npx openapi-ts -i openapi.json -o out -c @hey-api/client-fetch >/dev/null
  npx tsx call.ts
}
plain=$(try sid)
template=$(try '__Host-{workspace id}')
printf 'cookie name sid: %s\ncookie name with a template: %s\n' "$plain" "$template"
[ "$plain" = 'authorization: Bearer KEY, cookie: sid=KEY' ] && [[ "$template" == 'no request: '* ]]
