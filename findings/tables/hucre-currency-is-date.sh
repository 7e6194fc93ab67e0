#!/usr/bin/env bash
# One would believe: a cell whose number format has a currency, `#,##0.00 [$€-de-DE]` as newer releases of Excel write it, is
# a number for every reader of workbooks.
# True: hucre removes `[$…]` only when it has ASCII letters, digits, `$` and `-` alone. It keeps `[$€-de-DE]` and finds a `d`
# in it, so 1234.5 is read as the date 1903-05-18. `[$€-407]` is a number. Seen in 1.0.0.
# A service for records should remove the currencies of number formats before it reads, and show each guessed type with
# values, so that a person sees an amount that is a date.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts hucre@1.0.0
cat >read.js <<'JS'
import { streamXlsxRows, writeXlsx } from 'hucre/xlsx';
const formats = ['#,##0.00 [$€-407]', '#,##0.00 [$€-de-DE]', '[$S/-es-PE] #,##0.00'];
const columns = formats.map((numFmt) => ({ header: numFmt, numFmt }));
const rows = [formats, formats.map(() => 1234.5)];
const bytes = await writeXlsx({ sheets: [{ name: 'a', columns, rows: [rows[1]] }] });
let last;
for await (const { values } of streamXlsxRows(bytes)) last = values;
console.log(last.map((value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value)).join(' '));
JS
echo "hucre $(node -p "require('./node_modules/hucre/package.json').version")"
seen=$(node read.js)
echo "$seen"
[ "$seen" = '1234.5 1903-05-18 1903-05-18' ]
