// Erases one record: it is deleted as by a request, but not into the trash, then all places that may have something of
// it are emptied in one transaction with the audit row `erase`. A record that is in the trash or gone has the second
// part only, and so has one whose erasure was interrupted after the first.

import { setTimeout as sleep } from 'node:timers/promises';
import { sameRightsStatement, stillAtStatement } from '../../control/jobs/bulk-rows.ts';
import { isOperatorError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { WriteRequest } from '../../plan/write/write-operation.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { auditSql } from '../../sql/events/audit-sql.ts';
import { type Statement, toStatement } from '../../sql/sql.ts';
import { type ErasedRecord, lastStateSql, liveRecordSql } from '../../sql/write/erase-sql.ts';
import { reasonsOf } from '../records/partial-writes.ts';
import { rehearseWrites } from '../records/rehearse-writes.ts';
import { actorOf } from '../records/write-actor.ts';
import { problemsOf } from '../records/write-failure.ts';
import { writeRecords } from '../records/write-flow.ts';
import type { WriteContext } from '../records/write-group.ts';
import { countOf } from './erased/record-place.ts';
import { RECORD_PLACES } from './erased/record-places.ts';
import type { JudgedErasure } from './erasure-authority.ts';
import { type Erasure, loadState, note, type PlaceCounts, sumOf } from './erasure-progress.ts';

/** Attempts at a record that fails for no fault of it, and the pause between them. */
const TRIES = 10;
const PAUSE_MS = 200;

/** Erase the record at this place of the request, or count what there is of it. */
export async function eraseNext(work: Erasure, index: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await eraseOne(work, index);
    } catch (error) {
      if (work.signal.aborted || isOperatorError(error) || tries === TRIES) throw error;
      await sleep(PAUSE_MS * tries);
      // The answer to a COMMIT may have been lost.
      work.state = await loadState(work);
      if (!work.state.left.includes(index)) return;
    }
  }
}

async function eraseOne(work: Erasure, index: number): Promise<void> {
  const { db, input } = work;
  const { table, id } = input.records[index] as (typeof input.records)[number];
  const judged = await work.judge();
  const object = [...judged.model.objects.values()].find((one) => one.table === table);
  if (object === undefined) return refuse(work, index, say('object_gone').text);
  const record = { model: judged.model, object, id };
  if (work.state.found?.index !== index) {
    await note(work, { found: { index, counts: await countRecord(db, record) } });
  }
  const erasing = { work, judged, record };
  if (input.dry_run) {
    const reason = await rehearseDelete(erasing);
    return reason === undefined ? note(work, doneWith(work, index)) : refuse(work, index, reason);
  }
  for (let isErased = false; !isErased; ) {
    const reason = await deleteLive(erasing);
    if (reason !== undefined) return refuse(work, index, reason);
    isErased = await eraseTraces(erasing, index);
  }
}

/** The numbers that an erasure of the record would find, by place. */
async function countRecord(db: Queryable, record: ErasedRecord): Promise<PlaceCounts> {
  const counts: Record<string, number> = { records: await countOf(db, liveRecordSql(record)) };
  for (const place of RECORD_PLACES) counts[place.key] = await place.count(db, record);
  return counts;
}

function refuse(work: Erasure, index: number, reason: string): Promise<void> {
  const { left, refusals } = work.state;
  return note(work, {
    left: left.filter((one) => one !== index),
    refusals: [...refusals, { index, reason }],
    found: null,
  });
}

function doneWith({ state }: Erasure, index: number) {
  const { left, found, counts, done, erasedInPass } = state;
  return {
    left: left.filter((one) => one !== index),
    found: null,
    counts: sumOf(counts, found?.counts ?? {}),
    done: done + 1,
    erasedInPass: erasedInPass + 1,
  };
}

interface Erasing {
  readonly work: Erasure;
  readonly judged: JudgedErasure;
  readonly record: ErasedRecord;
}

