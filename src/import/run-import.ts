// The way of an import: rows → operations → batches through the write path, several at a time. Rows
// that refer to a record further down in their own file wait for another pass, until it is there; what
// refers in a circle is written first and connected in the end.

import { setImmediate } from 'node:timers/promises';
import { openParallelWriters, type ParallelWriters } from '../control/process/parallel-writers.ts';
import { LIMITS } from '../limits.ts';
import { rollbackOnly } from '../postgres/rollback-only.ts';
import {
  type ImportReport,
  kindOf,
  notesIn,
  type RunningReport,
  reportOf,
} from './import-report.ts';
import type { BulkWriting, ImportRequest } from './import-request.ts';
import { type Lookup, lookupOf } from './mapping/compile-target.ts';
import { afterEarlier } from './repeated-rows.ts';
import { retryWhileUnavailable } from './retry-unavailable.ts';
import {
  type BuiltRow,
  buildRows,
  type Draft,
  draftRow,
  fieldValues,
  type PendingReference,
} from './rows/build-rows.ts';
import { type RowProblem, readRows, type SourceRow } from './rows/read-rows.ts';
import { loadPeople, openRecordFinder } from './rows/record-lookup.ts';
import { withoutRefused } from './rows/refused-values.ts';
import { type RowScope, recordReason } from './rows/resolve-values.ts';
import { lookupsOf, nameOf, namesOf } from './rows/row-names.ts';
import { explainProblem, withFieldProblems } from './rows/row-problems.ts';
import { openZonedTimes } from './rows/zoned-times.ts';
import {
  commentBatches,
  type Outcome,
  type RowResult,
  type RowWrite,
  type RowWriting,
  recordBatches,
  type WriteBatch,
  writeRows,
} from './write-rows.ts';

/**
 * Import a file that `inspectFile` found readable. A failure that no row is to blame for throws.
 */
export async function runImport(request: ImportRequest): Promise<ImportReport> {
  const run = await startRun(request);
  try {
    const replaced = await replacedLines(run);
    await pass(run, unknownRows(run, replaced), firstPass);
    await passAgain({ ...run, scope: { ...run.scope, isExpected: isNamedIn(run) } });
    await request.ledger?.store();
  } finally {
    await run.writers.idle();
  }
  return run.report;
}

/** Passes over what waits: work items are trees of ten levels at most (D113). */
const ROUNDS = 10;
/** 8,800 deals on two cores took 3.0 s with one writer, 2.1 s with two or three, 2.4 s with four. */
const PARALLEL_WRITERS = 3;
/** Characters of rows that are held and written together: rows may be long, memory is not. */
const BATCH_LENGTH = LIMITS.bodyBytes;
/** Values of rows that are built in one turn of the event loop. */
const BUILT_VALUES = 10_000;

interface Run {
  readonly request: ImportRequest;
  readonly writeBatch: WriteBatch<Write>;
  readonly scope: RowScope;
  readonly writers: ParallelWriters;
  readonly report: RunningReport;
  /** Rows to be written; keys of these and of all that are on their way. */
  readonly batch: Write[];
  /** Characters of these rows. */
  readonly held: { length: number };
  readonly busyKeys: Set<string>;
  /** Lines of rows that wait for another pass, and the keys of their records. */
  readonly waiting: Set<number>;
  readonly waitingKeys: Set<string>;
  /** The names of this file's rows, by look-up: they will be there. */
  readonly names: Set<string>;
  /** Line → id of the record whose references are still open. */
  readonly open: Map<number, string>;
}

interface Write extends RowWrite {
  readonly built: BuiltRow;
  /** Written without some of its references. */
  readonly isOpen: boolean;
  /** Completes a record that was counted before. */
  readonly isCompletion: boolean;
}

