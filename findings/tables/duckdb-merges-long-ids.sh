#!/usr/bin/env bash
# One would believe: a database that guesses the types of a CSV keeps ids that it can tell apart: text, or a number with all digits.
# DuckDB keeps `00501` as text for its zeros, and has a type for whole numbers of 38 digits.
# True: a column of whole numbers of 20 digits, such as those of SIM cards, becomes DOUBLE: two ids that differ in the last digits are
# equal, so that `count(distinct)` and joins are wrong. Quotes around the values do not help. And days such as `03/04/2026` are read
# as the day first, without a word, when no row decides.
# Seen in DuckDB 1.5.6.
# A service for records should say in its documents that columns of ids are read with a type: `types = {'id': 'VARCHAR'}`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund @duckdb/node-api@1.5.6-r.1
printf 'sim,day\n"12345678901234567890","03/04/2026"\n"12345678901234567891","05/06/2026"\n' >cards.csv
cat >read.js <<'JS'
import { DuckDBInstance } from '@duckdb/node-api';
const db = await (await DuckDBInstance.create()).connect();
const rows = async (text) => (await db.runAndReadAll(text)).getRowsJson().map((row) => row.join(' ')).join(', ');
console.error(await rows('select version()'));
console.log(await rows("select typeof(sim), count(distinct sim) from 'cards.csv' group by 1"));
console.log(await rows("select day from 'cards.csv'"));
console.log(await rows("select typeof(sim), count(distinct sim) from read_csv('cards.csv', types = {'sim': 'VARCHAR'}) group by 1"));
process.exit();
JS
seen=$(node read.js)
echo "$seen"
[ "$seen" = 'DOUBLE 1
2026-04-03, 2026-06-05
VARCHAR 2' ]
