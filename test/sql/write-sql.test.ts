// Text and parameters of the statements of a write. What they do is tested in flow/.

import { describe, expect, test } from 'vitest';
import type { Field } from '../../src/model/model.ts';
import { planGet } from '../../src/plan/read-plan.ts';
import type { AuditContext } from '../../src/sql/audit-sql.ts';
import { deleteSql } from '../../src/sql/delete-sql.ts';
import { linkSql, unlinkSql } from '../../src/sql/link-sql.ts';
import {
  activeUsersSql,
  lockMatchesSql,
  lockSql,
  matchSql,
  referencesSql,
  referringSql,
} from '../../src/sql/lookup-sql.ts';
import { type Sql, sql, toStatement } from '../../src/sql/sql.ts';
import { insertSql, updateSql } from '../../src/sql/write-sql.ts';
import { callerOf, fieldOf, objectOf, sampleModel } from '../sample-definition.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const parts = objectOf(model, 'parts');
const A = '01900000-0000-7000-8000-00000000000a';
const B = '01900000-0000-7000-8000-00000000000b';
const KEY_ID = '01900000-0000-7000-8000-000000000001';

const caller = callerOf(model, ['own'], { id: 4 });
const plan = planGet(model, caller, parts, { ids: [A, B], fields: ['label'] });
const SHOWN = 't."id", t."version", t."created_at", t."updated_at", t."label"';

const context: AuditContext = {
  schema: 'ws_sample',
  revision: 3,
  api_key_id: KEY_ID,
  api_key_prefix: 'wrs_p_sample',
  user_id: 4,
  object_type: 'parts',
  source: 'api',
  request_id: 'r',
  batch_id: null,
};
const entry = { record_id: A, action: 'update', changed_fields: ['label'] };
const audit = { context, entries: [entry] };

const AUDIT_INSERT =
  'insert into "ws_sample"."_audit" (api_key_id, api_key_prefix, user_id, source, request_id, batch_id, object_type, record_id, action, changed_fields)';

function actorText(first: number): string {
  const at = (index: number) => `$${first + index}`;
  return `${at(0)}::uuid, ${at(1)}::text, ${at(2)}::integer, ${at(3)}::text, ${at(4)}::text, ${at(5)}::uuid`;
}

/** The definition the write was judged by must still be in force. */
function presentText(first: number): string {
  return `"workspace_records"."require_in_force"((select count(*) from (select from "ws_sample"."_definitions" where revision = $${first}::integer and in_force for share) d) = 1)`;
}

/** The audit part of every change, its parameters from `first` on. */
function auditText(first: number): string {
  const at = (index: number) => `$${first + index}`;
  const actor = `${at(0)}::uuid, ${at(1)}::text, ${at(2)}::integer, ${at(3)}::text, a.request_id, ${at(4)}::uuid`;
  return `audited as (${AUDIT_INSERT} select ${actor}, ${at(5)}::text, a.record_id, a.action, string_to_array(a.fields, ',') from unnest(${at(6)}::uuid[], ${at(7)}::text[], ${at(8)}::text[], ${at(9)}::text[]) as a(record_id, action, fields, request_id) cross join ${presentText(first + 10)})`;
}

const ACTOR_VALUES = [KEY_ID, 'wrs_p_sample', 4, 'api', 'r', null];
const AUDIT_VALUES = [
  ...[KEY_ID, 'wrs_p_sample', 4, 'api', null],
  ...['parts', [A], ['update'], ['label'], ['r'], 3],
];

function lines(part: Sql): readonly [text: string, ...values: unknown[]] {
  const { text, values } = toStatement(part);
  return [text.replace(/\s+/g, ' '), ...values];
}

