// Text and parameters of the statements of a write. Their effects are tested in flow/.

import { describe, expect, test } from 'vitest';
import type { Field, ObjectModel } from '../../src/model/definition/model.ts';
import { AUTHOR_KEY } from '../../src/plan/write/write-fields.ts';
import { type Actor, type AuditEntry, auditSql } from '../../src/sql/events/audit-sql.ts';
import { reachableIds } from '../../src/sql/read/shared-ids-sql.ts';
import { type Sql, sql, toStatement } from '../../src/sql/sql.ts';
import { deleteSql } from '../../src/sql/write/delete-sql.ts';
import { linkedPairsSql, linkSql, unlinkSql } from '../../src/sql/write/link-sql.ts';
import {
  type LockStrength,
  lockNamesSql,
  lockSql,
  matchSql,
  referencesSql,
  referringSql,
  usersSql,
} from '../../src/sql/write/lookup-sql.ts';
import { insertSql, updateSql } from '../../src/sql/write/write-sql.ts';
import { fieldOf, objectOf, sampleModel } from '../sample-definition.ts';
import { nfc } from './nfc.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const parts = objectOf(model, 'parts');
const A = '01900000-0000-7000-8000-00000000000a';
const B = '01900000-0000-7000-8000-00000000000b';
const KEY_ID = '01900000-0000-7000-8000-000000000001';

const SHOWN = [...new Set(['id', 'version', AUTHOR_KEY, ...columnsOf(parts)])]
  .map((name) => `t."${name}"`)
  .join(', ');
const ADDED = 't.id, t.version, t.created_at, t.updated_at';

const definition = { schema: 'ws_sample', revision: 3 };
const actor: Actor = {
  api_key_id: KEY_ID,
  api_key_prefix: 'wrs_p_sample',
  session_id: null,
  user_id: 4,
  source: 'api',
  request_id: 'r',
  batch_id: null,
};
const entry: AuditEntry = {
  actor,
  object_type: 'parts',
  record_id: A,
  action: 'update',
  changed_fields: ['label', 'weight'],
  revision: 2,
};

/** The sequence of the ids of audit rows. */
const NUMBERS = '"ws_sample"."_audit_id_seq"';
const AUDIT_COLUMNS =
  'api_key_id, api_key_prefix, session_id, user_id, source, request_id, batch_id, object_type, record_id, action, changed_fields, revision';

/** The definition the write was validated by must still be in force. */
function inForceText(first: number): string {
  return `"workspace_records"."require_in_force"((select count(*) from (select revision from "ws_sample"."_definitions" where revision = $${first}::integer and in_force for share) d) = 1)`;
}

/** The audit rows of a select, their parameters from `first` on; `$?` are those of the select. */
function auditFromText(first: number, select: string, own: number): string {
  const at = (index: number) => `$${first + index}`;
  let next = first + 11;
  const source = select.replaceAll('$?', () => `$${next++}`);
  return `insert into "ws_sample"."_audit" (id, ${AUDIT_COLUMNS}, definition, consequence) overriding system value select nextval(${at(0)}::text::regclass), ${at(1)}::uuid, ${at(2)}::text, ${at(3)}::uuid, ${at(4)}::integer, ${at(5)}::text, ${at(6)}::text, ${at(7)}::uuid, ${at(8)}::text, a.record_id, ${at(9)}::text, a.changed_fields, a.revision, ${at(10)}::integer, true from (${source}) a cross join ${inForceText(first + 11 + own)}`;
}

const ACTOR_VALUES = [KEY_ID, 'wrs_p_sample', null, 4, 'api', 'r', null];

function columnsOf({ fields }: ObjectModel): readonly string[] {
  return [...fields.values()].map(({ column }) => column);
}

const all = (parts: readonly Sql[]) => parts.map(lines);

function lines(part: Sql): readonly [text: string, ...values: unknown[]] {
  const { text, values } = toStatement(part);
  return [text.replace(/\s+/g, ' '), ...values];
}

