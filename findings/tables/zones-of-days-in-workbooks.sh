#!/usr/bin/env bash
# One would believe: libraries of Node write a Date into a cell alike, because a cell has no zone: the day and the time of the
# machine. And a `Z` behind a time in a cell means UTC.
# True: exceljs and write-excel-file write the time in UTC, SheetJS and xlsx-populate that of the machine. West of Greenwich a Date
# made for a day is the day at 05:00 in the first two, east of it the day before at 23:00. SheetJS with `cellDates` writes text with
# the time of the machine and a `Z` behind it.
# Seen in exceljs 4.4.0, write-excel-file 4.1.1, xlsx 0.18.5, xlsx-populate 1.21.0.
# A service for records should take the time in a cell for one without a zone, whatever stands behind it, and ask for the zone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts exceljs@4.4.0 write-excel-file@4.1.1 xlsx@0.18.5 xlsx-populate@1.21.0
cat >write.js <<'JS'
import ExcelJS from 'exceljs';
import writeSheet from 'write-excel-file/node';
import XLSX from 'xlsx';
import populate from 'xlsx-populate';

const [format, day] = ['yyyy-mm-dd hh:mm', new Date(2026, 2, 1)];
const book = new ExcelJS.Workbook();
book.addWorksheet('a').addRow([day]).getCell(1).numFmt = format;
await book.xlsx.writeFile('exceljs.xlsx');

await writeSheet([[{ value: day, type: Date, format }]], { sheet: 'a' }).toFile('write-excel-file.xlsx');

for (const [name, options] of [['xlsx', {}], ['xlsx-cellDates', { cellDates: true }]]) {
  const written = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(written, XLSX.utils.aoa_to_sheet([[{ t: 'd', v: day, z: format }]], options), 'a');
  XLSX.writeFile(written, `${name}.xlsx`, options);
}

const blank = await populate.fromBlankAsync();
blank.sheet(0).cell('A1').value(day).style('numberFormat', format);
await blank.toFileAsync('xlsx-populate.xlsx');
JS
seen=$(for zone in America/New_York Europe/Berlin; do
  TZ=$zone node write.js
  for name in exceljs write-excel-file xlsx xlsx-cellDates xlsx-populate; do
    value=$(unzip -p "$name.xlsx" xl/worksheets/sheet1.xml | grep -oE '<c r="A1".*</c>' | grep -oE '<v>[^<]*' | head -1)
    echo "$zone $name ${value#<v>}"
  done
done)
echo "$seen"
[ "$seen" = 'America/New_York exceljs 46082.20833333333
America/New_York write-excel-file 46082.20833333333
America/New_York xlsx 46082
America/New_York xlsx-cellDates 2026-03-01T00:00:00.000Z
America/New_York xlsx-populate 46082
Europe/Berlin exceljs 46081.95833333333
Europe/Berlin write-excel-file 46081.95833333333
Europe/Berlin xlsx 46082
Europe/Berlin xlsx-cellDates 2026-03-01T00:00:00.000Z
Europe/Berlin xlsx-populate 46082' ]
