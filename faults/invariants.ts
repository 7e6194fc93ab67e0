// V1 to V8 and V13: the answers that clients got, compared with the database. V9 is checked by the faults themselves
// and liveness.ts, V10 and V11 on every answer (recorder.ts), V12 in storage.ts.

import { OTHER_CONNECTIONS, WEBHOOK_CONNECTIONS } from '../src/cli/service/connection-budget.ts';
import type { Row } from '../src/postgres/db.ts';
import type { Expected, Ledger } from './ledger.ts';
import { POOL_SIZE } from './program.ts';
import type { Site } from './site.ts';
import { RECORDS_PATH } from './site.ts';

/** Everything that is wrong; empty when all holds. */
export async function findViolations(site: Site, ledger: Ledger): Promise<readonly string[]> {
  const checks = [
    records,
    apiCount,
    groups,
    auditParity,
    actors,
    storedAnswers,
    references,
    comments,
    links,
    rest,
  ];
  const found: string[] = [...ledger.complaints, ...site.recorder.problems];
  for (const check of checks) found.push(...(await check(site, ledger)));
  for (const program of site.programs) {
    found.push(...program.fatal().map((line) => `V9 unhandled failure: ${line}`));
  }
  return found;
}

type Check = (site: Site, ledger: Ledger) => Promise<readonly string[]>;

/** The first few of a kind are enough. */
const SHOWN = 5;

function some(name: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  return [`${name}: ${texts.length}, such as ${texts.slice(0, SHOWN).join('; ')}`];
}

/** V1, V2, V6, V8: the records are exactly those that were acknowledged, as they were left. */
const records: Check = async (site, ledger) => {
  const rows = await site.rows(
    `select 'deals' as object_type, id, token, status, note, version,
        null::uuid as parent from s.deals
      union all select 'work_items', id, title, null, null, version, parent_work_item_id
      from s.work_items`,
  );
  const found = new Map(rows.map((row) => [String(row.id), row]));
  const living = [...ledger.records.values()].filter(({ deleted }) => !deleted);
  const lost = living.filter(({ id }) => !found.has(id));
  const left = [...found.keys()].filter((id) => ledger.records.get(id)?.deleted !== false);
  const wrong = living.flatMap((record) => {
    const row = found.get(record.id);
    return row === undefined ? [] : differencesOf(record, row);
  });
  const tokens = rows.map(({ token }) => String(token));
  const twice = tokens.length - new Set(tokens).size;
  return [
    ...some(
      'V2 acknowledged records are lost',
      lost.map(({ token }) => token),
    ),
    ...some('V1 records that nobody was told of', left),
    ...(twice === 0 ? [] : [`V1 ${twice} tokens are there twice`]),
    ...some('V2 V6 records differ', wrong),
  ];
};

function differencesOf(record: Expected, row: Row): readonly string[] {
  const { token, objectType, changes, notes, status, parent } = record;
  const found: string[] = [];
  if (row.token !== token) found.push(`${token} has the token ${row.token}`);
  if (Number(row.version) !== 1 + changes) {
    found.push(`${token} has version ${row.version} after ${changes} changes`);
  }
  const note = row.note ?? undefined;
  // Of a record that all clients write, the last write cannot be determined from outside.
  const fits = record.client === undefined ? notes.includes(String(note)) : note === notes.at(-1);
  if (!fits && !(note === undefined && notes.length === 0)) {
    found.push(`${token} has the note ${note}, not ${notes.at(-1)}`);
  }
  if (objectType === 'deals' && row.status !== status) {
    found.push(`${token} is ${row.status}, not ${status}`);
  }
  if (objectType === 'work_items' && (row.parent ?? null) !== parent) {
    found.push(`${token} is below ${row.parent}, not ${parent}`);
  }
  return found;
}

/** V1: the interface counts the rows of the table. */
const apiCount: Check = async (site) => {
  const [row] = await site.rows('select count(*)::integer as count from s.deals');
  const body = JSON.stringify({ metrics: [{ name: 'n', op: 'count' }] });
  const path = `${RECORDS_PATH}/aggregate`;
  const secret = site.keys[0]?.secret ?? '';
  const answer = await site.wire.send(site.url, secret, { method: 'POST', path, body });
  if (answer.status !== 200) return [`V9 no count at rest: ${answer.status}`];
  const { data } = JSON.parse(answer.body) as { data: readonly [{ n: number }] };
  return data[0].n === row?.count
    ? []
    : [`V1 the interface counts ${data[0].n}, not ${row?.count}`];
};

