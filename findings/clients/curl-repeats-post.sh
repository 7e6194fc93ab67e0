#!/usr/bin/env bash
# One would believe: `curl --retry` repeats what may be repeated. A POST or PATCH is left alone, as Python's urllib3, got, ky and
# undici leave it alone, since the first one may have been done before its answer was lost.
# True: every method is repeated after 408, 429, 500, 502, 503 and 504, and after a timeout, with the same body; a proxy that
# answers 502 or 504 when the service has already written makes a second record. And the bodies of the failed answers are on
# standard output before that of the good one, so that `curl --retry 3 … | jq .data` reads several documents, the errors first.
# After 429 and 503 curl waits as `Retry-After` says.
# Seen in curl 7.88.1.
# A service for records should show `--retry` in its examples with an `Idempotency-Key` and with `--fail`, which prints no errors.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq curl=7.88.1-10+deb12u* libcurl4=7.88.1-10+deb12u* >apt.log 2>&1
for package in *.deb; do dpkg-deb -x "$package" packages; done
curl() { LD_LIBRARY_PATH="$(dirname "$(find "$folder/packages" -name 'libcurl.so.4')")" "$folder/packages/usr/bin/curl" "$@"; }
cat >serve.mjs <<'JS'
import http from 'node:http';
import { writeFileSync } from 'node:fs';
let made = 0;
const statuses = [504, 502, 503, 201];
http
  .createServer((request, response) => {
    request.resume().on('end', () => {
      // Each request is done, whatever the answer says.
      const status = statuses[made];
      made += 1;
      response.writeHead(status, status === 503 ? { 'retry-after': '2' } : {}).end(`${request.method} ${made}\n`);
    });
  })
  .listen(0, '127.0.0.1', function () {
    writeFileSync('port', `${this.address().port}`);
  });
JS
node serve.mjs &
server=$!
for _ in $(seq 50); do [ -s port ] && break || sleep 0.1; done
curl --version | sed -n 1p
started=$(date +%s)
seen=$(curl --silent --retry 3 --request POST --data '{"fields":{"name":"First"}}' "http://127.0.0.1:$(cat port)/records")
echo "$seen"
echo "seconds: $(($(date +%s) - started))"
[ "$seen" = $'POST 1\nPOST 2\nPOST 3\nPOST 4' ]