describe('look-ups', () => {
  test('rows are locked in the order of their ids, each within the reach of the caller', () => {
    const wanted = reachableIds({ column: AUTHOR_KEY, user_ids: [4, 5] }, [A, B]);
    const select = `select w.place as "_place", ${SHOWN} from unnest($1::uuid[], $2::text[]) with ordinality as w(id, reach, place) join "ws_sample"."parts" t on t.id = w.id and (w.reach is null or t."created_by_user_id" = any(w.reach::integer[])) order by t.id`;
    const lock = (strength: LockStrength) => lines(lockSql('ws_sample', parts, wanted, strength));
    expect(lock('update')).toEqual([
      `${select} for no key update of t`,
      [A, B],
      ['{4,5}', '{4,5}'],
    ]);
    expect(lock('update if free')[0]).toBe(`${select} for no key update of t skip locked`);
    expect(lock('delete')[0]).toBe(`${select} for update of t`);
  });

  test('writers are serialised by names in one order by locks that end with the transaction', () => {
    const place =
      '(select coalesce(max(tableoid), 0) as place from "ws_sample"."_definitions" where in_force) p';
    expect(lines(lockNamesSql('ws_sample', ['b', 'a'], 0))).toEqual([
      `select count(pg_advisory_xact_lock(hashtextextended(k, $1::integer))) from (select k from unnest($2::text[]) k cross join ${place} order by k) s`,
      0,
      ['b', 'a'],
    ]);
  });

  test('matches are compared in NFC and within reach, two rows each', () => {
    const fields = [fieldOf(parts, 'label'), fieldOf(parts, 'weight')];
    const matches = [
      [0, ["l'", 1.5]],
      [3, ['m', 2]],
    ] as const;
    const rows = [
      { _match: 0, m0: "l'", m1: 1.5 },
      { _match: 3, m0: 'm', m1: 2 },
    ];
    const reach = { column: AUTHOR_KEY, user_ids: [4] };
    const within = { object: parts, reach };
    expect(lines(matchSql('ws_sample', within, fields, matches))).toEqual([
      `select m._match, t.* from jsonb_to_recordset($1::jsonb) as m(_match integer, "m0" text, "m1" numeric) cross join lateral ( select ${SHOWN} from "ws_sample"."parts" t where ${nfc('t."label"')} = m."m0" and t."weight" = m."m1" and t."created_by_user_id" = $2::integer order by t.id limit 2 for no key update) t`,
      JSON.stringify(rows),
      4,
    ]);
  });

  test('references are looked up within reach, with one text for everybody', () => {
    const some = reachableIds({ column: 'owner_user_id', user_ids: [4, 5] }, [A]);
    const text =
      'select w.place as "_place", t.id from unnest($1::uuid[], $2::text[]) with ordinality as w(id, reach, place) join "ws_sample"."gadgets" t on t.id = w.id and (w.reach is null or t."owner_user_id" = any(w.reach::integer[])) order by t.id for key share of t';
    expect(lines(referencesSql('ws_sample', gadgets, some))).toEqual([text, [A], ['{4,5}']]);
    const everything = reachableIds({ column: 'owner_user_id', user_ids: undefined }, [A]);
    expect(lines(referencesSql('ws_sample', gadgets, everything))).toEqual([text, [A], [null]]);
  });

  test('people and agents are active', () => {
    expect(lines(usersSql('ws_sample', [4, 5], false))).toEqual([
      `select w.place as "_place", u.id from unnest($1::integer[]) with ordinality as w(id, place) join "ws_sample"."_users" u on u.id = w.id and u.active`,
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
    const deleted = { object: parts, ids: [A], reaches: [own], gone: [B] };
    expect(lines(referringSql('ws_sample', deleted, referrers))).toEqual([
      'with gone as ( select t.id from "ws_sample"."parts" t where t.id = any($1::uuid[]) and t."created_by_user_id" = $2::integer ) select r.id, count(distinct r.record) filter (where r.restricts and r.known) as needing, count(distinct r.record) filter (where not r.restricts and r.known) as cleared, bool_or(r.restricts and not r.known) as hidden from (select g.id, t.id as record, true as restricts, (t."owner_user_id" = $3::integer) is true as known from gone g join "ws_sample"."fittings" t on t."part_id" = g.id where not t.id = any($4::uuid[])) r group by r.id',
      [A],
      5,
      4,
      [B],
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

  test('all records in one statement', () => {
    expect(lines(insertSql('ws_sample', parts, { columns, rows }))).toEqual([
      `insert into "ws_sample"."parts" as t ("id", "created_by_user_id", "label", "created_at", "custom_fields") select r."id", r."created_by_user_id", r."label", coalesce(r."created_at", now()), coalesce(r."custom_fields", '{}') from jsonb_to_recordset($1::jsonb) as r("id" uuid, "created_by_user_id" integer, "label" text, "created_at" timestamptz(3), "custom_fields" jsonb) returning ${ADDED}`,
      JSON.stringify(rows),
    ]);
  });

  test('on an assumption that the statement fails without', () => {
    const optimisticCheck = sql`${1} = ${2}`;
    const [text, ...values] = lines(
      insertSql('ws_sample', parts, { columns, rows, optimisticCheck }),
    );
    expect(text).toContain(
      '"custom_fields" jsonb) cross join "workspace_records"."require_assumption"($2 = $3) returning',
    );
    expect(values.slice(1, 3)).toEqual([1, 2]);
  });

  test('the text does not depend on how many records there are', () => {
    const [one] = lines(insertSql('ws_sample', parts, { columns, rows: rows.slice(1) }));
    expect(one).toBe(lines(insertSql('ws_sample', parts, { columns, rows }))[0]);
  });
});

describe('update', () => {
  function update(...sets: readonly (readonly [Field, unknown])[][]) {
    const [first, ...others] = sets.map((set, index) => ({
      id: [A, B][index] as string,
      set: new Map(set),
    }));
    return lines(updateSql('ws_sample', parts, [first as NonNullable<typeof first>, ...others]));
  }

  function around(assignments: string, shape: string): string {
    return `update "ws_sample"."parts" t set ${assignments}version = t.version + 1, updated_at = now() from jsonb_to_recordset($1::jsonb) as w(id uuid, ${shape}) where t.id = w.id and t.id = any($2::uuid[]) returning ${ADDED}`;
  }

  test('sets columns with the casts of their types', () => {
    expect(
      update([
        [fieldOf(gadgets, 'a_text'), "x'"],
        [fieldOf(gadgets, 'a_number'), 1.5],
        [fieldOf(gadgets, 'a_multi_select'), ['red', 'a,"b']],
        [fieldOf(gadgets, 'a_json'), { a: "x'" }],
        [fieldOf(gadgets, 'a_datetime'), null],
      ]),
    ).toEqual([
      around(
        '"a_text" = w."v0", "a_number" = w."v1", "a_multi_select" = w."v2", "a_json" = w."v3", "a_datetime" = w."v4", ',
        '"v0" text, "v1" numeric, "v2" text[], "v3" jsonb, "v4" timestamptz(3)',
      ),
      JSON.stringify([
        { id: A, v0: "x'", v1: 1.5, v2: ['red', 'a,"b'], v3: { a: "x'" }, v4: null },
      ]),
      [A],
    ]);
  });

  test('sets several records by one statement, whose text is the same', () => {
    const text = fieldOf(gadgets, 'a_text');
    const [both, values] = update([[text, 'one']], [[text, 'two']]);
    expect(both).toBe(update([[text, 'one']])[0]);
    expect(values).toBe(
      JSON.stringify([
        { id: A, v0: 'one' },
        { id: B, v0: 'two' },
      ]),
    );
  });

  test('merges custom_fields key by key in the database (D46)', () => {
    expect(
      update([
        [fieldOf(gadgets, 'x_text'), "x'"],
        [fieldOf(gadgets, 'x_number'), null],
        [fieldOf(gadgets, 'x_json'), { a: 1 }],
      ]),
    ).toEqual([
      around(
        'custom_fields = (t.custom_fields || w.merged) - w.removed, ',
        'merged jsonb, removed text[]',
      ),
      JSON.stringify([
        { id: A, removed: ['x_number'], merged: { x_text: "x'", x_json: { a: 1 } } },
      ]),
      [A],
    ]);
  });

  test('names of columns are quoted', () => {
    const hostile = { ...fieldOf(gadgets, 'a_text'), column: 'x" = 1; --' };
    expect(update([[hostile, 'v']])[0]).toContain('set "x"" = 1; --" = w."v0", version');
  });
});

describe('audit rows', () => {
  test('of several requests in one statement, each with its actor', () => {
    const other = { ...actor, user_id: 9, request_id: 'two' };
    const entries = [entry, { ...entry, actor: other, record_id: B, reach_user_id: 7 }];
    const [text, ...values] = lines(auditSql(definition, entries));
    expect(text).toContain(
      `insert into "ws_sample"."_audit" (id, ${AUDIT_COLUMNS}, definition, comment_id, reach_user_id) overriding system value select nextval(`,
    );
    expect(text).toContain(`cross join ${inForceText(17)}`);
    expect(text).toBe(lines(auditSql(definition, entries.slice(1)))[0]);
    expect(values).toEqual([
      NUMBERS,
      3,
      [KEY_ID, KEY_ID],
      ['wrs_p_sample', 'wrs_p_sample'],
      [null, null],
      [4, 9],
      ['api', 'api'],
      ['r', 'two'],
      [null, null],
      ['parts', 'parts'],
      [A, B],
      ['update', 'update'],
      ['label,weight', 'label,weight'],
      [2, 2],
      [null, null],
      [null, 7],
      3,
    ]);
  });
});

describe('delete', () => {
  const nothing = { cleared: [], linked: false, requested: false, trash: null };
  const deleted = { object: parts, ids: [A, B], actor };
  /** Keys of the relationships at whose ends parts are. */
  const [LINKS_FROM, LINKS_TO] = [[] as string[], [] as string[]];
  const last = ['delete from "ws_sample"."parts" where id = any($1::uuid[]) returning id', [A, B]];

  /** Deletes the rows about the records, in a table for records of all objects. */
  const rowsOf = (table: string) => [
    `delete from "ws_sample"."${table}" where record_id = any($1::uuid[]) and object_type = $2::text`,
    [A, B],
    'parts',
  ];
  const conversation = ['_comments', '_follows', '_notifications'].map(rowsOf);

  test('comments and notifications go before', () => {
    expect(all(deleteSql(definition, deleted, nothing))).toEqual([...conversation, last]);
  });

  test('references become null before, each with its audit row', () => {
    const cleared = [{ object: gadgets, field: fieldOf(gadgets, 'a_reference') }];
    const [noted, update, end] = all(deleteSql(definition, deleted, { ...nothing, cleared })).slice(
      conversation.length,
    );
    const held =
      'select t.id as record_id, array_remove(array[case when t."a_reference" = any($?::uuid[]) then $?::text end], null) as changed_fields, t.version + 1 as revision from "ws_sample"."gadgets" t where (t."a_reference" = any($?::uuid[])) order by t.id for no key update of t';
    expect(noted).toEqual([
      auditFromText(1, held, 3),
      NUMBERS,
      ...ACTOR_VALUES,
      ...['gadgets', 'update', 3, [A, B], 'a_reference', [A, B], 3],
    ]);
    expect(update).toEqual([
      'update "ws_sample"."gadgets" t set "a_reference" = case when t."a_reference" = any($1::uuid[]) then null else t."a_reference" end, version = t.version + 1, updated_at = now() where (t."a_reference" = any($2::uuid[]))',
      ...[
        [A, B],
        [A, B],
      ],
    ]);
    expect(end).toEqual(last);
  });

  test('with a trash one statement comes first, and the others stay as they are', () => {
    const attached = {
      ...{ linked: true, requested: true, trash: null },
      cleared: [{ object: gadgets, field: fieldOf(gadgets, 'a_reference') }],
    };
    const kept = { ...attached, trash: { days: 30 } };
    const [first, ...others] = all(deleteSql(definition, deleted, kept));
    expect(others).toEqual(all(deleteSql(definition, deleted, attached)));
    expect(first?.[0]).toMatch(
      /^with made \(.*\) as materialized \(.*\)\s+insert into "ws_sample"\."_trash" /s,
    );
    expect(first?.[0]).toContain(
      `(select jsonb_agg(r.place) from (select jsonb_build_array($8::text, r.id, $9::text) as place from "ws_sample"."gadgets" r where r."a_reference" = t.id) r)`,
    );
    expect(first?.slice(1)).toEqual([
      ...['parts', 4, 30, 'parts', 'parts', LINKS_FROM, LINKS_TO, 'gadgets', 'a_reference', [A, B]],
    ]);
  });

  test('status requests go after what names them', () => {
    expect(all(deleteSql(definition, deleted, { ...nothing, requested: true }))).toEqual([
      ...[...conversation, rowsOf('_status_requests'), last],
    ]);
  });

  test('links go before', () => {
    expect(all(deleteSql(definition, deleted, { ...nothing, linked: true }))).toEqual([
      [
        'delete from "ws_sample"."_links" l where (l.from_id = any($1::uuid[]) and l.relationship = any($2::text[]) or l.to_id = any($3::uuid[]) and l.relationship = any($4::text[]))',
        ...[[A, B], LINKS_FROM, [A, B], LINKS_TO],
      ],
      ...conversation,
      last,
    ]);
  });
});

describe('links', () => {
  const via = { kind: 'link', key: 'pairs', side: 'from', from_one: false, to_one: true } as const;
  const pair = { via, from_id: A, to_id: B };
  const ENDS =
    'unnest($?::text[], $?::uuid[], $?::uuid[], $?::boolean[], $?::boolean[]) as w(relationship, from_id, to_id, from_one, to_one)';
  const numbered = () => {
    const [first, ...others] = ENDS.split('$?');
    return first + others.map((text, index) => `$${index + 1}${text}`).join('');
  };

  test('are added by one statement, however many', () => {
    expect(lines(linkSql('ws_sample', [pair, pair]))).toEqual([
      `insert into "ws_sample"."_links" (relationship, from_id, to_id, from_one, to_one) select w.relationship, w.from_id, w.to_id, w.from_one, w.to_one from ${numbered()} on conflict (from_id, relationship, to_id) do nothing`,
      ...[
        ['pairs', 'pairs'],
        [A, A],
        [B, B],
        [false, false],
        [true, true],
      ],
    ]);
  });

  test('are looked for and removed by both ends', () => {
    const same = 'l.relationship = w.relationship and l.from_id = w.from_id and l.to_id = w.to_id';
    const values = [['pairs'], [A], [B], [false], [true]];
    expect(lines(linkedPairsSql('ws_sample', [pair]))).toEqual([
      `select l.relationship, l.from_id, l.to_id from "ws_sample"."_links" l join ${numbered()} on ${same}`,
      ...values,
    ]);
    expect(lines(unlinkSql('ws_sample', [pair]))).toEqual([
      `delete from "ws_sample"."_links" l using ${numbered()} where ${same}`,
      ...values,
    ]);
  });

  test('of an object to itself are kept in both directions', () => {
    const both = { ...pair, via: { ...via, side: 'both' } } as const;
    for (const text of [linkSql('ws_sample', [both]), unlinkSql('ws_sample', [both])]) {
      expect(lines(text).slice(2, 4)).toEqual([
        [A, B],
        [B, A],
      ]);
    }
  });
});
