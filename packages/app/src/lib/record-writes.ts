// A record: reading it, and saving a change to one of its fields. Saves of a record follow one another, each under the
// version that the one before has left.

import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type Field, isRecordsError, type RecordData } from '@workspace-records/client';
import { changeOf, fieldValue, isSame } from './field-value.ts';
import { makeKey } from './idempotency-key.ts';
import { knownRecord, putRecord } from './record-cache.ts';
import { readRecord } from './record-read.ts';
import { type Session, useSession, type WorkspaceClient } from './session.ts';

export function recordQuery(session: WorkspaceClient, type: string, id: string) {
  return queryOptions({
    queryKey: [session.workspace, type, 'record', id],
    queryFn: ({ signal, client: queries }) =>
      readRecord(session, { type, id }, { queries, signal }),
  });
}

/** The value that a person wants a field to have. */
export interface Intent {
  readonly field: Field;
  readonly value: unknown;
  /** The value when they began: a change by somebody else since then needs a decision. */
  readonly base: unknown;
  /** The idempotency key, the same for each attempt: the change is applied once. */
  readonly key: string;
  /** The version that was read, for a record that is no longer known here. */
  readonly version?: string | undefined;
}

/** Somebody else has changed the same field since. */
export interface Conflict {
  readonly intent: Intent;
  readonly theirs: RecordData;
}

export function isConflict(error: unknown): error is Error & { readonly conflict: Conflict } {
  return error instanceof Error && 'conflict' in error;
}

interface RecordPlace {
  readonly type: string;
  readonly id: string;
}

export function useSave(type: string, id: string) {
  const session = useSession();
  return useMutation(saveOf(session, useQueryClient(), { type, id }));
}

/** Saves a field outside of a component of the record: from a cell of a list, or by an undo. */
export function saveField(
  session: Session,
  queries: QueryClient,
  place: RecordPlace,
  intent: Intent,
): Promise<RecordData> {
  return queries
    .getMutationCache()
    .build(queries, saveOf(session, queries, place))
    .execute(intent);
}

function saveOf(session: Session, queries: QueryClient, { type, id }: RecordPlace) {
  return mutationOptions({
    // One after another, or the second would be sent under a version that the first one ends.
    scope: { id: scopeOf(session.workspace, type, id) },
    mutationFn: async (intent: Intent) => {
      const known = knownRecord(queries, session.workspace, { type, id, field: intent.field });
      // It was read again since the editing began: its version alone would hide what somebody else has changed.
      if (known !== undefined) requireNoConflict(intent, known);
      const version = known?.version ?? intent.version;
      const saved = await saveMerged(session, { type, id, version }, intent);
      putRecord(queries, session.workspace, saved);
      return saved;
    },
    onError(error) {
      if (isConflict(error)) putRecord(queries, session.workspace, error.conflict.theirs);
    },
  });
}

interface Saved {
  readonly type: string;
  readonly id: string;
  /** The version that the record must still have. */
  readonly version: string | undefined;
}

/** A change of another field by another person is not a conflict: the own change is applied to their version. */
async function saveMerged(session: Session, saved: Saved, intent: Intent): Promise<RecordData> {
  const { type, id, version } = saved;
  const { field, value, key } = intent;
  const records = session.client.records(type);
  try {
    const options = { version, idempotencyKey: key };
    return (await records.update(id, changeOf(field, value), options)) as RecordData;
  } catch (error) {
    if (!isRecordsError(error, 'stale_record')) throw error;
    const theirs = (await records.get(id)) as RecordData;
    if (isSame(fieldValue(theirs, field), value)) return theirs;
    requireNoConflict(intent, theirs);
    // Another version is another request, which the old key would refuse.
    const next = { ...intent, key: makeKey() };
    return saveMerged(session, { ...saved, version: theirs.version }, next);
  }
}

/** Errors: one that `isConflict` recognises, when the field has neither the old nor the new value. */
function requireNoConflict(intent: Intent, theirs: RecordData): void {
  const now = fieldValue(theirs, intent.field);
  if (isSame(now, intent.base) || isSame(now, intent.value)) return;
  throw Object.assign(new Error('the field was changed'), { conflict: { intent, theirs } });
}

interface Turn {
  readonly queries: QueryClient;
  readonly workspace: string;
}

/** Waits for the earlier writes to the record: the new one needs the version that they produce. */
export function inTurn<Result>(
  { queries, workspace }: Turn,
  { object_type, id }: Pick<RecordData, 'object_type' | 'id'>,
  act: () => Promise<Result>,
): Promise<Result> {
  const options = { scope: { id: scopeOf(workspace, object_type, id) }, mutationFn: act };
  return queries
    .getMutationCache()
    .build(queries, queries.defaultMutationOptions(options))
    .execute(undefined);
}

function scopeOf(workspace: string, type: string, id: string): string {
  return `${workspace} ${type} ${id}`;
}
