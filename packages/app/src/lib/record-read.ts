// One record with the names of the records it refers to and the records linked to it, in as few requests as possible: one
// where its fields are known before and not too many, else two, such as for a work item, whose fields follow from its
// type: then its children come with its names.

import type { QueryClient } from '@tanstack/react-query';
import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { askTogether } from './ask-together.ts';
import { fieldValue } from './field-value.ts';
import { nameKeyOf } from './name-keys.ts';
import { expandable, keepNames } from './record-lists.ts';
import { linkedOf, linkedStartQuery } from './relationships.ts';
import { objectQuery, objectsQuery, WORK_ITEMS } from './schema-queries.ts';
import type { WorkspaceClient } from './session.ts';
import { MOST_FIELDS } from './view-state.ts';
import { childrenQuery, hasTree } from './work-tree.ts';

interface RecordPlace {
  readonly type: string;
  readonly id: string;
}

interface ReadOptions {
  readonly queries: QueryClient;
  readonly signal: AbortSignal;
}

/** Errors: those of the service, 404 among them. */
export async function readRecord(
  session: WorkspaceClient,
  { type, id }: RecordPlace,
  { queries, signal }: ReadOptions,
): Promise<RecordData> {
  const { client, workspace } = session;
  if (type !== WORK_ITEMS) {
    const object = await queries.ensureQueryData(objectQuery(session, type));
    const { fields } = object;
    await startLinked(session, object, { id, queries });
    const found = await readWithNames(session, { type, id, fields }, { queries, signal });
    // Why there is none, the other path says.
    if (found !== undefined) return found;
  }
  const record = (await client.records(type).get(id, {}, { signal })) as RecordData;
  const object = await queries.ensureQueryData(
    objectQuery(session, type, record.work_item_type_id ?? undefined),
  );
  const { fields } = object;
  await startLinked(session, object, { id, queries });
  // Requested in the same moment as the names, and so with them.
  if (hasTree(object)) void queries.prefetchInfiniteQuery(childrenQuery(session, record.id));
  const unnamed = expandable(fields).filter(
    (field) => !isNamed(queries, workspace, field, fieldValue(record, field)),
  );
  if (unnamed.length > 0) await nameAll(session, record, unnamed, { queries, signal });
  return record;
}

/** The records linked to it are requested in the same moment as the record, and so with it. */
async function startLinked(
  session: WorkspaceClient,
  object: ObjectDefinition,
  { id, queries }: Pick<ReadOptions, 'queries'> & Pick<RecordPlace, 'id'>,
): Promise<void> {
  const objects = await queries.ensureQueryData(objectsQuery(session));
  for (const linked of linkedOf(object, objects, id))
    void queries.prefetchQuery(linkedStartQuery(session, linked));
}

/** Undefined: there is none, or it has more fields than are read with names. */
async function readWithNames(
  { client, workspace }: WorkspaceClient,
  { type, id, fields }: RecordPlace & { readonly fields: readonly Field[] },
  { queries, signal }: ReadOptions,
): Promise<RecordData | undefined> {
  if (fields.length > MOST_FIELDS) return undefined;
  const expand = expandable(fields);
  const body = { ...oneOf(id, expand), fields: keysOf(fields) };
  const { data } = await askTogether(client, { ...body, object_type: type }, signal);
  keepNames(queries, workspace, data as readonly RecordData[], expand);
  return (data as readonly RecordData[])[0];
}

function oneOf(id: string, expand: readonly Field[]) {
  return {
    where: { field: 'id', op: 'eq' as const, value: id },
    ...(expand.length === 0 ? {} : { expand: keysOf(expand) }),
    limit: 1,
  };
}

function keysOf(fields: readonly Field[]): string[] {
  return fields.map(({ key }) => key);
}

/** Names say less than the record does: without them it is shown all the same. */
async function nameAll(
  { client, workspace }: WorkspaceClient,
  { object_type, id }: RecordData,
  expand: readonly Field[],
  { queries, signal }: ReadOptions,
): Promise<void> {
  const body = { ...oneOf(id, expand), fields: keysOf(expand) };
  const named = askTogether(client, { ...body, object_type }, signal);
  const data = await named.then((page) => page.data as readonly RecordData[]).catch(() => []);
  keepNames(queries, workspace, data, expand);
}

function isNamed(queries: QueryClient, workspace: string, field: Field, value: unknown): boolean {
  if (value === null) return true;
  return queries.getQueryData(nameKeyOf(workspace, field, value)) !== undefined;
}