/** V3: all records of a group have the mark of one and the same batch, of one that was acknowledged. */
const groups: Check = async (site, ledger) => {
  const rows = await site.rows(
    `select grp, mark, count(*)::integer as count from s.deals where grp is not null group by 1, 2`,
  );
  const names = rows.map(({ grp }) => grp);
  const mixed = rows.filter(({ grp }) => names.filter((name) => name === grp).length > 1);
  const foreign = rows.filter(({ grp, mark }) => {
    const tokens = ledger.groupBatches.get(String(grp)) ?? ['none'];
    return !tokens.includes(String(mark));
  });
  return [
    ...some(
      'V3 groups with half a batch',
      mixed.map((row) => JSON.stringify(row)),
    ),
    ...some(
      'V3 groups with a batch nobody was told of',
      foreign.map((row) => JSON.stringify(row)),
    ),
  ];
};

/** V4: a row of the audit for each committed operation, and none besides. */
const auditParity: Check = async (site, ledger) => {
  const rows = await site.rows(
    `select record_id as id, count(*) filter (where action = 'create')::integer as creates,
        count(*) filter (where action in ('update', 'status'))::integer as changes,
        count(*) filter (where action = 'status')::integer as moves,
        count(*) filter (where action = 'delete')::integer as deletes,
        count(*) filter (where action = 'comment')::integer as comments,
        count(*) filter (where action = 'link')::integer as links,
        count(*)::integer as all
      from s._audit where object_type in ('deals', 'work_items') group by record_id`,
  );
  const found = new Map(rows.map((row) => [String(row.id), row]));
  const wrong = [...ledger.records.values()].flatMap((record) => {
    const row = found.get(record.id);
    found.delete(record.id);
    const { changes, statusMoves, comments, links, deleted } = record;
    const deletes = deleted ? 1 : 0;
    const all = 1 + changes + deletes + comments + links;
    const expected = { creates: 1, changes, moves: statusMoves, deletes, comments, links, all };
    const differs = Object.entries(expected).filter(([name, count]) => row?.[name] !== count);
    return differs.map(([name, count]) => `${record.token} ${name} ${row?.[name]}, not ${count}`);
  });
  return [
    ...some('V4 audit and effects differ', wrong),
    ...some('V4 audit of records nobody was told of', [...found.keys()]),
  ];
};

/** V4: what only one client writes to was written with its key, for its user. */
const actors: Check = async (site, ledger) => {
  const rows = await site.rows(
    `select record_id as id, array_agg(distinct api_key_id::text) as keys,
        array_agg(distinct user_id) as users
      from s._audit where object_type in ('deals', 'work_items') group by record_id`,
  );
  const wrong = rows.filter(({ id, keys, users }) => {
    const client = ledger.records.get(String(id))?.client;
    const key = client === undefined ? undefined : site.keys[client];
    return key !== undefined && (String(keys) !== key.id || String(users) !== String(key.userId));
  });
  return some(
    'V4 audit names another actor',
    wrong.map(({ id }) => String(id)),
  );
};

/** V5: an answer is stored for each acknowledged request under a key, and for no other. */
const storedAnswers: Check = async (site, ledger) => {
  const rows = await site.rows('select key, api_key_id from s._idempotency');
  const stored = new Map(rows.map(({ key, api_key_id }) => [String(key), api_key_id]));
  const keyed = ledger.entries.filter(({ kind }) => kind !== 'delete');
  const acked = keyed.filter(({ outcome }) => outcome === 'acked');
  const missing = acked.filter(({ token, client }) => stored.get(token) !== site.keys[client]?.id);
  const refused = keyed.filter(({ token, outcome }) => outcome !== 'acked' && stored.has(token));
  const more = stored.size - new Set(keyed.map(({ token }) => token)).size > 0;
  return [
    ...some(
      'V5 acknowledged without a stored answer',
      missing.map(({ token }) => token),
    ),
    ...some(
      'V5 an answer is stored of what was refused',
      refused.map(({ token }) => token),
    ),
    ...(more ? ['V5 more answers are stored than keys were used'] : []),
  ];
};