async function startRun(request: ImportRequest): Promise<Run> {
  const { context, plan, rehearsal, kept, ledger } = request;
  const dryRun = rehearsal !== undefined;
  const promises: RowScope['promises'] = (...named) => rehearsal?.promises(...named) === true;
  const people = await retryWhileUnavailable(() => loadPeople(context));
  const noting = ledger === undefined ? {} : { note: notesIn(ledger) };
  const writing = { ...context, kept, ...noting };
  const writeContext = dryRun ? { ...writing, db: rollbackOnly(context.db) } : writing;
  return {
    request,
    writeBatch: batchesOf(request, writeContext),
    scope: {
      ...{ plan, people, promises },
      finder: openRecordFinder(context),
      zones: openZonedTimes(context),
      // Only the whole file tells which records do not come.
      isExpected: () => true,
    },
    writers: openParallelWriters(PARALLEL_WRITERS),
    report: reportOf(ledger),
    batch: [],
    held: { length: 0 },
    busyKeys: new Set(),
    waiting: new Set(),
    waitingKeys: new Set(),
    names: new Set(),
    open: new Map(
      (ledger?.imported ?? []).flatMap(({ line, open_id }) =>
        open_id === null ? [] : [[line, open_id] as const],
      ),
    ),
  };
}

/** The rows of a batch go one way. */
function batchesOf(
  { plan: { subject }, bulk }: ImportRequest,
  writing: RowWriting<Write>,
): WriteBatch<Write> {
  if (subject.kind === 'comments') return commentBatches<Write>(writing, subject.of);
  const ordinary = recordBatches<Write>(writing, subject.of);
  if (bulk === undefined) return ordinary;
  return async (writes) => {
    const [first] = writes;
    if (first !== undefined && bulk.makesRecord(first)) return bulk.write(writes);
    await bulk.beforeOthers();
    return ordinary(writes);
  };
}

/** Lines of rows in whose place the mapping takes another row with the same match values. */
async function replacedLines(run: Run): Promise<ReadonlySet<number>> {
  const { doubles } = run.request.plan;
  const replaced = new Set<number>();
  if (doubles === 'both') return replaced;
  const lines = new Map<string, number>();
  await pass(run, readRows(run.request.file), (_, { key, row: { line } }) => {
    if (key === undefined) return;
    const before = lines.get(key);
    if (before !== undefined) replaced.add(doubles === 'first' ? line : before);
    if (before === undefined || doubles === 'last') lines.set(key, line);
  });
  return replaced;
}

/** The rows of which an earlier attempt knows nothing. */
async function* unknownRows(
  { request, report }: Run,
  replaced: ReadonlySet<number>,
): AsyncGenerator<SourceRow> {
  const { imported = [], rejected = [] } = request.ledger ?? {};
  const known = new Set([...imported.map(({ line }) => line), ...rejected]);
  for await (const row of readRows(request.file)) {
    report.read += 1;
    if (row.isBlank || replaced.has(row.line)) report.blank += 1;
    else {
      request.marks?.add(row);
      if (!known.has(row.line)) yield row;
    }
  }
}

/**
 * Passes over what waits: what it refers to is there by then, or is as far as it will ever come.
 */
async function passAgain(run: Run): Promise<void> {
  const { request, waiting, waitingKeys, open } = run;
  let before = 0;
  for (let round = 1; waiting.size > 0; round += 1) {
    const lines = new Set(waiting);
    // In a dry run nothing comes, in a circle nothing is first.
    const isLast = request.rehearsal !== undefined || round === ROUNDS || lines.size === before;
    before = lines.size;
    waiting.clear();
    waitingKeys.clear();
    await pass(run, rowsOf(run, lines), isLast ? writeOpen : writeOrWait);
  }
  if (open.size > 0) await pass(run, rowsOf(run, open), connect);
}

type Step = (run: Run, built: BuiltRow) => Promise<void> | void;

