#!/usr/bin/env bash
# One would believe: (1) a client of MCP tries again when the token endpoint answers 503; (2) it asks for the scope of its own
# metadata; (3) `insufficient_scope` leads it to ask the person for more; (4) it registers again when it is forgotten.
# True: (1) with a body that is not of RFC 6749, all three open the browser for a new consent; with `temporarily_unavailable`
# the official ones give the error to the caller, @ai-sdk/mcp opens the browser all the same. (2) All ask for the scopes_supported of
# the resource, whatever `scope` their metadata has. (3) Only client 2.4.0 asks; sdk 1.32.2 refreshes, which gives the same
# scopes, and fails; @ai-sdk/mcp fails at once. (4) @ai-sdk/mcp does not: `invalid_client` for ever.
# A records service should answer 503 at the token endpoint in the form of RFC 6749, list in the metadata of the resource only what
# it wants to be asked for, and keep registrations while a person may come back.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/sdk@1.32.2 @ai-sdk/mcp@2.0.99
cp "$here/oauth-server.mjs" .
cat >refusals.mjs <<'JS'
import { connected, LIBRARIES } from './oauth-server.mjs';
let answer;
const options = { answer: (...sent) => answer?.(...sent), metadata: { scope: 'records:read' } };
const isRefresh = ({ url, body }) => url.pathname === '/oauth/token' && body.grant_type === 'refresh_token';
const busy = (body) => (sent) => (isRefresh(sent) ? [503, body, { 'retry-after': '1' }] : undefined);
const more = ({ body }) =>
  body.method === 'tools/call'
    ? [403, {}, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="records:write"' }]
    : undefined;
const say = (opened) => (opened > 0 ? 'browser' : 'error');
for (const name of Object.keys(LIBRARIES)) {
  const seen = [];
  for (const [change, ends] of [
    [busy({ error: { code: 'service_unavailable' } }), true],
    [busy({ error: 'temporarily_unavailable' }), true],
    [more, false],
  ]) {
    answer = undefined;
    const { state, kept, library } = await connected(name, options);
    if (ends) state.valid.clear();
    answer = change;
    await library.call().catch(() => undefined);
    seen.push(say(kept.opened));
    if (change === more) seen.push(state.log.some((line) => line.includes('refresh_token')) ? 'refreshed' : 'not refreshed');
  }
  answer = undefined;
  const { state, kept, library } = await connected(name, options);
  const { scope } = state.asked;
  state.valid.clear();
  state.clients.clear();
  await library.call().catch(() => undefined);
  console.log(`${name}: 503 ${seen[0]}, 503 of RFC 6749 ${seen[1]}, insufficient_scope ${seen[2]} ${seen[3]}, forgotten ${say(kept.opened)}, asks for ${scope}`);
}
process.exit(0);
JS
seen=$(node refusals.mjs)
echo "$seen"
[ "$seen" = '@modelcontextprotocol/client 2.4.0: 503 browser, 503 of RFC 6749 error, insufficient_scope browser not refreshed, forgotten browser, asks for records:read records:write
@modelcontextprotocol/sdk 1.32.2: 503 browser, 503 of RFC 6749 error, insufficient_scope error refreshed, forgotten browser, asks for records:read records:write
@ai-sdk/mcp 2.0.99: 503 browser, 503 of RFC 6749 browser, insufficient_scope error not refreshed, forgotten error, asks for records:read records:write' ]
