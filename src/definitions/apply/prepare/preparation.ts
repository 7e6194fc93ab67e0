// The preparation of a change of the definition, before its transaction takes locks: indexes of large tables are
// built, and data is rebuilt, while clients write. commit-changes.ts does the rest.

import type { Lease } from '../../../control/jobs/job-lease.ts';
import { loadMomentOf } from '../../../control/process/moments.ts';
import {
  type Database,
  isDatabaseError,
  type Queryable,
  type Transaction,
} from '../../../postgres/db.ts';
import type { Change } from '../../changes/change.ts';
import type { Requirement } from '../../changes/requirement.ts';
import { makeCollation } from '../collations.ts';
import type { FoundChanges } from '../compare-documents.ts';
import { type ApplyOptions, judgeChanges, requireApplicable } from '../definition-plan.ts';
import { releaseSnapshot } from '../definition-turn.ts';
import { isBeingMade } from '../found-changes.ts';
import type { WrittenRecords } from '../judge-values.ts';
import { appendSweep } from '../leftovers.ts';
import { explainFailure } from '../make-changes.ts';
import {
  type Built,
  buildAll,
  buildsOf,
  type DataToBuild,
  NOTHING_BUILT,
} from './builds-of-changes.ts';
import { type Building, finishBuild, loadChanged } from './data-builds.ts';
import { beginBuilds, buildEach, buildIndex, dropIndex } from './index-builds.ts';
import { type IndexPlan, planFirstIndexes, planIndexes } from './index-plan.ts';

export interface Preparation {
  /** Builds go by other connections than the transaction that has the turn. */
  readonly db: Database;
  readonly tx: Transaction;
  readonly builds: Builds;
}

/** The started builds, which have to be ended however the change ends. */
export interface Builds {
  /** Gets the names of indexes that were built. */
  readonly built: string[];
  /** The lease of the job that completes the work when this process is killed. */
  lease?: Lease | undefined;
  /** A job has to delete the leftovers of rebuilt data. */
  isSweeping?: boolean;
}

export interface Prepared extends Built {
  readonly found: FoundChanges;
  readonly indexes: IndexPlan;
  /** The moment at which values were checked last; undefined when none had to be. */
  readonly judgedAt: string | undefined;
}

/** Do what can be done before the transaction takes its locks. */
export async function prepare(
  preparation: Preparation,
  found: FoundChanges,
  options: ApplyOptions,
): Promise<Prepared> {
  if (isBeingMade(found.workspace)) return prepareFirst(preparation, found);
  const { db, tx, builds } = preparation;
  const { before, after, workspace } = found;
  const { schema } = workspace;
  if (before.collation !== after.collation) await makeCollation(db, after.collation);
  const indexes = await planIndexes(tx, schema, found);
  const wanted = buildsOf(found);
  await releaseSnapshot(tx);
  for (const name of indexes.strays) await dropIndex(db, schema, name);
  // The transaction may have been repeated after a deadlock.
  if (indexes.early.length + indexes.late.size > 0)
    builds.lease ??= await beginBuilds(db, workspace);
  const isBuilding = wanted.searches.length + wanted.values.length > 0;
  const isEarly = isBuilding || indexes.early.length > 0;
  if (!isEarly && !found.changes.some(judgesValues)) {
    return { ...NOTHING_BUILT, found, indexes, judgedAt: undefined };
  }
  // Not in the transaction: it would keep locks that a build may wait for.
  const judging = { db, found, options };
  const judgedAt = await judge(judging);
  if (!isEarly) return { ...NOTHING_BUILT, found, indexes, judgedAt };
  await buildEarly(judging, indexes, builds);
  if (isBuilding && builds.isSweeping !== true) await appendSweep(db, workspace.id);
  builds.isSweeping ||= isBuilding;
  const built = await buildWanted(judging, wanted, indexes.trigrams);
  return {
    ...built,
    found,
    indexes: withValues(indexes, built),
    judgedAt: await judgeWritten(judging, judgedAt),
  };
}

