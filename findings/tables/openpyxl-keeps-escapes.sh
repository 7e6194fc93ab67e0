#!/usr/bin/env bash
# One would believe: a library that reads and writes workbooks takes `_x000D_`, which is how workbooks write a carriage return, for
# that character, and writes a text of these seven characters as `_x005F_x000D_`, as Excel does.
# True: openpyxl gives `_x000D_` as text, and writes the seven characters as they are, which other readers take for a carriage
# return. Seen in 3.1.5 (and 3.0.9).
# A service for records should escape such texts in its own workbooks, and expect `_x000D_` in tables that have passed through
# pandas, which reads by openpyxl.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --retries 0 --target packages openpyxl==3.1.5
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts hucre@1.0.0
cat >write.js <<'JS'
import { writeFileSync } from 'node:fs';
import { writeXlsx } from 'hucre/xlsx';
writeFileSync('written.xlsx', await writeXlsx({ sheets: [{ name: 'a', rows: [['a\rb']] }] }));
JS
cat >read.js <<'JS'
import { readFileSync } from 'node:fs';
import { readXlsx } from 'hucre/xlsx';
const { sheets } = await readXlsx(readFileSync('again.xlsx'));
console.log('another reader', JSON.stringify(sheets[0].rows[0][0]));
JS
cat >read.py <<'PY'
import openpyxl
book = openpyxl.load_workbook('written.xlsx')
print('openpyxl', openpyxl.__version__)
print('reads', repr(book.active['A1'].value))
book.active['A1'].value = 'a_x000D_b'
book.save('again.xlsx')
PY
node write.js
seen=$(PYTHONPATH=packages python3 read.py; node read.js)
echo "$seen"
[ "$seen" = "openpyxl 3.1.5
reads 'a_x000D_b'
another reader \"a\\rb\"" ]
