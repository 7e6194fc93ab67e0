#!/usr/bin/env bash
# One would believe: a day in a cell of a workbook has no zone, so exceljs writes `2026-01-31` into a CSV whatever zone the
# machine has, when `dateFormat` is `YYYY-MM-DD`.
# True: a cell is a moment of UTC, and `csv.writeBuffer` prints it in the zone of the machine: west of Greenwich every day
# is the day before. `dateUTC: true` cures it. Seen in 4.4.0.
# A service for records should say in its page of imports how to write days, and show in a dry run how many change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts exceljs@4.4.0
cat >write.js <<'JS'
import ExcelJS from 'exceljs';
const book = new ExcelJS.Workbook();
book.addWorksheet('days').addRow([new Date(Date.UTC(2026, 0, 31))]);
// As a workbook that was saved and opened.
const opened = new ExcelJS.Workbook();
await opened.xlsx.load(await book.xlsx.writeBuffer());
const dateFormat = 'YYYY-MM-DD';
const days = await opened.csv.writeBuffer({ dateFormat });
const utc = await opened.csv.writeBuffer({ dateFormat, dateUTC: true });
console.log(`${days} ${utc}`);
JS
echo "exceljs $(node -p "require('./node_modules/exceljs/package.json').version")"
berlin=$(TZ=Europe/Berlin node write.js)
new_york=$(TZ=America/New_York node write.js)
printf 'Berlin: %s\nNew York: %s\n' "$berlin" "$new_york"
[ "$berlin" = '2026-01-31 2026-01-31' ] && [ "$new_york" = '2026-01-30 2026-01-31' ]
