#!/usr/bin/env bash
# One would believe: a program that copies a calendar keeps whole days (`DTSTART;VALUE=DATE`), because it reads and writes iCalendar.
# True: Gammu writes the day as midnight in UTC, so that it is an appointment at one in the morning, or on the evening before, and it
# replaces the UID by a number.
# Seen in 1.42.0 (Debian 12).
# A service for records should name the program in its documents.
set -euo pipefail
source "$(dirname "$0")/../debian-packages.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
debian_packages gammu=1.42.0-8
export PATH=$folder/packages/usr/bin:$PATH LD_LIBRARY_PATH=$folder/packages/usr/lib:$folder/packages/usr/lib/x86_64-linux-gnu
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//Example//EN BEGIN:VEVENT UID:fair@example.com \
  DTSTAMP:20261129T100000Z 'DTSTART;VALUE=DATE:20261130' 'DTEND;VALUE=DATE:20261203' SUMMARY:Fair END:VEVENT \
  END:VCALENDAR >fair.ics
gammu --version 2>warnings.log | grep -o 'Gammu version [0-9.]*'
gammu convertbackup fair.ics copy.ics >warnings.log 2>&1
seen=$(tr -d '\r' <copy.ics | grep -E '^(UID|DTSTART|DTEND)')
echo "$seen"
[ "$seen" = 'UID:calendar-1
DTSTART:20261130T000000Z
DTEND:20261203T000000Z' ]
