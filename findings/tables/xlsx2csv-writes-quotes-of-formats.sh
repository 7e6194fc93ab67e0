#!/usr/bin/env bash
# One would believe: a converter of workbooks writes a text of a number format, such as ` UTC` in `yyyy-mm-dd hh:mm:ss" UTC"`, as a
# spreadsheet shows it, or leaves it out.
# True: xlsx2csv writes it in small letters and with the quotation marks of the format, so the cell is `2026-03-01 12:30:15" utc"`.
# Seen in 0.7.8 (Debian 12). `--dateformat '%Y-%m-%d %H:%M:%S'` leaves the text out; `--timeformat` does
# nothing here.
# A service for records whose workbooks say the zone of a time in its format should name the option in its documents.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq xlsx2csv=1:0.7.8-1 >apt.log 2>&1
dpkg-deb -x xlsx2csv_*.deb packages
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts exceljs@4.4.0
cat >write.js <<'JS'
import ExcelJS from 'exceljs';
const book = new ExcelJS.Workbook();
const sheet = book.addWorksheet('a');
sheet.addRow([new Date('2026-03-01T12:30:15Z')]).getCell(1).numFmt = 'yyyy-mm-dd hh:mm:ss" UTC"';
await book.xlsx.writeFile('times.xlsx');
JS
node write.js
convert() { /usr/bin/python3 packages/usr/bin/xlsx2csv "$@" times.xlsx; }
echo "xlsx2csv $(dpkg-deb -f xlsx2csv_*.deb Version)"
seen=$(convert; convert --timeformat '%Y-%m-%d %H:%M:%S'; convert --dateformat '%Y-%m-%d %H:%M:%S')
echo "$seen"
[ "$seen" = '"2026-03-01 12:30:15"" utc"""
"2026-03-01 12:30:15"" utc"""
2026-03-01 12:30:15' ]
