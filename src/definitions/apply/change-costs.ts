// The effect of a plan's changes on the stored data: how many records they concern, whether these lose something
// or are rewritten, and about how long that takes.

import type { Field } from '../../model/definition/model.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import type { Sql } from '../../sql/sql.ts';
import type { Change } from '../changes/change.ts';
import type { RecordWork } from '../changes/change-kind.ts';
import { kindOf } from '../changes/kinds/index.ts';
import { linksSql, recordsSql, trashedSql } from './cost-sql.ts';
import type { DefinitionPlan } from './definition-plan.ts';
import { examine } from './judge-values.ts';
import type { Difference } from './prepare/index-plan.ts';

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
const PER_RECORD: Readonly<Record<RecordWork, number>> = Object.freeze({
  update: 0.06,
  compute: 0.05,
  index: 0.003,
  check: 0.001,
  judge: 0.008,
  search: 0.2,
});

const REWRITING: ReadonlySet<RecordWork> = new Set(['update', 'compute', 'search']);

/** The costs of the changes, in their order; brief: without what nothing depends on. */
export async function loadCosts(
  db: Queryable,
  { workspace, changes, violating }: Pick<DefinitionPlan, 'workspace' | 'changes' | 'violating'>,
  found: Difference,
  isBrief = false,
): Promise<readonly Cost[]> {
  const counts = await loadCounts(db, workspace.schema, changes, found);
  const costs: Cost[] = [];
  const written = new Set<string>();
  for (const change of changes) {
    let rows = violating.get(change) ?? 0;
    for (const expectation of isBrief ? [] : (change.expectations ?? [])) {
      const { violations } = await examine(db, workspace.schema, expectation);
      rows += violations.reduce((sum, { records }) => sum + records, 0);
    }
    const cost = costOf(change, rows, counts);
    const table = computedTable(change);
    costs.push(written.has(table ?? '') ? { ...cost, expected_ms: 0 } : cost);
    if (table !== undefined) written.add(table);
  }
  return costs;
}

/** The table that is written again for the change, once for all such changes of a plan. */
function computedTable(change: Change): string | undefined {
  return 'object' in change && worksOf(change).includes('compute')
    ? change.object.table
    : undefined;
}

interface Counts {
  /** The number of records in the tables that a change concerns. */
  recordsOf(change: Change): number;
  filledOf(change: Change, field: Field): number;
  linksOf(relationship: string): number;
  trashedOf(table: string): number;
}

function costOf(change: Change, violating: number, counts: Counts): Cost {
  const works = worksOf(change);
  const records = counts.recordsOf(change);
  const expected_ms = Math.ceil(works.reduce((sum, work) => sum + PER_RECORD[work] * records, 0));
  if (change.loss !== null) {
    return { effect: 'loses', rows: lostRows(change, counts, violating), expected_ms };
  }
  const links = kindOf(change).rewrittenLinks?.(change);
  if (links !== undefined) {
    const rows = counts.linksOf(links);
    return { effect: 'rewrites', rows, expected_ms: Math.ceil(rows * PER_RECORD.update) };
  }
  const isRewrite = works.some((work) => REWRITING.has(work));
  if (!isRewrite || violating > 0)
    return { effect: isRewrite ? 'rewrites' : 'none', rows: violating, expected_ms };
  return { effect: 'rewrites', rows: records, expected_ms };
}

function lostRows(change: Change, counts: Counts, violating: number): number {
  const lost = kindOf(change).loses?.(change);
  if (lost === undefined) return violating;
  if (lost.of === 'values') return counts.filledOf(change, lost.field);
  if (lost.of === 'links') return counts.linksOf(lost.relationship);
  if (lost.of === 'trash') return counts.trashedOf(lost.table);
  return lost.of === 'records' ? counts.recordsOf(change) : 1;
}

/** The work of applying it: only plans check expectations. */
function worksOf(change: Change): readonly RecordWork[] {
  const checks = change.requirements.map(
    ({ kind }): RecordWork => (kind === 'values_fit' ? 'judge' : 'check'),
  );
  return [...checks, ...(kindOf(change).works?.(change) ?? [])];
}

/** One statement for each table that a change with a cost concerns. */
async function loadCounts(
  db: Queryable,
  schema: string,
  changes: readonly Change[],
  { before }: Difference,
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
  const links = await loadRowCounts(db, changes, relationshipOf, (key) => linksSql(schema, key));
  const trashed = await loadRowCounts(db, changes, lostTrashOf, (table) =>
    trashedSql(schema, table),
  );
  const sumOf = (change: Change, count: (table: string) => unknown) =>
    tablesOf(change).reduce((sum, table) => sum + Number(count(table)), 0);
  return {
    recordsOf: (change) => sumOf(change, (table) => rows.get(table)?.records),
    filledOf: (change, field) =>
      sumOf(change, (table) => rows.get(table)?.[fieldsOf.get(table)?.indexOf(field) ?? -1]),
    linksOf: (relationship) => links.get(relationship) ?? 0,
    trashedOf: (table) => trashed.get(table) ?? 0,
  };
}

/** Fields whose values go with the change. */
function lostFields(change: Change): readonly Field[] {
  const lost = kindOf(change).loses?.(change);
  return lost?.of === 'values' ? [lost.field] : [];
}

function costlyTables(change: Change): readonly string[] {
  const isCostly = change.loss !== null || worksOf(change).length > 0;
  if (!isCostly) return [];
  const tables = kindOf(change).tables?.(change);
  if (tables !== undefined) return tables;
  if ('object' in change) return [change.object.table];
  return change.requirements.map(({ object }) => object.table);
}

/** The number of rows by each name that a change has; a statement for each. */
async function loadRowCounts(
  db: Queryable,
  changes: readonly Change[],
  nameOf: (change: Change) => string | undefined,
  countSql: (name: string) => Sql,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const change of changes) {
    const name = nameOf(change);
    if (name === undefined) continue;
    const [row] = await runOnce(db, countSql(name));
    counts.set(name, Number(row?.records));
  }
  return counts;
}

/** The table whose deleted records are lost. */
function lostTrashOf(change: Change): string | undefined {
  const lost = kindOf(change).loses?.(change);
  return lost?.of === 'trash' ? lost.table : undefined;
}

/** The relationship whose links are deleted or rewritten. */
function relationshipOf(change: Change): string | undefined {
  const { loses, rewrittenLinks } = kindOf(change);
  const lost = loses?.(change);
  return lost?.of === 'links' ? lost.relationship : rewrittenLinks?.(change);
}
