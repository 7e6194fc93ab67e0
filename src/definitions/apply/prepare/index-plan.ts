// Which indexes a change of a definition needs, which of them are built before or after its transaction, and which are
// leftovers. Which indexes a model has is in sql/write/index-sql.ts; index-builds.ts builds them.

import type { WorkspaceModel } from '../../../model/definition/model.ts';
import { isShard } from '../../../postgres/citus.ts';
import type { Queryable } from '../../../postgres/db.ts';
import { runOnce } from '../../../postgres/run-once.ts';
import {
  conceivableIndexes,
  type FoundIndex,
  foundIndexesSql,
  indexesOf,
  isSameIndex,
  type TableIndex,
  TRIGRAMS_SQL,
} from '../../../sql/write/index-sql.ts';
import type { Change } from '../../changes/change.ts';
import { kindOf } from '../../changes/kinds/index.ts';

/**
 * The bytes from which on an index is made concurrently (8 MB, some 50,000 records): below, writes wait for less than
 * half a second, and a build in the transaction leaves nothing behind. Bytes need no statistics.
 */
const LARGE_BYTES = 8 * 2 ** 20;

/** The work on indexes around the transaction that makes the changes. */
export interface IndexPlan {
  readonly trigrams: string | undefined;
  /** Names of indexes that are broken or belong to no definition: leftovers of a killed process. */
  readonly strays: readonly string[];
  /** The indexes of existing large tables and columns, which are built before the transaction. */
  readonly early: readonly EarlyIndex[];
  /** Names of indexes that are there or are built before: the transaction has nothing to do. */
  readonly ready: ReadonlySet<string>;
  /** Names of those to build after, because their column comes with the transaction. */
  readonly late: ReadonlySet<string>;
}

/** An index to build before the change that needs it. */
interface EarlyIndex {
  readonly index: TableIndex;
  readonly change: Change;
}

/** The models before and after, and what leads from one to the other. */
export interface Difference {
  readonly changes: readonly Change[];
  readonly before: WorkspaceModel;
  readonly after: WorkspaceModel;
}

export async function planIndexes(
  db: Queryable,
  schema: string,
  { changes, before, after }: Difference,
): Promise<IndexPlan> {
  const trigrams = await loadTrigrams(db);
  const presentIndexes = await loadIndexes(db, schema);
  const isThere = (index: TableIndex) => isPresent(presentIndexes, index);
  const wanted = [...wantedIndexes(before, trigrams), ...wantedIndexes(after, trigrams)];
  const large = new Set(
    [...presentIndexes.values()].flatMap((one) =>
      one.table_bytes >= LARGE_BYTES ? [one.table] : [],
    ),
  );
  const early = new Map<string, EarlyIndex>();
  for (const change of changes) {
    const index = kindOf(change).index?.(change);
    if (index === undefined || early.has(index.name)) continue;
    const isPossible = index.kind !== 'text' || trigrams !== undefined;
    const isLate = isThere(index) || hasNewColumn(index, changes);
    if (!isLate && isPossible && large.has(index.table)) early.set(index.name, { index, change });
  }
  const ready = new Set([...wanted.filter(isThere).map(({ name }) => name), ...early.keys()]);
  const late = wantedIndexes(after, trigrams).filter(
    // A unique index must hold from the first write on.
    ({ name, kind, table }) => !ready.has(name) && kind !== 'unique' && large.has(table),
  );
  return {
    trigrams,
    strays: straysAmong(presentIndexes, wanted, [before, after]),
    early: [...early.values()],
    ready,
    late: new Set(late.map(({ name }) => name)),
  };
}

/** The indexes of a new workspace, whose tables come with all their indexes. */
export async function planFirstIndexes(db: Queryable): Promise<IndexPlan> {
  const trigrams = await loadTrigrams(db);
  return { trigrams, strays: [], early: [], ready: new Set(), late: new Set() };
}

interface IndexFaults extends Pick<IndexPlan, 'trigrams' | 'strays'> {
  readonly missing: readonly TableIndex[];
}

/** Indexes that the definition in force lacks, and those that do not belong to it. */
export async function findFaults(db: Queryable, model: WorkspaceModel): Promise<IndexFaults> {
  const trigrams = await loadTrigrams(db);
  const found = await loadIndexes(db, model.schema);
  const wanted = wantedIndexes(model, trigrams);
  const missing = wanted.filter((index) => !isPresent(found, index));
  return { trigrams, strays: straysAmong(found, wanted, [model]), missing };
}

/** True when the model has all its indexes, once those named `made` are made too. */
export function isComplete(
  model: WorkspaceModel,
  { trigrams, ready }: IndexPlan,
  made: readonly string[],
): boolean {
  const present = new Set([...ready, ...made]);
  return wantedIndexes(model, trigrams).every(({ name }) => present.has(name));
}

function hasNewColumn({ table, column }: TableIndex, changes: readonly Change[]): boolean {
  return changes.some((change) => {
    const added = kindOf(change).newColumn?.(change);
    return added?.table === table && added.column === column;
  });
}

function wantedIndexes(model: WorkspaceModel, trigrams: string | undefined): readonly TableIndex[] {
  const indexes = [...model.objects.values()].flatMap(indexesOf);
  return trigrams === undefined ? indexes.filter(({ kind }) => kind !== 'text') : indexes;
}

function isPresent(found: ReadonlyMap<string, FoundIndex>, index: TableIndex): boolean {
  const one = found.get(index.name);
  return one !== undefined && isSameIndex(index, one);
}

/** Only indexes that this service can have made are judged: others are the operator's. */
function straysAmong(
  found: ReadonlyMap<string, FoundIndex>,
  wanted: readonly TableIndex[],
  models: readonly WorkspaceModel[],
): readonly string[] {
  const good = new Set(wanted.filter((index) => isPresent(found, index)).map(({ name }) => name));
  const objects = models.flatMap((model) => [...model.objects.values()]);
  const ours = [...wanted, ...objects.flatMap(conceivableIndexes)].map(({ name }) => name);
  return [...new Set(ours)].filter((name) => found.has(name) && !good.has(name));
}

async function loadIndexes(
  db: Queryable,
  schema: string,
): Promise<ReadonlyMap<string, FoundIndex>> {
  const rows = await runOnce(db, foundIndexesSql(schema, await isShard(db, schema)));
  return new Map(rows.map((row) => [String(row.name), row as unknown as FoundIndex]));
}

/** The schema of pg_trgm; undefined when the server lacks it or it may not be used. */
export async function loadTrigrams(db: Queryable): Promise<string | undefined> {
  return (await runOnce(db, TRIGRAMS_SQL))[0]?.schema as string | undefined;
}
