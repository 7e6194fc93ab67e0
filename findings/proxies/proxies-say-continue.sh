#!/usr/bin/env bash
# One would believe: a client that sends `Expect: 100-continue` with an upload waits behind a proxy as it does in front of the
# service: when the service refuses by the headers alone (401, 413, 507), the bytes of the file are never sent.
# True: HAProxy and Apache pass the header on and leave the answer to the service. nginx takes it away and answers 100 itself, also
# with `proxy_request_buffering off`. Caddy passes it on, and answers 100 before the service has. Behind these two the client sends a
# file that was refused before its first byte.
# Seen in nginx 1.22.1, HAProxy 2.6.12, Caddy 2.6.2 and Apache 2.4.71.
# A service for records should count the bytes of uploads that it refuses, and say so to people who pay for their traffic.
set -euo pipefail
folder=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
chmod 777 .
apt-get download -qq nginx=1.22.1-9+deb12u11 haproxy=2.6.12-1+deb12u4 caddy=2.6.2-5 apache2-bin=2.4.71-1~deb12u1 >apt.log 2>&1
for package in *.deb; do dpkg-deb -x "$package" packages; done
bin=$folder/packages/usr
cat >serve.mjs <<'JS'
import http from 'node:http';
import { writeFileSync } from 'node:fs';
// Refuses by the headers alone, and says what came.
const server = http.createServer((request, response) => refuse(request, response, false));
server.on('checkContinue', (request, response) => refuse(request, response, true));
function refuse(request, response, isAsked) {
  request.resume();
  writeFileSync('seen', isAsked ? 'asks first' : 'does not ask');
  response.writeHead(413, { 'content-length': 0 }).end();
}
server.listen(0, '127.0.0.1', () => writeFileSync('port', `${server.address().port}`));
JS
cat >send.mjs <<'JS'
import http from 'node:http';
const headers = { expect: '100-continue', 'content-length': 1_000_000 };
const request = http.request({ host: '127.0.0.1', port: Number(process.argv[2]), path: '/files', method: 'POST', agent: false, headers });
let told = 'is not told to';
request.on('continue', () => {
  told = 'is told to';
  request.end(Buffer.alloc(1_000_000));
});
request.on('error', () => {});
request.on('response', (response) => console.log(`${response.statusCode}, the client ${told} send`));
request.flushHeaders();
setTimeout(() => process.exit(), 2500);
JS
node serve.mjs &
pids+=($!)
for _ in $(seq 50); do [ -s port ] && break || sleep 0.1; done
service=$(cat port)
base=$((20000 + RANDOM % 10000))
cat >nginx.conf <<CONFIG
daemon off; pid $folder/nginx.pid; error_log stderr crit; events {}
http { access_log off; client_body_temp_path $folder/body; proxy_temp_path $folder/proxy; fastcgi_temp_path $folder/f; uwsgi_temp_path $folder/u; scgi_temp_path $folder/s;
  server { listen 127.0.0.1:$((base + 1)); location / { proxy_pass http://127.0.0.1:$service; proxy_http_version 1.1; proxy_request_buffering off; } } }
CONFIG
cat >haproxy.cfg <<CONFIG
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
listen records
  bind 127.0.0.1:$((base + 2))
  server one 127.0.0.1:$service
CONFIG
printf '{\n admin off\n}\nhttp://127.0.0.1:%s {\n reverse_proxy 127.0.0.1:%s\n}\n' $((base + 3)) "$service" >Caddyfile
modules=$bin/lib/apache2/modules
cat >apache.conf <<CONFIG
ServerRoot $folder
PidFile $folder/apache.pid
ErrorLog /dev/null
Listen 127.0.0.1:$((base + 4))
ServerName localhost
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule proxy_module $modules/mod_proxy.so
LoadModule proxy_http_module $modules/mod_proxy_http.so
ProxyPass / http://127.0.0.1:$service/
CONFIG
"$bin/sbin/nginx" -v
"$bin/sbin/haproxy" -v | sed -n 1p
"$bin/bin/caddy" version
"$bin/sbin/apache2" -v | sed -n 1p
"$bin/sbin/nginx" -p "$folder" -c "$folder/nginx.conf" -e stderr & pids+=($!)
"$bin/sbin/haproxy" -f haproxy.cfg & pids+=($!)
HOME=$folder "$bin/bin/caddy" run --adapter caddyfile --config Caddyfile 2>caddy.log & pids+=($!)
"$bin/sbin/apache2" -f "$folder/apache.conf" -DFOREGROUND & pids+=($!)
sleep 3
seen=$(
  number=0
  for name in service nginx HAProxy Caddy Apache; do
    port=$((base + number))
    if [ "$name" = service ]; then port=$service; fi
    rm -f seen
    answer=$(node send.mjs "$port")
    echo "$name: $answer; the service sees a client that $(cat seen)"
    number=$((number + 1))
  done
)
echo "$seen"
[ "$seen" = "service: 413, the client is not told to send; the service sees a client that asks first
nginx: 413, the client is told to send; the service sees a client that does not ask
HAProxy: 413, the client is not told to send; the service sees a client that asks first
Caddy: 413, the client is told to send; the service sees a client that asks first
Apache: 413, the client is not told to send; the service sees a client that asks first" ]
