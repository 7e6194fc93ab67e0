#!/usr/bin/env bash
# Caddy with `encode` compresses a part of a file, and keeps the range of the plain bytes.
#
# One would believe: a compressing proxy leaves 206 alone, as nginx, HAProxy and Apache do, or ignores Range. A byte range
# counts in the bytes of the representation that is sent (RFC 9110 §14.2), so a part cannot be compressed afterwards.
# True: Caddy 2.6.2 (Debian 12) answers 206 with Content-Encoding: gzip and the Content-Range of the plain bytes, under an
# unchanged strong tag. Joined with the rest of a download, such a part is a broken file. lighttpd 1.4.69 with
# mod_deflate does the same.
# A records service should: compress by itself, and name the types that a proxy before it may compress; here HTML only
# (deploy/Caddyfile).
set -euo pipefail
VERSION=2.6.2-5
folder=$(mktemp -d)
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
chmod 777 .
apt-get -qq download "caddy=$VERSION"
dpkg-deb --extract caddy_*.deb program
caddy=$folder/program/usr/bin/caddy
"$caddy" version
mkdir site
seq -f '{"number":%.0f}' 1 5000 | paste -s -d, >site/list.json
port=$((20000 + RANDOM % 10000))
printf '{\n admin off\n}\nhttp://127.0.0.1:%s {\n encode gzip\n root * %s/site\n file_server\n}\n' "$port" "$folder" >Caddyfile
HOME=$folder "$caddy" run --adapter caddyfile --config Caddyfile 2>log &
server=$!
address=http://127.0.0.1:$port/list.json
for _ in $(seq 100); do
  if curl --silent --output /dev/null "$address"; then break; fi
  sleep 0.2
done
curl --silent --dump-header head --output part --header 'Accept-Encoding: gzip' --header 'Range: bytes=1000-4999' "$address"
grep -iE '^(HTTP|Content-|ETag)' head
plain=$(gzip --decompress --stdout part | wc -c)
printf 'bytes sent: %s, unpacked: %s\n' "$(wc -c <part)" "$plain"
if grep -q '^HTTP/1.1 206' head && grep -qi '^Content-Encoding: gzip' head &&
  grep -qi '^Content-Range: bytes 1000-4999/' head && [ "$plain" = 4000 ]; then
  echo 'as described: the part is compressed, and its range is that of the plain bytes'
else
  echo 'changed: see the head above'
  exit 1
fi
