#!/usr/bin/env bash
# One would believe: a program that has registered and kept its tokens refreshes them as the client that they were given to.
# True: each process of mcporter 0.12.3 listens on another port; when its access token is refused it registers again with
# that port, and sends the kept refresh token under the new client id. A server that binds refresh tokens to their client, as RFC 6749
# §6 says, answers invalid_grant, and the person is asked again: every hour, and each time a registration is left behind.
# A records service should limit registrations by address, remove unused ones, and give such programs a key instead.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts mcporter@0.12.3
cp "$here/oauth-server.mjs" .
# The person agrees at once.
printf '#!/bin/sh\nexec curl -sL -o /dev/null "$1"\n' >xdg-open
chmod +x xdg-open
cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openServer } from './oauth-server.mjs';
const clients = [];
const { origin, state } = await openServer(({ url, body }) => {
  if (url.pathname === '/oauth/token') clients.push(`${body.grant_type} of ${body.client_id}`);
});
const run = async (...args) => {
  const env = { ...process.env, HOME: process.cwd(), PATH: `${process.cwd()}:${process.env.PATH}` };
  const child = spawn('node_modules/.bin/mcporter', [...args, '--allow-http'], { env, stdio: 'ignore' });
  await once(child, 'exit');
};
await run('auth', `${origin}/mcp`);
state.valid.clear();
await run('call', `${origin}/mcp.describe`);
console.log(clients.slice(0, 2).join(', '));
process.exit(0);
JS
seen=$(node run.mjs)
echo "mcporter 0.12.3: $seen"
[ "$seen" = 'authorization_code of client1, refresh_token of client3' ]