async function pass(run: Run, source: AsyncIterable<SourceRow>, step: Step): Promise<void> {
  let chunk: Draft[] = [];
  let length = 0;
  let values = 0;
  const take = async () => {
    // Rows that are read from memory, or refused, would let nobody else have a turn.
    await setImmediate();
    const rows = await retryWhileUnavailable(() => buildRows(run.scope, chunk));
    for (const built of rows) await step(run, built);
    await run.request.ledger?.store();
    chunk = [];
    length = 0;
    values = 0;
  };
  for await (const row of source) {
    const draft = draftRow(run.scope.plan, row);
    chunk.push(draft);
    length += draft.length;
    values += draft.given.size;
    const isFull = chunk.length === LIMITS.batchOperations || values > BUILT_VALUES;
    if (isFull || length > BATCH_LENGTH) await take();
  }
  await take();
  await settleAll(run);
}

async function* rowsOf(run: Run, lines: { has(line: number): boolean }): AsyncGenerator<SourceRow> {
  for await (const row of readRows(run.request.file)) if (lines.has(row.line)) yield row;
}

async function firstPass(run: Run, built: BuiltRow): Promise<void> {
  await writeOrWait(run, built);
  const isWaiting = run.waiting.has(built.row.line);
  // The database has no rows of a dry run, so the names of all rows are kept.
  if (!isWaiting && (run.request.rehearsal === undefined || built.problems.length > 0)) return;
  const { plan } = run.scope;
  for (const name of namesOf(built, plan, lookupsOf(plan))) run.names.add(name);
}

/** Rows for a record that waits, wait as well. */
async function writeOrWait(run: Run, built: BuiltRow): Promise<void> {
  const { row, key, problems, pending } = built;
  if (problems.length > 0) return reject(run, row, withFieldProblems(built, problems));
  const isWaiting = pending.length > 0 || (key !== undefined && run.waitingKeys.has(key));
  if (!isWaiting) return write(run, built, false);
  run.waiting.add(row.line);
  if (key !== undefined) run.waitingKeys.add(key);
}

async function writeOpen(run: Run, built: BuiltRow): Promise<void> {
  if (built.problems.length > 0) return reject(run, built.row, built.problems);
  return write(run, built, built.pending.length > 0);
}

/** Only the references that were open; the record itself has been written and counted. */
async function connect(run: Run, built: BuiltRow): Promise<void> {
  const { row, pending, values } = built;
  const id = run.open.get(row.line) as string;
  const own = run.scope.plan.object;
  const references = [...values].filter(([{ lookup, named }]) => (lookup ?? named)?.object === own);
  // Else this change would be the last one.
  const changedAt = [...values].filter(([{ field }]) => field.key === 'updated_at');
  const fields = fieldValues(
    [...references, ...changedAt].map(([{ field }, value]) => [field, value]),
  );
  const operation = { action: 'update', id, fields } as const;
  if (references.length > 0) {
    await add(run, { row, key: undefined, operation, built, isOpen: false, isCompletion: true });
  }
  if (pending.length === 0) return;
  const written = ' The record was written without it.';
  const problems = pending.map(pendingProblem);
  reject(
    run,
    row,
    problems.map(({ field, reason }) => ({ field, reason: reason + written })),
  );
}

function pendingProblem({ target, value }: PendingReference): RowProblem {
  const reason = recordReason(lookupOf(target, value) as Lookup, value, 'missing');
  return { field: target.field.storage_key, reason };
}

function isNamedIn(run: Run): RowScope['isExpected'] {
  return (lookup, value) => run.names.has(nameOf(lookup, value));
}

async function write(run: Run, built: BuiltRow, isOpen: boolean): Promise<void> {
  const { rehearsal, plan } = run.request;
  if (rehearsal?.meets(built) === true) await settleAll(run);
  const problems = rehearsal?.problemsOf(built) ?? [];
  if (problems.length > 0) {
    const fitting = withoutRefused(plan, built, problems);
    return fitting === undefined ? reject(run, built.row, problems) : write(run, fitting, isOpen);
  }
  const { row, key, operation } = built;
  const item = { row, key, operation, built, isOpen, isCompletion: false };
  // A comment or a link without its record cannot be tried.
  if (built.promised.size > 0 && plan.subject.kind !== 'records') {
    return succeed(run, item, { ...NEW, changed: false });
  }
  rehearsal?.hold(built);
  await add(run, item);
}

