// One change of many records: written in batches, shown in the list, undone as a whole.

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { RecordData } from '@workspace-records/client';
import { useMemo } from 'react';
import { translate } from '../../lib/messages/index.ts';
import { type BatchOutcome, type Operation, writeInBatches } from '../../lib/record-batches.ts';
import { dropRecord, knownRecord } from '../../lib/record-cache.ts';
import { refreshLists } from '../../lib/record-lists.ts';
import { rereadRecords } from '../../lib/record-reread.ts';
import { type Session, useSession } from '../../lib/session.ts';
import { noteUndo, type UndoableAct, undoRefusal } from '../../lib/undo.ts';
import { showFinal } from '../../ui/toast.ts';

/** A write, and its reversal; undefined: there is none. */
export interface Reversible {
  readonly operation: Operation;
  inverse(written: { readonly id: string; readonly version: string }): Operation | undefined;
}

export interface ManyWrites {
  /** The object type of the records. */
  readonly type: string;
  readonly writes: readonly Reversible[];
  /** The message for this number of written records. */
  text(count: number): string;
  onProgress?(count: number): void;
  /** The act that undoes writes without an inverse. */
  actOf?(ids: readonly string[], text: string): UndoableAct;
}

export interface WriteMany {
  run(wish: ManyWrites): Promise<BatchOutcome>;
  /** The cached records with these ids; records that are not cached are left out. */
  recordsOf(type: string, ids: Iterable<string>): readonly RecordData[];
}

export function useWriteMany(): WriteMany {
  const session = useSession();
  const queries = useQueryClient();
  return useMemo(
    () => ({
      run: (wish) => writeMany(session, queries, wish),
      recordsOf: (type, ids) =>
        [...ids].flatMap((id) => knownRecord(queries, session.workspace, { type, id }) ?? []),
    }),
    [session, queries],
  );
}

export async function writeMany(
  session: Session,
  queries: QueryClient,
  { type, writes, text, onProgress, actOf }: ManyWrites,
): Promise<BatchOutcome> {
  const writing = { session, queries, type };
  const outcome = await send(writing, writes.map(operationOf), onProgress);
  const count = outcome.written.length;
  let undos = inversesOf(writes, outcome);
  let redos: readonly Reversible[] = [];
  const act = {
    text: text(count),
    async undo() {
      const undone = await sendAll(
        writing,
        undos.map(({ inverse }) => inverse),
      );
      redos = undone.flatMap(({ index, version }) => undos[index]?.again(version) ?? []);
    },
    async redo() {
      const redone = await sendAll(writing, redos.map(operationOf));
      undos = inversesOf(redos, { written: redone });
    },
  };
  const ids = outcome.written.map(({ id }) => id);
  if (undos.length > 0) noteUndo(act);
  else if (count > 0 && actOf !== undefined) noteUndo(actOf(ids, act.text));
  else if (count > 0) showFinal({ text: act.text });
  return outcome;
}

function operationOf({ operation }: Reversible): Operation {
  return operation;
}

interface Undo {
  readonly inverse: Operation;
  /** The write once more, on the version that the inverse has left. */
  again(version: string | undefined): Reversible;
}

function inversesOf(
  writes: readonly Reversible[],
  { written: done }: Pick<BatchOutcome, 'written'>,
): readonly Undo[] {
  return done.flatMap(({ index, id, version }) => {
    const write = writes[index];
    const inverse = write?.inverse({ id, version: version ?? '' });
    if (write === undefined || inverse === undefined) return [];
    return [{ inverse, again: (left) => ({ ...write, operation: onVersion(write, left) }) }];
  });
}

/** A new record has none. */
function onVersion({ operation }: Reversible, version: string | undefined): Operation {
  if (!('expected_version' in operation) || version === undefined) return operation;
  return { ...operation, expected_version: version };
}

interface Writing {
  readonly session: Session;
  readonly queries: QueryClient;
  readonly type: string;
}

async function send(
  { session, queries, type }: Writing,
  operations: readonly Operation[],
  onProgress?: (count: number) => void,
): Promise<BatchOutcome> {
  const outcome = await writeInBatches(session.client, operations, onProgress);
  // They are written, also where they cannot be read again.
  await show(session, queries, type, written(operations, outcome)).catch(() =>
    refreshLists(queries, session.workspace, type),
  );
  return outcome;
}

/** Errors: one with a message, when some are refused. */
async function sendAll(
  writing: Writing,
  operations: readonly Operation[],
): Promise<BatchOutcome['written']> {
  const outcome = await send(writing, operations);
  const count = outcome.refused.length;
  if (count > 0) throw undoRefusal(translate()('undo.refused', { count }));
  return outcome.written;
}

interface Written {
  readonly action: string;
  readonly id: string;
}

function written(operations: readonly Operation[], outcome: BatchOutcome): readonly Written[] {
  return outcome.written.map(({ index, id }) => ({ action: operations[index]?.action ?? '', id }));
}

/** New records have no place in the lists yet: only the service can place them. */
async function show(
  session: Session,
  queries: QueryClient,
  type: string,
  done: readonly Written[],
): Promise<void> {
  const idsOf = (action: string) => done.filter((one) => one.action === action).map(({ id }) => id);
  for (const id of idsOf('delete'))
    dropRecord(queries, session.workspace, { object_type: type, id });
  if (idsOf('create').length > 0) await refreshLists(queries, session.workspace, type);
  else await rereadRecords(session, queries, type, [...idsOf('update'), ...idsOf('status')]);
}