/** Prepares a new workspace. Its transaction makes everything, because other sessions do not see it yet. */
async function prepareFirst({ tx }: Preparation, found: FoundChanges): Promise<Prepared> {
  await makeCollation(tx, found.after.collation);
  const indexes = await planFirstIndexes(tx);
  return { ...NOTHING_BUILT, found, indexes, judgedAt: undefined };
}

interface Judging {
  readonly db: Database;
  readonly found: FoundChanges;
  readonly options: ApplyOptions;
}

function judgesValues({ requirements }: Change): boolean {
  return requirements.some(isOfValues);
}

/** Each value is checked by itself: only those of records that are written later have to be checked again. */
function isOfValues({ kind }: Requirement): boolean {
  return kind === 'values_fit';
}

/** Refuse changes that the data blocks; answers the moment from which values may have changed. */
async function judge({ db, found, options }: Judging): Promise<string> {
  const { workspace, changes } = found;
  const moment = await loadMomentOf(db, workspace.schema);
  requireApplicable(await judgeChanges(db, workspace, changes, options));
  return moment;
}

/**
 * Checks the values that were written since a moment; returns the next one. Other requirements are checked under the
 * locks.
 */
async function judgeWritten({ db, found, options }: Judging, since: string): Promise<string> {
  const { workspace, renamed } = found;
  if (!found.changes.some(judgesValues)) return since;
  const moment = await loadMomentOf(db, workspace.schema);
  const written = writtenSince(db, workspace.schema, { ...renamed, since });
  const changes = found.changes.map((change) => {
    return { ...change, requirements: change.requirements.filter(isOfValues) };
  });
  requireApplicable(await judgeChanges(db, workspace, changes, { ...options, written }));
  return moment;
}

interface Since {
  readonly since: string;
  /** The key that an object has in the audit. */
  typeBefore(objectType: string): string;
}

/** The records of an object that were written since a moment, asked once for each object. */
export function writtenSince(
  db: Queryable,
  schema: string,
  { since, typeBefore }: Since,
): WrittenRecords {
  const known = new Map<string, Promise<readonly string[]>>();
  return ({ object_type, table }) => {
    const written = { object_type: typeBefore(object_type), table };
    const ids = known.get(table) ?? loadChanged(db, schema, written, since);
    known.set(table, ids);
    return ids;
  };
}

async function buildEarly(judging: Judging, indexes: IndexPlan, { built }: Builds): Promise<void> {
  const { db, found } = judging;
  const { schema } = found.workspace;
  const changes = new Map(indexes.early.map(({ index, change }) => [index, change]));
  await buildEach(db, schema, [...changes.keys()], async (index) => {
    await buildIndex(db, schema, index, indexes).catch(async (error: unknown) => {
      if (isDatabaseError(error) && error.code === '23505') await judge(judging);
      throw explainFailure(error, changes.get(index)?.summary ?? index.name);
    });
    built.push(index.name);
  });
}

/** A value that does not fit may be written meanwhile: it is reported like those before. */
async function buildWanted(
  judging: Judging,
  wanted: DataToBuild,
  trigrams: string | undefined,
): Promise<Built> {
  const { db, found, options } = judging;
  const { workspace } = found;
  const building: Building = { db, workspace, signal: options.signal, jobId: options.jobId };
  return buildAll(building, wanted, trigrams).catch(async (error: unknown) => {
    if (isDatabaseError(error) && /^2[23]/.test(error.code ?? '')) await judge(judging);
    const change = wanted.values[0]?.change;
    throw change === undefined ? error : explainFailure(error, change.summary);
  });
}

/** The indexes of rebuilt columns are there too. */
function withValues(indexes: IndexPlan, { values }: Built): IndexPlan {
  const names = values.flatMap((value) => value.indexes.map(({ name }) => name));
  const late = [...indexes.late].filter((name) => !names.includes(name));
  return { ...indexes, ready: new Set([...indexes.ready, ...names]), late: new Set(late) };
}

/** The last records, when nobody can write until the transaction ends. */
export async function finishBuilds(tx: Queryable, schema: string, { data }: Built): Promise<void> {
  for (const built of data) await finishBuild(tx, schema, built);
}