describe('look-ups', () => {
  test('rows are locked in the order of their ids, within reach', () => {
    const order = [{ field: fieldOf(parts, 'id'), direction: 'asc' }] as const;
    const select = `select ${SHOWN} from "ws_sample"."parts" t where t."created_by_user_id" = $1::integer and t.id = any($2::uuid[]) order by t."id" asc`;
    expect(lines(lockSql({ ...plan, order }, 'update'))).toEqual([
      `${select} for no key update of t`,
      4,
      [A, B],
    ]);
    expect(lines(lockSql({ ...plan, order }, 'delete'))[0]).toBe(`${select} for update of t`);
  });

  test('matches are serialised in one order by locks that end with the transaction', () => {
    expect(lines(lockMatchesSql(['b', 'a']))).toEqual([
      'select count(pg_advisory_xact_lock(hashtextextended(k, 0))) from (select k from unnest($1::text[]) k order by k) s',
      ['b', 'a'],
    ]);
  });

  test('matches are compared exactly and within reach, two rows each', () => {
    const fields = [fieldOf(parts, 'label'), fieldOf(parts, 'weight')];
    const matches = [
      [0, ["l'", 1.5]],
      [3, ['m', 2]],
    ] as const;
    const rows = [
      { _match: 0, m0: "l'", m1: 1.5 },
      { _match: 3, m0: 'm', m1: 2 },
    ];
    expect(lines(matchSql(plan, fields, matches))).toEqual([
      `select m._match, t.* from jsonb_to_recordset($1::jsonb) as m(_match integer, "m0" text, "m1" numeric) cross join lateral ( select ${SHOWN} from "ws_sample"."parts" t where t."label" = m."m0" and t."weight" = m."m1" and t."created_by_user_id" = $2::integer order by t.id limit 2 for no key update) t`,
      JSON.stringify(rows),
      4,
    ]);
  });

  test('references are looked up within reach', () => {
    const reach = { column: 'owner_user_id', user_ids: [4, 5] };
    expect(lines(referencesSql('ws_sample', gadgets, reach, [A]))).toEqual([
      'select t.id from "ws_sample"."gadgets" t where t.id = any($1::uuid[]) and t."owner_user_id" = any($2::integer[]) order by t.id for key share of t',
      [A],
      [4, 5],
    ]);
    const everything = { column: 'owner_user_id', user_ids: undefined };
    expect(lines(referencesSql('ws_sample', gadgets, everything, [A]))[0]).toBe(
      'select t.id from "ws_sample"."gadgets" t where t.id = any($1::uuid[]) order by t.id for key share of t',
    );
  });

  test('people are active and no agents', () => {
    expect(lines(activeUsersSql('ws_sample', [4, 5]))).toEqual([
      `select id from "ws_sample"."_users" where id = any($1::integer[]) and active and kind = 'user'`,
      [4, 5],
    ]);
  });

  test('records that refer to one are counted apart: in sight, in the way, and neither', () => {
    const fittings = objectOf(model, 'fittings');
    const parts = objectOf(model, 'parts');
    const reach = { column: 'owner_user_id', user_ids: [4] };
    const field = fieldOf(fittings, 'part_id');
    const referrers = {
      object: fittings,
      reach,
      fields: [{ field, restricts: true, readable: true }],
    };
    const own = { column: 'created_by_user_id', user_ids: [5] };
    const deleted = { object: parts, ids: [A], reaches: [own] };
    expect(lines(referringSql('ws_sample', deleted, referrers))).toEqual([
      'with gone as ( select t.id from "ws_sample"."parts" t where t.id = any($1::uuid[]) and t."created_by_user_id" = $2::integer ) select r.id, count(distinct r.record) filter (where r.restricts and r.known) as needing, count(distinct r.record) filter (where not r.restricts and r.known) as cleared, bool_or(r.restricts and not r.known) as hidden from (select g.id, t.id as record, true as restricts, (t."owner_user_id" = $3::integer) is true as known from gone g join "ws_sample"."fittings" t on t."part_id" = g.id where not t.id = any($4::uuid[])) r group by r.id',
      [A],
      5,
      4,
      [A],
    ]);
  });
});