/** V7: no reference leads to a deleted record, and no work item is above itself. */
const references: Check = async (site) => {
  const rows = await site.rows(
    `with recursive everything as (
        select id from s.deals union all select id from s.contacts union all
        select id from s.companies union all select id from s.work_items
      ), above as (
        select id, parent_work_item_id as parent, 1 as depth from s.work_items
        union all select a.id, w.parent_work_item_id, a.depth + 1 from above a
          join s.work_items w on w.id = a.parent where a.depth < 50
      )
      select 'link' as what, from_id as id from s._links l where not exists
          (select from everything e where e.id = l.from_id)
        or not exists (select from everything e where e.id = l.to_id)
      union all select 'comment', c.id from s._comments c where not exists
        (select from everything e where e.id = c.record_id)
      union all select 'search row', f.record_id from s._search f where not exists
        (select from everything e where e.id = f.record_id)
      union all select 'notification', n.id from s._notifications n where not exists
        (select from s._comments c where c.id = n.comment_id)
      union all select 'company', d.id from s.deals d where company_id is not null and not exists
        (select from everything e where e.id = d.company_id)
      union all select 'cycle', id from above where id = parent`,
  );
  return some(
    'V7 dangling',
    rows.map(({ what, id }) => `${what} ${id}`),
  );
};

/** V13: a comment is there once, and notifies the mentioned people who may read it, once. */
const comments: Check = async (site, ledger) => {
  const rows = await site.rows(
    `select c.body, c.record_id, count(n.id)::integer as told,
        count(n.id) filter (where n.user_id = $1)::integer as readers
      from s._comments c left join s._notifications n on n.comment_id = c.id
      group by c.id, c.body, c.record_id`,
    [site.people.reader],
  );
  const living = [...ledger.comments].filter(([, id]) => ledger.records.get(id)?.deleted === false);
  const found = new Map(rows.map((row) => [String(row.body), row]));
  const lost = living.filter(([text, id]) => found.get(text)?.record_id !== id);
  const wrong = rows.filter(({ told, readers }) => told !== 1 || readers !== 1);
  const extra = rows.length - living.length + lost.length;
  return [
    ...some(
      'V2 comments are lost',
      lost.map(([text]) => text),
    ),
    ...(extra === 0 ? [] : [`V1 ${extra} comments too many`]),
    ...some(
      'V13 notifications',
      wrong.map((row) => JSON.stringify(row)),
    ),
  ];
};

const links: Check = async (site, ledger) => {
  const rows = await site.rows(
    `select to_id || ' ' || from_id as pair from s._links where relationship = 'contacts_deals'`,
  );
  const found = new Set(rows.map(({ pair }) => String(pair)));
  const living = [...ledger.links].filter(
    (pair) => ledger.records.get(pair.slice(0, 36))?.deleted === false,
  );
  return [
    ...some(
      'V2 links are lost',
      living.filter((pair) => !found.has(pair)),
    ),
    ...(found.size > living.length ? [`V1 ${found.size - living.length} links too many`] : []),
  ];
};

const REST_WITHIN = 10_000;
/** As in docs/operations.md, of one process without jobs: one connection looks for them, one listens for webhooks. */
const SESSIONS = POOL_SIZE + OTHER_CONNECTIONS + WEBHOOK_CONNECTIONS + 2;

/** V5, V9: no session holds a key or a transaction when all is quiet. */
const rest: Check = async (site) => {
  const most = site.programs.filter((program) => program.ended() === undefined).length * SESSIONS;
  const giveUp = Date.now() + REST_WITHIN;
  for (;;) {
    const rows = await site.rows(
      `select 'advisory lock of ' || pid as what from pg_locks l where locktype = 'advisory'
          and l.database = (select oid from pg_database where datname = current_database())
        union all select 'a session is ' || state from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'
        union all select count(*) || ' sessions' from pg_stat_activity
          where datname = current_database() and application_name = 'workspace-records'
            and pid <> pg_backend_pid() having count(*) > $1`,
      [most],
    );
    if (rows.length === 0) return [];
    if (Date.now() > giveUp)
      return some(
        'V5 V9 held at rest',
        rows.map(({ what }) => String(what)),
      );
  }
};
