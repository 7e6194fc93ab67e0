#!/usr/bin/env bash
# One would believe: an OpenID Connect client sends the id `records-app.prod` in the Basic header as it is, because `-` and
# `.` need no escape in a form (WHATWG URL, application/x-www-form-urlencoded; RFC 3986, unreserved characters).
# True: openid-client 6.8.9 (oauth4webapi 3) escapes everything but letters and digits, `records%2Dapp%2Eprod`. A provider
# that decodes reads the same id; one that does not, such as Glewlwyd 2.7.5, knows no such client.
# A records service should escape only characters that a decoding provider would read otherwise (`%`, `+`, non-ASCII, `:` in
# the id), and send credentials with those in the body when the provider lists client_secret_post.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module"}' >package.json
npm install --silent --no-audit --no-fund openid-client@6.8.9
cat >sent.js <<'JS'
import { ClientSecretBasic } from 'openid-client';
const [headers, body] = [new Headers(), new URLSearchParams()];
const server = { issuer: 'https://id.example' };
await ClientSecretBasic('a_b')(server, { client_id: 'records-app.prod', client_secret: 'a_b' }, body, headers);
process.stdout.write(Buffer.from(headers.get('authorization').slice(6), 'base64').toString());
JS
sent=$(node sent.js)
echo "openid-client 6.8.9: $sent"
[ "$sent" = 'records%2Dapp%2Eprod:a%5Fb' ]
