#!/usr/bin/env bash
# One would believe: an expression that PostgreSQL computes in a query, a default, a check and an index can be that of a
# generated column as well.
# True: a generated column refuses an expression that compares two constant texts, also when it only becomes one by
# simplification: "could not determine which collation to use for string comparison". The check for immutability simplifies the
# expression before collations are assigned to it. A `collate` does not help. Seen in PostgreSQL 18.
# A service for records that makes generated columns of people's formulas should compute constant parts itself, as far as
# PostgreSQL would.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.5.17
cat >try.js <<'JS'
import { PGlite } from '@electric-sql/pglite';
const db = new PGlite();
console.log((await db.query('show server_version')).rows[0].server_version);
const equal = `('a'::text collate "C" = 'b'::text collate "C")`;
const folded = `(coalesce('a', x) collate "C" = 'b'::text collate "C")`;
const statements = {
  query: `select ${equal}`,
  default: `create table one (x text, y boolean default ${equal})`,
  check: `create table two (x text, check (not ${equal}))`,
  index: `create index on one (${equal})`,
  generated: `create table three (x text, y boolean generated always as ${equal} stored)`,
  simplified: `create table four (x text, y boolean generated always as ${folded} stored)`,
};
for (const [name, statement] of Object.entries(statements)) {
  const seen = await db.exec(statement).then(() => 'made', ({ message }) => message);
  console.log(`${name}: ${seen}`);
}
JS
seen=$(node try.js)
echo "$seen"
refusal='could not determine which collation to use for string comparison'
expected=$(printf '%s: made\n' query default check index && printf "%s: $refusal\n" generated simplified)
[ "$(tail -n +2 <<<"$seen")" = "$expected" ]
