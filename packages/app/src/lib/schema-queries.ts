// The definition of a workspace, as far as its person may see it: every feature needs it, so it belongs to none. Keys
// are `[workspace, what, …]`.

import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import {
  type Client,
  type Field,
  isRecordsError,
  type ObjectDefinition,
  type ObjectSummary,
  type RecordData,
  type User,
} from '@workspace-records/client';
import { useMemo } from 'react';
import { type DefinitionText, plainText } from './definition-text.ts';
import { useSession, type WorkspaceClient } from './session.ts';

/** Milliseconds: definitions change seldom, and a reload has the new one. */
const SETTLED = 300_000;
/**
 * The query of definitions with tints and sections, and names in the language of the application (language-change.ts).
 */
const SHOWN = { include: 'appearance', localized: 'true' } as const;

export function objectsQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'objects'],
    queryFn: ({ signal }) =>
      client.objects.list({ localized: true, include: 'appearance' }, { signal }),
    staleTime: SETTLED,
  });
}

/** The definition of an object; work items include the fields of a type, which the other types lack. */
export function objectQuery(
  { workspace, client }: WorkspaceClient,
  objectType: string,
  work_item_type_id?: string,
) {
  const query = work_item_type_id === undefined ? {} : { work_item_type_id };
  return queryOptions({
    queryKey: [workspace, 'object', objectType, ...Object.values(query)],
    queryFn: async ({ signal }) => {
      const get = (asked: typeof query) =>
        client.objects.get(objectType, { ...asked, ...SHOWN }, { signal });
      const loading = get(query).catch((error: unknown) => {
        // A type that is gone has no fields of its own.
        if (isRecordsError(error, 'validation_failed')) return get({});
        throw error;
      });
      return withTypeOptions(await loading);
    },
    staleTime: SETTLED,
  });
}

/** The type of a work item is a text to the service, and to people one of a few, with a name. */
function withTypeOptions(object: ObjectDefinition): ObjectDefinition {
  const { fields, work_item_types: types } = object;
  if (types === undefined) return object;
  const options = types.map(({ slug, name }) => ({ value: slug, label: name ?? slug }));
  return {
    ...object,
    fields: fields.map((field) =>
      field.key === TYPE_KEY ? { ...field, type: 'select', options } : field,
    ),
  };
}

/** Objects of this name have fields that follow from a type. */
export const WORK_ITEMS = 'work_items';

/** The key of the type of a work item, which never changes. */
export const TYPE_KEY = 'work_item_type_id';

export function workflowQuery({ workspace, client }: WorkspaceClient, id: string) {
  return queryOptions({
    queryKey: [workspace, 'workflow', id],
    queryFn: ({ signal }) => client.workflows.get(id, SHOWN, { signal }),
    staleTime: SETTLED,
  });
}

/** Names of people by id; those beyond the first hundred are requested by their ids (person-names.ts). */
export function peopleQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'people'],
    queryFn: ({ signal }) => readPeople(client, signal),
    staleTime: SETTLED,
  });
}

async function readPeople(client: Client, signal: AbortSignal) {
  const { data } = await client.users.list({ limit: 100 }, { signal });
  return new Map(data.map((user) => [user.id, nameOfUser(user)]));
}

export function nameOfUser({ id, name, email }: Pick<User, 'id' | 'name' | 'email'>): string {
  return name ?? email ?? `#${id}`;
}

export function useObjects(): readonly ObjectSummary[] {
  return useSuspenseQuery(objectsQuery(useSession())).data;
}

export function useReadableObjects(): readonly ObjectSummary[] {
  return readableOf(useObjects());
}

/** The objects whose records the person may read. */
export function readableOf(objects: readonly ObjectSummary[]): readonly ObjectSummary[] {
  return objects.filter(({ permissions }) => permissions.read.allowed);
}

/** The object as the person may use it: only people who may assign records edit the owner. */
export function useObject(objectType: string, workItemType?: string): ObjectDefinition {
  const session = useSession();
  const { data: object } = useSuspenseQuery(objectQuery(session, objectType, workItemType));
  const mayAssign = useMayAssign(object, false);
  return useMemo(() => (mayAssign ? object : withOwnerLocked(object)), [object, mayAssign]);
}

export const OWNER_KEY = 'owner_user_id';

function withOwnerLocked(object: ObjectDefinition): ObjectDefinition {
  const lock = (field: Field) => (field.key === OWNER_KEY ? { ...field, editable: false } : field);
  return { ...object, fields: object.fields.map(lock) };
}

/**
 * Requested when a person begins to edit; until then it is assumed that those who change all records can assign them
 * too.
 */
export function useMayAssign({ permissions }: ObjectDefinition, isAsked: boolean): boolean {
  const { data: access } = useQuery({ ...accessQuery(useSession()), enabled: isAsked });
  return access?.assign_owner.allowed ?? permissions.update.scopes.includes('org_wide');
}

/** The name of an object in the form after a number. */
export function countedName(object: ObjectSummary, count: number): string {
  const { name, singular_name, object_type } = object;
  return (count === 1 ? singular_name : null) ?? name ?? object_type;
}

/** The definition with the fields of the record: those of a work item follow from its type. */
export function useObjectOf({ object_type, work_item_type_id }: RecordData): ObjectDefinition {
  return useObject(object_type, work_item_type_id ?? undefined);
}

/** The person's rights, beyond those that objects list. */
export function accessQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'access'],
    queryFn: ({ signal }) => client.access({}, { signal }),
    staleTime: SETTLED,
  });
}

/** The sessions of the person, the last used first. */
export function sessionsQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'sessions'],
    queryFn: ({ signal }) => client.sessions.list({}, { signal }),
  });
}

/** The status that a new record has, by the id of its workflow. */
export function initialStatusesQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'definition', 'initial statuses'],
    queryFn: async ({ signal }) => {
      const { document = {} } = await client.definition.get({}, { signal });
      const workflows = Object.entries((document.workflows ?? {}) as Record<string, Workflow>);
      return new Map(
        workflows.map(([id, { initial, statuses }]) => [
          id,
          plainText(statuses[initial]?.name ?? initial),
        ]),
      );
    },
    staleTime: SETTLED,
  });
}

/** A workflow in the definition document. */
interface Workflow {
  readonly initial: string;
  readonly statuses: Readonly<Record<string, { readonly name?: DefinitionText } | undefined>>;
}
