// The object of X15: a table large enough for indexes that are built while clients write, in two forms that differ in
// everything a definition can change, applied and looked at from outside.

import { mergePatch } from '../src/model/definition/definition.ts';
import type { Answer } from './recorder.ts';
import type { Site } from './site.ts';
import type { Sent } from './wire.ts';

/** Of 1,900 characters: more than 8 MB, from which on indexes are built concurrently. */
const ROWS = 5000;

const head = { name: 'Depots', singular_name: 'Depot', owned: false };
const filler = { type: 'long_text' };

const PLAIN = {
  objects: {
    depots: {
      ...head,
      display_field: 'code',
      fields: {
        ...{ filler, code: { type: 'text' }, size: { type: 'integer', indexed: true } },
        ...{ note: { type: 'text', storage: 'jsonb' }, phone: { type: 'phone' } },
      },
    },
  },
};

/** Renamed, indexed, unique, moved, searched by another field, with a new field and another object. */
const OTHER = {
  objects: {
    depots: {
      ...head,
      display_field: 'title',
      fields: {
        ...{ filler, title: { type: 'text', unique: true, indexed: true, renamed_from: 'code' } },
        ...{
          size: { type: 'number' },
          note: { type: 'text' },
          phone: { type: 'phone', unique: true },
        },
        zone: { type: 'select', options: [{ value: 'a' }], indexed: true },
      },
    },
    gates: {
      ...{ name: 'Gates', singular_name: 'Gate', owned: false },
      fields: { depot: { type: 'reference', reference_object_type: 'depots' } },
    },
  },
};

const BACK = mergePatch(PLAIN, {
  objects: {
    depots: {
      fields: {
        code: { renamed_from: 'title' },
        // A number does not become an integer unasked; these are.
        size: { type: 'integer' },
      },
    },
  },
});

export interface Depots {
  readonly site: Site;
  /** The document of the workspace without them. */
  readonly rest: unknown;
}

export async function makeDepots(site: Site): Promise<Depots> {
  const { patch } = JSON.parse((await ask(site, 'GET', '/v1/definition?form=patch')).body).data;
  const depots = { site, rest: patch };
  await apply(depots, PLAIN, false);
  await site.rows(
    `insert into s.depots (id, created_by_user_id, code, size, filler, phone, custom_fields)
      select gen_random_uuid(), 1, 'depot' || n, n, repeat('x', 1900), '+' || (1000 + n),
        jsonb_build_object('note', 'note ' || n) from generate_series(1, $1::integer) n`,
    [ROWS],
  );
  return depots;
}

/** The status of the answer; fails when there was none, or another than success. */
export function applyOverHttp(
  depots: Depots,
  to: 'plain' | 'other',
  background: boolean,
): Promise<number> {
  return apply(depots, to === 'other' ? OTHER : BACK, background);
}

async function apply({ site, rest }: Depots, document: unknown, background: boolean) {
  const patch = mergePatch(rest, document);
  const planned = await ask(site, 'POST', '/v1/definition/plan', { body: { patch } });
  const { plan_id, revision, changes } = JSON.parse(planned.body).data;
  const allow = changes.flatMap(({ allow: name }: { allow: string | null }) => name ?? []);
  const answer = await ask(site, 'POST', '/v1/definition/apply', {
    body: { patch, plan_id, allow, background },
    ifMatch: `"${revision}"`,
  });
  return answer.status;
}

/** Everything of the depots that somebody can see, and the tables below. */
export type Sight = Readonly<Record<string, unknown>>;

const PATHS = [
  '/v1/objects/depots',
  '/v1/objects/depots/records?limit=3&filter[size]=77',
  '/v1/search?q=depot77',
  '/v1/search?q=%2B1077',
];

export async function lookAt({ site }: Depots): Promise<Sight> {
  const { definition } = JSON.parse((await ask(site, 'GET', '/v1/definition')).body).data;
  const seen = await Promise.all(PATHS.map((path) => ask(site, 'GET', path)));
  const bodies = seen.map(({ body }) => JSON.parse(body).data);
  return { definition, bodies, catalog: await catalogOf(site), records: await recordsOf(site) };
}

/** Tables, columns, indexes and constraints of the workspace, broken ones too, whatever number is behind their names. */
async function catalogOf({ rows }: Site): Promise<unknown> {
  return rows(
    `select regexp_replace(line, '"|#[0-9]+', '', 'g') as line from (
      select pg_get_indexdef(indexrelid) || case when indisvalid then '' else '!' end as line
        from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace = 'ws_acme'::regnamespace
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
        || case when convalidated then '' else '!' end
        from pg_constraint where connamespace = 'ws_acme'::regnamespace and contype <> 'n'
      union all select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || case when a.attnotnull then ' not null' else '' end
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'ws_acme'::regnamespace and c.relkind = 'r' and a.attnum > 0
          and not a.attisdropped) found
      order by 1`,
  );
}

/** Whatever the columns are called (D420): the values of each record, and its version. */
async function recordsOf({ rows }: Site): Promise<unknown> {
  return rows(
    `select count(*)::integer as records, sum(hashtextextended(concat_ws(' ', d.id, d.version, j ->> 'size', j ->> 'code',
        coalesce(j ->> 'note', j -> 'custom_fields' ->> 'note')), 0))::text as digest
      from s.depots d, lateral (select jsonb_object_agg(regexp_replace(key, '#[0-9]+$', ''), value) as j
        from jsonb_each(to_jsonb(d))) named`,
  );
}

interface Asked {
  readonly body?: object;
  readonly ifMatch?: string;
}

async function ask(
  { wire, url, keys }: Site,
  method: Sent['method'],
  path: string,
  { body, ifMatch }: Asked = {},
): Promise<Answer> {
  const sent = { method, path, body: body && JSON.stringify(body), ifMatch };
  const answer = await wire.send(url, keys[0]?.secret ?? '', sent);
  if (answer.status === undefined) throw new Error(`no answer to ${path}: ${answer.lost}`);
  if (answer.status < 300) return answer;
  throw new Error(`${path} was answered with ${answer.status}: ${answer.body.slice(0, 500)}`);
}
