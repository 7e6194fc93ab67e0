// Two ways to fill a table with generated records: the service's own write path in batches, and COPY
// of the rows which that path plans. COPY leaves out the audit rows, and nothing else.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { writeRecords } from '../src/flow/write-flow.ts';
import type { WriteContext } from '../src/flow/write-group.ts';
import { openParallelWriters } from '../src/import/parallel-writers.ts';
import { LIMITS } from '../src/limits.ts';
import type { ObjectModel } from '../src/model/model.ts';
import { type SearchRow, searchChangeOf } from '../src/plan/search-rows.ts';
import { validateWrites } from '../src/plan/validate-write.ts';
import { AUTHOR_KEY, type FieldValues } from '../src/plan/write-fields.ts';
import { planWrites } from '../src/plan/write-plan.ts';
import {
  type Change,
  type LookupResults,
  NO_LOOKUP_RESULTS,
} from '../src/plan/write-validation.ts';
import type { Queryable, Row } from '../src/postgres/db.ts';
import {
  CONTROL_SCHEMA,
  identifier,
  joinSql,
  literal,
  type Sql,
  sql,
  toStatement,
} from '../src/sql/sql.ts';

/** Records `from` up to but not including `to`. */
export interface Batch {
  readonly from: number;
  readonly to: number;
  readonly fieldsOf: (number: number) => FieldValues;
}

type Insert = Extract<Change, { kind: 'insert' }>;

/** Write records in batches, several at a time; answers their ids. */
export async function writeThrough(
  context: WriteContext,
  object: ObjectModel,
  { from, to, fieldsOf }: Batch,
): Promise<readonly string[]> {
  const writers = openParallelWriters(3);
  const ids: string[] = [];
  for (let start = from; start < to; start += LIMITS.batchOperations) {
    const operations = createsOf({ from: start, to, fieldsOf });
    await writers.start(async () => {
      const request = { operations, source: 'import', batch: true } as const;
      const { results } = await writeRecords(context, object, request);
      ids.push(...results.map(({ id }) => id));
    });
  }
  await writers.settle();
  return ids;
}

const CHUNK = 50_000;

/** COPY the rows that the write path would insert; `known` is what its look-ups would find. */
export async function copyInto(
  context: WriteContext,
  object: ObjectModel,
  { from, to, fieldsOf }: Batch,
  { known, scratch }: { readonly known: Partial<LookupResults>; readonly scratch: string },
): Promise<void> {
  const { schema } = context.model;
  const tables = [object.table, '_search', '_search_words'];
  const words = new Set<string>();
  await withoutIndexes(context, schema, tables, async () => {
    for (let start = from; start < to; start += CHUNK) {
      const end = Math.min(start + CHUNK, to);
      const inserts = planInserts(context, object, { from: start, to: end, fieldsOf }, known);
      const search = searchChangeOf(object, inserts);
      for (const word of search?.words ?? []) words.add(word);
      await context.db.transaction(async (tx) => {
        // The references were made up from what is there; checking them again takes minutes.
        await run(tx, sql`set local session_replication_role = replica`);
        await copyRecords(tx, { schema, object, scratch }, inserts);
        await copySearchRows(tx, { schema, scratch }, { inserts, rows: search?.rows ?? [] });
      });
    }
    await run(
      context.db,
      sql`insert into ${identifier(schema, '_search_words')} (variant, word)
        select v.variant, w.word from unnest(${[...words]}::text[]) w(word)
        cross join lateral ${identifier(CONTROL_SCHEMA, 'slips')}(w.word) v(variant)
        where not exists (
          select from ${identifier(schema, '_search_words')} k where k.word = w.word)`,
    );
  });
}

function createsOf({ from, to, fieldsOf }: Batch) {
  const count = Math.min(LIMITS.batchOperations, to - from);
  return Array.from({ length: count }, (_, index) => {
    return { action: 'create', fields: fieldsOf(from + index) } as const;
  });
}

function planInserts(
  { model, caller }: WriteContext,
  object: ObjectModel,
  { from, to, fieldsOf }: Batch,
  known: Partial<LookupResults>,
): readonly Insert[] {
  const inserts: Insert[] = [];
  for (let start = from; start < to; start += LIMITS.batchOperations) {
    const operations = createsOf({ from: start, to, fieldsOf });
    const request = { operations, source: 'import', batch: true } as const;
    const plan = planWrites(model, caller, object, request);
    for (const change of validateWrites(plan, { ...NO_LOOKUP_RESULTS, ...known })) {
      if (change.kind === 'insert') inserts.push(change);
    }
  }
  return inserts;
}

interface Place {
  readonly schema: string;
  readonly scratch: string;
}

function copyRecords(
  tx: Queryable,
  { schema, object, scratch }: Place & { readonly object: ObjectModel },
  inserts: readonly Insert[],
): Promise<void> {
  const own = [...object.fields.values()].filter(
    (field) => field.storage === 'physical' && !['id', 'updated_at', 'status'].includes(field.key),
  );
  const columns = ['id', AUTHOR_KEY, 'custom_fields', ...own.map((field) => field.column)];
  const rows = inserts.map((insert) => {
    const row: Row = { custom_fields: {}, ...insert.columns };
    return columns.map((column) => row[column]);
  });
  return copy(tx, { schema, table: object.table, columns, scratch }, rows);
}

function copySearchRows(
  tx: Queryable,
  { schema, scratch }: Place,
  search: { readonly inserts: readonly Insert[]; readonly rows: readonly SearchRow[] },
): Promise<void> {
  const createdAt = new Map(search.inserts.map(({ id, columns }) => [id, columns.created_at]));
  const [first] = search.rows;
  if (first === undefined) return Promise.resolve();
  const names = Object.keys(first) as (keyof SearchRow)[];
  const rows = search.rows.map((row) => [
    ...names.map((name) => row[name]),
    createdAt.get(row.record_id),
  ]);
  const columns = [...names, 'created_at'];
  return copy(tx, { schema, table: '_search', columns, scratch }, rows);
}

interface Target extends Place {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Through a file that the server reads: it runs on this machine. */
async function copy(
  tx: Queryable,
  { schema, table, columns, scratch }: Target,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const path = join(scratch, `${table}.copy`);
  const text = rows.map((row) => `${row.map(copyText).join('\t')}\n`).join('');
  writeFileSync(path, text, { mode: 0o644 });
  const names = joinSql(
    columns.map((column) => identifier(column)),
    ', ',
  );
  await run(tx, sql`copy ${identifier(schema, table)} (${names}) from ${literal(path)}`);
  rmSync(path);
}

function copyText(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  const text = Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(item)).join(',')}}`
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}

/** Indexes are built faster than they are kept up to date. */
async function withoutIndexes(
  { db }: WriteContext,
  schema: string,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const indexes = await run(
    db,
    sql`select indexname as name, indexdef as definition from pg_indexes
      where schemaname = ${schema} and tablename = any(${tables}::text[])
        and indexname not in (select conname from pg_constraint)`,
  );
  for (const { name } of indexes)
    await run(db, sql`drop index ${identifier(schema, String(name))}`);
  await work();
  await db.transaction(async (tx) => {
    await run(tx, sql`set local maintenance_work_mem = '1GB'`);
    for (const { definition } of indexes) {
      await tx.query({ text: String(definition), values: [] }, { prepare: false });
    }
  });
}

function run(db: Queryable, statement: Sql): Promise<readonly Row[]> {
  return db.query(toStatement(statement), { prepare: false });
}
