#!/usr/bin/env bash
# One would believe: when an access token ends while calls are under way, a client of MCP refreshes once, and the other
# calls wait for it (RFC 9700 has a server end the grant when a refresh token comes twice).
# True: the official clients, @modelcontextprotocol/client 2.4.0 and sdk 1.32.2, refresh once for each call that gets 401, each with
# the refresh token that is stored at that moment, and store the answer that arrives last. A server without a time of
# grace refuses some with invalid_grant: calls fail, the browser opens. @ai-sdk/mcp 2.0.99 refreshes once.
# A records service should give refreshes of the same seconds the same refresh token, whichever of them the client stores.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/sdk@1.32.2 @ai-sdk/mcp@2.0.99
cp "$here/oauth-server.mjs" .
cat >calls.mjs <<'JS'
import { connected, LIBRARIES } from './oauth-server.mjs';
for (const name of Object.keys(LIBRARIES)) {
  const { state, kept, library } = await connected(name);
  await library.call();
  state.valid.clear();
  state.log.length = 0;
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => library.call()));
  const failed = answers.filter(({ status }) => status === 'rejected').length;
  const refreshes = state.log.filter((line) => line.includes('/oauth/token')).length;
  console.log(`${name}: more than one refresh ${refreshes > 1}, failed calls ${failed > 0}, browser opened ${kept.opened > 0}`);
}
process.exit(0);
JS
seen=$(node calls.mjs)
echo "$seen"
[ "$seen" = '@modelcontextprotocol/client 2.4.0: more than one refresh true, failed calls true, browser opened true
@modelcontextprotocol/sdk 1.32.2: more than one refresh true, failed calls true, browser opened true
@ai-sdk/mcp 2.0.99: more than one refresh false, failed calls false, browser opened false' ]
