// The records and people that the rows of a page refer to: one statement for each object, and one for people,
// whatever the page has, all at once. The plan of the page has decided which fields of each may be shown.

import { directoryView, loadUsersById } from '../../../control/people/directory.ts';
import { LIMITS } from '../../../limits.ts';
import type { Expansion, ReadPlan } from '../../../plan/read/read-plan.ts';
import type { Row } from '../../../postgres/db.ts';
import { readSql } from '../../../sql/read/read-sql.ts';
import { toStatement } from '../../../sql/sql.ts';
import { type ReadContext, readShared } from './read-statement.ts';

/** Rows by id, for each object type; those of people for `user`. */
export type Expanded = ReadonlyMap<string, ReadonlyMap<unknown, Row>>;

const NOTHING: Expanded = new Map();

export async function readExpanded(
  context: ReadContext,
  expand: readonly Expansion[] | undefined,
  rows: readonly Row[],
): Promise<Expanded> {
  if (expand === undefined || expand.length === 0 || rows.length === 0) return NOTHING;
  const wanted = new Map<string, ExpandedTarget>();
  const columns = expand.flatMap(({ column, target }) => {
    if (target === undefined) return [];
    const kind = expandedKind(target);
    const one = wanted.get(kind) ?? { targets: [], ids: new Set() };
    wanted.set(kind, one);
    if (target !== 'user') one.targets.push(target);
    return [{ column, ids: one.ids }];
  });
  // In the order of the rows, in which an answer is cut: what is beyond its size is not read.
  for (const row of rows) {
    for (const { column, ids } of columns) {
      const id = row[column];
      if (id !== null && id !== undefined) ids.add(id);
    }
  }
  const found = [...wanted].map(async ([kind, one]) => {
    const related = one.ids.size === 0 ? [] : await readRelated(context, one);
    return [kind, new Map(related.map((row) => [row.id, row]))] as const;
  });
  return new Map(await Promise.all(found));
}

/** The key of the rows of this target. */
export function expandedKind(target: ReadPlan | 'user'): string {
  return target === 'user' ? 'user' : target.object.object_type;
}

interface ExpandedTarget {
  /** Several fields may refer to one object, and show other fields of it; none are people. */
  readonly targets: ReadPlan[];
  readonly ids: Set<unknown>;
}

async function readRelated(
  context: ReadContext,
  { targets, ids }: ExpandedTarget,
): Promise<readonly Row[]> {
  const { db, model, caller } = context;
  const [first] = targets;
  if (first === undefined) {
    const people = { ids: [...ids] as readonly number[], bytes: LIMITS.recordBytes };
    const rows = await loadUsersById(db, model.schema, directoryView(caller), people);
    return rows as unknown as readonly Row[];
  }
  const fields = targets.flatMap((target) => target.fields ?? []);
  // One reach for all ids: a condition of the statement, and not a parameter for each of them.
  const wanted = { ...first, fields, ids: [...ids] as readonly string[] };
  return readShared(context, toStatement(readSql(wanted)));
}
