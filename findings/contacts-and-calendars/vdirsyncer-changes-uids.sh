#!/usr/bin/env bash
# One would believe: a program that copies a calendar from an address keeps the UID of each event, because RFC 5545 calls it the
# persistent identifier, and an event that changes stays the same event.
# True: vdirsyncer writes another UID, the hash of the event, into each event that it reads from an address (`type = "http"`). An
# event with a new SEQUENCE is another event: the old file is deleted, a new one is made, and what a person had attached to the
# event is gone. And an address without events is refused: the local events stay as they were.
# Seen in 0.19.0 (Debian 12).
# A service for records should leave out of an event what changes without a reason to show, since each such change is a new event
# for these people; and say in its documents that the last event stays there when a calendar has become empty.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq vdirsyncer=0.19.0-1 python3-{aiohttp,aiosignal,aiostream,async-timeout,atomicwrites,attr,certifi} \
  python3-{chardet,charset-normalizer,click,click-log,click-threading,frozenlist,idna,multidict,requests,urllib3,yarl} \
  >apt.log 2>&1
for package in *.deb; do dpkg-deb -x "$package" packages; done
export PYTHONPATH=$folder/packages/usr/lib/python3/dist-packages
mkdir calendar served
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
serve() { printf 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//A//B//EN\r\n%sEND:VCALENDAR\r\n' "$1" >served/feed.ics; }
event() {
  printf 'BEGIN:VEVENT\r\nUID:talk-1\r\nDTSTAMP:20261129T080000Z\r\nSEQUENCE:%s\r\n' "$1"
  printf 'DTSTART:20261130T083000Z\r\nSUMMARY:Talk\r\nEND:VEVENT'
}
serve "$(event 1)"$'\r\n'
(cd served && exec /usr/bin/python3 -m http.server --bind 127.0.0.1 "$port" >/dev/null 2>&1) &
server=$!
sleep 1
cat >config <<CONFIG
[general]
status_path = "$folder/status/"
[pair feed]
a = "local"
b = "remote"
collections = null
conflict_resolution = "b wins"
[storage local]
type = "filesystem"
path = "$folder/calendar/"
fileext = ".ics"
[storage remote]
type = "http"
url = "http://127.0.0.1:$port/feed.ics"
CONFIG
run() { /usr/bin/python3 -m vdirsyncer -c config "$@"; }
uid() { sed -n 's/^UID://p' calendar/*.ics | tr -d '\r'; }
run --version
run discover </dev/null >discover.log 2>&1
run sync >first.log 2>&1
first=$(uid)
serve "$(event 2)"$'\r\n'
run sync >second.log 2>&1
second=$(uid)
serve ''
if run sync >third.log 2>&1; then emptied=accepted; else emptied=refused; fi
echo "first UID: $first"
echo "after a higher SEQUENCE: $second"
echo "a calendar without events is $emptied; $(ls calendar | wc -l) event left"
grep -i -m1 -e empty -e force third.log || tail -2 third.log
[ "$first" != talk-1 ] && [ "$second" != "$first" ] && [ "$emptied" = refused ] && [ "$(ls calendar | wc -l)" = 1 ]