/** Two rows for one record go in different batches, one after the other. */
async function add(run: Run, item: Write): Promise<void> {
  const { key } = item;
  if (key !== undefined && run.busyKeys.has(key)) await settleAll(run);
  const { bulk } = run.request;
  const [first] = run.batch;
  const isOther = first && bulk && bulk.makesRecord(first) !== bulk.makesRecord(item);
  if (isOther === true) await flush(run);
  if (key !== undefined) run.busyKeys.add(key);
  run.batch.push(item);
  run.held.length += item.built.length;
  const isFull = run.batch.length === mostAtOnce(item, bulk);
  if (isFull || run.held.length > BATCH_LENGTH) await flush(run);
}

function mostAtOnce(item: Write, bulk: BulkWriting | undefined): number {
  return bulk?.makesRecord(item) === true ? bulk.most : LIMITS.batchOperations;
}

async function flush(run: Run): Promise<void> {
  const writes = run.batch.splice(0);
  run.held.length = 0;
  if (writes.length === 0) return;
  const { plan } = run.scope;
  await run.writers.start(async () => {
    const outcomes = await writeRows(run.writeBatch, writes, (item, problems) => {
      const built = item.isCompletion ? undefined : withoutRefused(plan, item.built, problems);
      return built && { ...item, built, operation: built.operation };
    });
    for (const outcome of outcomes) settle(run, outcome);
    for (const { key, built } of writes) {
      if (key !== undefined) run.busyKeys.delete(key);
      run.request.rehearsal?.release(built);
    }
    reportProgress(run);
  });
}

/** All rows so far are written, or rejected. */
async function settleAll(run: Run): Promise<void> {
  await flush(run);
  await run.writers.settle();
}

function settle(run: Run, outcome: Outcome<Write>): void {
  const { write: item } = outcome;
  const { promised } = item.built;
  const all = 'problems' in outcome ? outcome.problems : [];
  const problems = all.filter(({ field }) => !promised.has(field));
  if ('result' in outcome) succeed(run, item, outcome.result);
  else if (promised.size > 0 && problems.length === 0) succeed(run, item, NEW);
  else reject(run, item.row, withFieldProblems(item.built, problems));
}

/** The result of a row that could not be tried, because it needs a record that an earlier file would make. */
const NEW: RowResult = Object.freeze({ id: '', created: true, changed: true });

function succeed(run: Run, { row, built, isOpen, isCompletion }: Write, result: RowResult): void {
  if (isCompletion) return;
  const { rehearsal } = run.request;
  const { created, changed, kept, id } = afterEarlier(run, built, result);
  if (kept !== 'record') for (const emptied of built.emptied) run.request.onEmptied?.(emptied);
  if (kept === 'status') run.report.status_kept += 1;
  if (isOpen && rehearsal === undefined && kept !== 'record') run.open.set(row.line, id);
  run.report[kindOf({ created, changed, kept })] += 1;
}

function reject(run: Run, row: SourceRow, problems: readonly RowProblem[]): void {
  run.report.rejected += 1;
  const { plan } = run.scope;
  const listed = problems.slice(0, LIMITS.rowProblems);
  const explained = listed.map((one) => explainProblem(plan, row, one));
  run.request.onReject({ row, problems: explained });
  reportProgress(run);
}

function reportProgress({ report, request }: Run): void {
  const { created, updated, unchanged, skipped, rejected, blank } = report;
  const done = created + updated + unchanged + skipped + rejected + blank;
  request.onProgress(done, report);
}
