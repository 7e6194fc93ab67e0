// What the changes of a plan do to what is stored: how many records they concern, whether these lose something
// or are rewritten, and about how long that takes.

import type { Field } from '../../model/model.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import type { Change } from '../changes/change.ts';
import { isStoredAnew } from '../changes/value-build.ts';
import { linksSql, recordsSql } from './cost-sql.ts';
import type { DefinitionPlan, FoundChanges } from './definition-plan.ts';
import { examine } from './judge-values.ts';

export type Effect = 'none' | 'rewrites' | 'loses';

export interface Cost {
  /** `loses`: values go; `rewrites`: rows are rewritten. */
  readonly effect: Effect;
  /** Records that lose something, are rewritten, or do not keep to what is changed. */
  readonly rows: number;
  /** Milliseconds. */
  readonly expected_ms: number;
}

/** Milliseconds for each record of a table, measured with 1,000,000 (docs/design/definition.md). */
const PER_RECORD = Object.freeze({
  /** Each row on its own, and in all indexes. */
  update: 0.06,
  index: 0.003,
  /** A foreign key, or another look at each row. */
  look: 0.001,
  /** Values that only the field type can judge. */
  judge: 0.008,
  search: 0.2,
});

type Work = keyof typeof PER_RECORD;

const REWRITING: ReadonlySet<Work> = new Set(['update', 'search']);

/** The costs of the changes, in their order; brief: without what nothing depends on. */
export async function loadCosts(
  db: Queryable,
  { workspace, changes, violating }: DefinitionPlan,
  found: FoundChanges,
  isBrief = false,
): Promise<readonly Cost[]> {
  const counts = await loadCounts(db, workspace.schema, changes, found);
  const costs: Cost[] = [];
  for (const change of changes) {
    let rows = violating.get(change) ?? 0;
    for (const expectation of isBrief ? [] : (change.expectations ?? [])) {
      const { violations } = await examine(db, workspace.schema, expectation);
      rows += violations.reduce((sum, { records }) => sum + records, 0);
    }
    costs.push(costOf(change, rows, counts));
  }
  return costs;
}

interface Counts {
  /** Of the tables that a change concerns. */
  recordsOf(change: Change): number;
  filledOf(change: Change, field: Field): number;
  linksOf(relationship: string): number;
}

function costOf(change: Change, violating: number, counts: Counts): Cost {
  const works = worksOf(change);
  const records = counts.recordsOf(change);
  const expected_ms = Math.ceil(works.reduce((sum, work) => sum + PER_RECORD[work] * records, 0));
  if (change.loss !== null) {
    return { effect: 'loses', rows: lostRows(change, counts, violating), expected_ms };
  }
  const link = renamedLinks(change);
  if (link !== undefined) {
    const rows = counts.linksOf(link);
    return { effect: 'rewrites', rows, expected_ms: Math.ceil(rows * PER_RECORD.update) };
  }
  const isRewrite = works.some((work) => REWRITING.has(work));
  if (!isRewrite || violating > 0)
    return { effect: isRewrite ? 'rewrites' : 'none', rows: violating, expected_ms };
  return { effect: 'rewrites', rows: records, expected_ms };
}

function lostRows(change: Change, counts: Counts, violating: number): number {
  switch (change.kind) {
    case 'drop_object':
    case 'drop_status':
      return counts.recordsOf(change);
    case 'drop_owner': {
      const owner = change.object.fields.get('owner_user_id') as Field;
      return counts.filledOf(change, owner);
    }
    case 'drop_field':
      return counts.filledOf(change, change.field);
    case 'drop_links':
      return counts.linksOf(change.relationship);
    case 'drop_team':
      return 1;
    default:
      return violating;
  }
}

/** What applying it takes: expectations are looked at by plans only. */
function worksOf(change: Change): readonly Work[] {
  const looks = change.requirements.map(
    ({ kind }): Work => (kind === 'values_fit' ? 'judge' : 'look'),
  );
  return [...looks, ...stepWorks(change)];
}

function stepWorks(change: Change): readonly Work[] {
  switch (change.kind) {
    case 'retype_field':
      return isStoredAnew(change.from, change.field) ? ['update'] : [];
    case 'move_field':
      return [
        'update',
        ...(change.field.indexed || change.field.unique ? (['index'] as const) : []),
      ];
    case 'index_search':
      return ['search'];
    case 'rename_status':
      return ['update'];
    case 'index_field':
    case 'index_text':
    case 'reorder_field':
    case 'make_unique':
    case 'add_owner':
      return ['index'];
    case 'rebuild_reference':
      return ['look'];
    default:
      return [];
  }
}

/** One statement for each table that a change with a cost concerns. */
async function loadCounts(
  db: Queryable,
  schema: string,
  changes: readonly Change[],
  { before }: FoundChanges,
): Promise<Counts> {
  const known = new Set([...before.objects.values()].map(({ table }) => table));
  const tablesOf = (change: Change) =>
    [...new Set(costlyTables(change))].filter((table) => known.has(table));
  const fieldsOf = new Map<string, Field[]>();
  for (const change of changes) {
    for (const table of tablesOf(change)) {
      const fields = fieldsOf.get(table) ?? [];
      fieldsOf.set(table, [...fields, ...lostFields(change)]);
    }
  }
  const rows = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [table, fields] of fieldsOf) {
    const [row = {}] = await runOnce(db, recordsSql(schema, table, fields));
    rows.set(table, row);
  }
  const links = await loadLinks(db, schema, changes);
  const sumOf = (change: Change, count: (table: string) => unknown) =>
    tablesOf(change).reduce((sum, table) => sum + Number(count(table)), 0);
  return {
    recordsOf: (change) => sumOf(change, (table) => rows.get(table)?.records),
    filledOf: (change, field) =>
      sumOf(change, (table) => rows.get(table)?.[fieldsOf.get(table)?.indexOf(field) ?? -1]),
    linksOf: (relationship) => links.get(relationship) ?? 0,
  };
}

/** Fields whose values go with the change. */
function lostFields(change: Change): readonly Field[] {
  if (change.kind === 'drop_field') return [change.field];
  if (change.kind !== 'drop_owner') return [];
  return [change.object.fields.get('owner_user_id') as Field];
}

function costlyTables(change: Change): readonly string[] {
  if (change.kind === 'rename_status') return change.places.map(({ object }) => object.table);
  if (change.kind === 'add_object') return [];
  const isCostly = change.loss !== null || worksOf(change).length > 0;
  if (!isCostly) return [];
  if ('object' in change) return [change.object.table];
  return change.requirements.map(({ object }) => object.table);
}

async function loadLinks(
  db: Queryable,
  schema: string,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const change of changes) {
    const key = change.kind === 'drop_links' ? change.relationship : renamedLinks(change);
    if (key === undefined) continue;
    const [row] = await runOnce(db, linksSql(schema, key));
    counts.set(key, Number(row?.records));
  }
  return counts;
}

/** The relationship whose links are rewritten. */
function renamedLinks(change: Change): string | undefined {
  if (change.kind === 'limit_links') return change.relationship;
  return change.kind === 'rename_relationship' ? change.old_key : undefined;
}