describe('insert', () => {
  const columns = new Map([
    ['id', 'uuid'],
    ['created_by_user_id', 'integer'],
    ['label', 'text'],
    ['created_at', 'timestamptz(3)'],
    ['custom_fields', 'jsonb'],
  ]);
  const rows = [
    { id: A, created_by_user_id: 4, label: "l'" },
    { id: B, created_by_user_id: 4, custom_fields: { x: 1 } },
  ];

  test('records of several requests, each audit row with its own', () => {
    const entries = [
      { ...entry, request_id: 'one' },
      { ...entry, record_id: B, request_id: 'two' },
      { ...entry, request_id: null },
    ];
    const [text, ...values] = lines(insertSql(plan, { columns, rows }, { context, entries }));
    expect(text).toBe(lines(insertSql(plan, { columns, rows }, audit))[0]);
    expect(values).toContainEqual(['one', 'two', 'r']);
  });

  test('all records in one statement with their audit rows', () => {
    expect(lines(insertSql(plan, { columns, rows }, audit))).toEqual([
      `with changed as ( insert into "ws_sample"."parts" as t ("id", "created_by_user_id", "label", "created_at", "custom_fields") select r."id", r."created_by_user_id", r."label", coalesce(r."created_at", now()), coalesce(r."custom_fields", '{}') from jsonb_to_recordset($1::jsonb) as r("id" uuid, "created_by_user_id" integer, "label" text, "created_at" timestamptz(3), "custom_fields" jsonb) returning ${SHOWN} ), ${auditText(2)} select * from changed`,
      JSON.stringify(rows),
      ...AUDIT_VALUES,
    ]);
  });

  test('on an assumption that the statement fails without', () => {
    const assumed = sql`${1} = ${2}`;
    const [text, ...values] = lines(insertSql(plan, { columns, rows, assumed }, audit));
    expect(text).toContain(
      '"custom_fields" jsonb) cross join "workspace_records"."require_assumption"($2 = $3) returning',
    );
    expect(values.slice(1, 3)).toEqual([1, 2]);
  });

  test('the text does not depend on how many records there are', () => {
    const [one] = lines(insertSql(plan, { columns, rows: rows.slice(1) }, audit));
    expect(one).toBe(lines(insertSql(plan, { columns, rows }, audit))[0]);
  });
});

describe('update', () => {
  function update(set: readonly (readonly [Field, unknown])[]) {
    return lines(updateSql(plan, { id: A, set: new Map(set) }, audit));
  }

  function around(assignments: string, first: number): string {
    return `with changed as ( update "ws_sample"."parts" t set ${assignments}version = t.version + 1, updated_at = now() where t.id = $${first}::uuid returning ${SHOWN} ), ${auditText(first + 1)} select * from changed`;
  }

  test('sets columns with the casts of their types', () => {
    const set = [
      [fieldOf(gadgets, 'a_text'), "x'"],
      [fieldOf(gadgets, 'a_number'), 1.5],
      [fieldOf(gadgets, 'a_multi_select'), ['red', 'a,"b']],
      [fieldOf(gadgets, 'a_json'), { a: "x'" }],
      [fieldOf(gadgets, 'a_datetime'), null],
    ] as const;
    expect(update(set)).toEqual([
      around(
        '"a_text" = $1::text, "a_number" = $2::numeric, "a_multi_select" = $3::text[], "a_json" = $4::jsonb, "a_datetime" = $5::timestamptz(3), ',
        6,
      ),
      "x'",
      1.5,
      ['red', 'a,"b'],
      '{"a":"x\'"}',
      null,
      A,
      ...AUDIT_VALUES,
    ]);
  });

  test('a JSON null is no value, a JSON text is quoted as JSON', () => {
    const json = fieldOf(gadgets, 'a_json');
    expect(update([[json, null]])[1]).toBeNull();
    expect(update([[json, 'text']])[1]).toBe('"text"');
  });

  test('merges custom_fields key by key in the database (D46)', () => {
    const set = [
      [fieldOf(gadgets, 'x_text'), "x'"],
      [fieldOf(gadgets, 'x_number'), null],
      [fieldOf(gadgets, 'x_json'), { a: 1 }],
    ] as const;
    expect(update(set)).toEqual([
      around('custom_fields = (t.custom_fields || $1::jsonb) - $2::text[], ', 3),
      '{"x_text":"x\'","x_json":{"a":1}}',
      ['x_number'],
      A,
      ...AUDIT_VALUES,
    ]);
  });

  test('names of columns are quoted', () => {
    const hostile = { ...fieldOf(gadgets, 'a_text'), column: 'x" = 1; --' };
    expect(update([[hostile, 'v']])[0]).toContain('set "x"" = 1; --" = $1::text, version');
  });
});

