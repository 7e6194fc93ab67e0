#!/usr/bin/env bash
# One would believe: texts of JSON stay as they are, but for those that are whole dates, times or UUIDs; what DuckDB reads from JSON
# lines and writes as JSON lines is the same.
# True: a column of texts such as "11:30" becomes TIME and is written as "11:30:00", and a time in UTC loses its zone:
# "2026-01-31T10:20:30.500Z" is written as "2026-01-31 10:20:30.5". Texts of digits stay texts, in contrast to CSV.
# Seen in DuckDB 1.5.6. `columns = {…}` or `auto_detect = false` names the types.
# A service for records should refuse times without a zone in imports, and name the types in its documents.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @duckdb/node-api@1.5.6-r.1
cat >copy.js <<'JS'
import { readFileSync, writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
const record = { at: '2026-01-31T10:20:30.500Z', opens: '11:30', code: '00501' };
writeFileSync('records.jsonl', `${JSON.stringify(record)}\n`);
const connection = await (await DuckDBInstance.create()).connect();
console.error(`DuckDB ${(await connection.runAndReadAll('select version()')).getRows()[0][0]}`);
const described = await connection.runAndReadAll("describe select * from read_json('records.jsonl')");
console.log(described.getRows().map(([name, type]) => `${name} ${type}`).join(', '));
await connection.run("copy (from read_json('records.jsonl')) to 'copy.jsonl' (format json)");
const types = "columns = {'at': 'VARCHAR', opens: 'VARCHAR', code: 'VARCHAR'}";
await connection.run(`copy (from read_json('records.jsonl', ${types})) to 'texts.jsonl' (format json)`);
console.log(readFileSync('copy.jsonl', 'utf8') + readFileSync('texts.jsonl', 'utf8'));
JS
seen=$(node copy.js)
echo "$seen"
[ "$seen" = 'at TIMESTAMP, opens TIME, code VARCHAR
{"at":"2026-01-31 10:20:30.5","opens":"11:30:00","code":"00501"}
{"at":"2026-01-31T10:20:30.500Z","opens":"11:30","code":"00501"}' ]