/** Answers why a delete of the record would be refused, also when those that the erasure takes before are gone. */
async function rehearseDelete({ work, judged, record }: Erasing): Promise<string | undefined> {
  const rehearse = (records: readonly ErasedRecord[]) =>
    refusalOf(async () => {
      const objects = records.map(({ object }) => object);
      await rehearseWrites(contextOf(work, judged), objects, deleteRequest(records));
    });
  const reason = await rehearse([record]);
  const before = reason === undefined ? [] : await erasedBefore(work, judged);
  return before.length === 0 ? reason : rehearse([...before, record]);
}

/** Records that a dry run has counted, as far as they exist. */
async function erasedBefore(
  { db, input, state }: Erasure,
  { model }: JudgedErasure,
): Promise<readonly ErasedRecord[]> {
  const others = new Set([...state.left, ...state.refusals.map(({ index }) => index)]);
  const live: ErasedRecord[] = [];
  for (const [index, { table, id }] of input.records.entries()) {
    const object = [...model.objects.values()].find((one) => one.table === table);
    if (others.has(index) || object === undefined) continue;
    const record = { model, object, id };
    if ((await countOf(db, liveRecordSql(record))) > 0) live.push(record);
  }
  return live;
}

/** Delete the record if it exists. Answers why that is refused; undefined: it does not exist any longer. */
async function deleteLive({ work, judged, record }: Erasing): Promise<string | undefined> {
  const context = {
    ...contextOf(work, judged),
    notesOf: () => guards(work, judged),
  };
  while ((await countOf(work.db, liveRecordSql(record))) > 0) {
    const reason = await refusalOf(async () => {
      await writeRecords(context, record.object, deleteRequest([record]));
    });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function deleteRequest(records: readonly ErasedRecord[]): WriteRequest {
  const operations = records.map(({ id }) => ({ action: 'delete', id }) as const);
  return { operations, source: 'bulk', batch: false, answered: [], erasing: true };
}

/** Answers why the delete is refused; undefined: it is not, or somebody else has deleted the record. */
async function refusalOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const problems = problemsOf(error, 'change');
    if (problems === undefined) throw error;
    return problems[0]?.code === 'record_not_found' ? undefined : reasonsOf(problems)[0]?.reason;
  }
}

/** Both fail, and the transaction with them: the author may still do this, and nothing of it is done yet. */
function guards({ job, state }: Erasure, judged: JudgedErasure): readonly Statement[] {
  return [sameRightsStatement(judged), stillAtStatement(job, judged, state.done)];
}

function contextOf({ db, input }: Erasure, { model, caller }: JudgedErasure): WriteContext {
  const { api_key_id, api_key_prefix, session_id, request_id } = input;
  const asked = { api_key_id, api_key_prefix, session_id };
  return { db, model, caller, requestId: request_id, asked };
}

/** False: the record is there again, because a restore from the trash was under way. */
async function eraseTraces(erasing: Erasing, index: number): Promise<boolean> {
  const { work, judged, record } = erasing;
  try {
    await note(work, doneWith(work, index), async (tx) => {
      for (const guard of guards(work, judged)) await tx.query(guard);
      for (const place of RECORD_PLACES) await place.erase(tx, record);
      if ((await countOf(tx, liveRecordSql(record))) > 0) throw CAME_BACK;
      await appendErased(tx, erasing);
    });
    return true;
  } catch (error) {
    if (error !== CAME_BACK) throw error;
    return false;
  }
}

const CAME_BACK = new Error('the record was restored meanwhile');

/** Appends the last event of a record: readers may have copies, also of a record that they know as deleted. */
async function appendErased(tx: Queryable, { work, judged, record }: Erasing): Promise<void> {
  const { model, object, id } = record;
  const [last] = await runOnce(tx, lastStateSql(record));
  const entry = {
    actor: actorOf(contextOf(work, judged), 'bulk', null),
    ...{ object_type: object.object_type, record_id: id, action: 'erase', changed_fields: [] },
    revision: Number(last?.revision) + 1,
    reach_user_id: (last?.reach_user_id ?? null) as number | null,
  };
  await tx.query(toStatement(auditSql(model, [entry])));
}