describe('delete', () => {
  const deleted =
    'with changed as ( delete from "ws_sample"."parts" t where t.id = any($1::uuid[]) returning t.id )';

  test('in one statement with the audit rows', () => {
    const attached = { cleared: [], linked: false, commented: false };
    expect(lines(deleteSql(plan, [A, B], attached, audit))).toEqual([
      `${deleted}, ${auditText(2)} select * from changed`,
      [A, B],
      ...AUDIT_VALUES,
    ]);
  });

  test('with links and references to the records, each reference with its audit row', () => {
    const cleared = [{ object: gadgets, field: fieldOf(gadgets, 'a_reference') }];
    const attached = { cleared, linked: true, commented: false };
    const [text, ...values] = lines(deleteSql(plan, [A], attached, audit));
    const unlinked =
      'unlinked as ( delete from "ws_sample"."_links" where from_id = any($2::uuid[]) or to_id = any($3::uuid[]) )';
    const set =
      '"a_reference" = case when o."a_reference" = any($4::uuid[]) then null else o."a_reference" end, version = t.version + 1, updated_at = now()';
    const rows =
      '(select o.id, o."a_reference" from "ws_sample"."gadgets" o where (o."a_reference" = any($5::uuid[])) order by o.id for no key update) o';
    const told = `returning $6::text as object_type, t.id as record_id, 'update'::text as action, array_remove(array[case when o."a_reference" = any($7::uuid[]) then $8::text end], null) as changed_fields`;
    const noted = `"audited_0" as (${AUDIT_INSERT} select ${actorText(9)}, a.object_type, a.record_id, a.action, a.changed_fields from "cleared_0" a cross join ${presentText(15)})`;
    expect(text).toBe(
      `${deleted}, ${unlinked}, "cleared_0" as (update "ws_sample"."gadgets" t set ${set} from ${rows} where o.id = t.id ${told}), ${noted}, ${auditText(16)} select * from changed`,
    );
    expect(values).toEqual([
      ...[[A], [A], [A], [A], [A], 'gadgets', [A], 'a_reference'],
      ...[...ACTOR_VALUES, 3],
      ...AUDIT_VALUES,
    ]);
  });

  test('with comments on the records and their notifications', () => {
    const attached = { cleared: [], linked: false, commented: true };
    const uncommented =
      'uncommented as ( delete from "ws_sample"."_comments" where record_id = any($2::uuid[]) )';
    const unnotified =
      'unnotified as ( delete from "ws_sample"."_notifications" where record_id = any($3::uuid[]) )';
    expect(lines(deleteSql(plan, [A], attached, audit))).toEqual([
      `${deleted}, ${uncommented}, ${unnotified}, ${auditText(4)} select * from changed`,
      ...[[A], [A], [A]],
      ...AUDIT_VALUES,
    ]);
  });
});

describe('links', () => {
  const traces = { context, entry: { ...entry, action: 'link', changed_fields: ['link.pairs'] } };
  const via = { kind: 'link', key: 'pairs', side: 'from', from_one: false, to_one: true } as const;
  const pair = { id: A, target: B };

  test('are added unless they are there, with an audit row only when they were not', () => {
    const [text, ...values] = lines(linkSql(via, pair, traces));
    expect(text).toBe(
      `with changed as (insert into "ws_sample"."_links" (relationship, from_id, to_id, from_one, to_one) select v.* from (values ($1::text, $2::uuid, $3::uuid, $4::boolean, $5::boolean)) v cross join (select pg_advisory_xact_lock(hashtextextended($6, 2))) l on conflict (from_id, relationship, to_id) do nothing returning from_id), audited as (${AUDIT_INSERT} select ${actorText(7)}, a.object_type, a.record_id, a.action, a.changed_fields from (select $13::text as object_type, $14::uuid as record_id, $15::text as action, $16::text[] as changed_fields where exists (select from changed)) a cross join ${presentText(17)}) select $18::uuid as id where exists (select from changed)`,
    );
    expect(values).toEqual([
      ...['pairs', A, B, false, true, `pairs ${[A, B].sort().join(' ')}`],
      ...ACTOR_VALUES,
      ...['parts', A, 'link', ['link.pairs'], 3, A],
    ]);
  });

  test('know their ends', () => {
    const ends = (side: 'from' | 'to' | 'both') =>
      lines(unlinkSql({ ...via, side }, pair, traces)).slice(1, side === 'both' ? 6 : 4);
    expect(ends('from')).toEqual(['pairs', A, B]);
    expect(ends('to')).toEqual(['pairs', B, A]);
    expect(ends('both')).toEqual(['pairs', A, B, B, A]);
  });
});
