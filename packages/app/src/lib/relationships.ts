// The records that are linked to a record: the service's description of each relationship, and how its records are
// read.

import { infiniteQueryOptions } from '@tanstack/react-query';
import type {
  Field,
  ObjectDefinition,
  ObjectSummary,
  Page,
  RecordData,
  Relationship,
  Where,
} from '@workspace-records/client';
import { expandable, keepNames, readPage } from './record-lists.ts';
import type { WorkspaceClient } from './session.ts';

export interface RecordPlace {
  readonly type: string;
  readonly id: string;
}

/** Those of each record of the object, as the list of a record has them. */
export function relationshipsOf({ relationships }: ObjectDefinition): readonly Relationship[] {
  return relationships.map(({ object, labels, ...own }) => ({
    ...own,
    label: labels[0] ?? null,
    object_type: object.key,
  }));
}

/** Of `inv.deals.company_id`: records of that object that refer to this one by that field. */
export function referringField({ id }: Pick<Relationship, 'id'>): string | undefined {
  return /^inv\.[^.]+\.(.+)$/.exec(id)?.[1];
}

/** Whether the person may read whatever is at the other end, or at least those of it that they may read elsewhere. */
export function isListed(relationship: Relationship, other: ObjectSummary | undefined): boolean {
  if (other?.permissions.read.allowed !== true) return false;
  return isReadWhole(other) || referringField(relationship) !== undefined;
}

function isReadWhole({ permissions }: ObjectSummary): boolean {
  return permissions.read.scopes.includes('org_wide');
}

export interface Linked {
  readonly place: RecordPlace;
  readonly relationship: Relationship;
  readonly other: ObjectSummary;
}

export const LINKED_ROWS = 10;

/** `fields`: the shown fields, with the names of referenced records. */
export function linkedQuery(place: WorkspaceClient, linked: Linked, fields: readonly Field[]) {
  const { type, id } = linked.place;
  const keys = fields.map(({ key }) => key);
  return infiniteQueryOptions({
    queryKey: [place.workspace, type, 'linked', id, linked.relationship.id, keys],
    queryFn: async ({ pageParam: cursor, signal, client: queries }): Promise<Page<RecordData>> => {
      const page = await readLinked(place, linked, { fields, cursor, signal });
      keepNames(queries, place.workspace, page.data, expandable(fields));
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}

interface LinkedRequest {
  readonly fields: readonly Field[];
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

/** Those that refer to the record are a list; of other links a page has the ids, and the list the records. */
async function readLinked(
  place: WorkspaceClient,
  { place: { type, id }, relationship, other }: Linked,
  { fields, cursor, signal }: LinkedRequest,
): Promise<Page<RecordData>> {
  const field = referringField(relationship);
  const question = {
    ...{ q: '', sort: [], expand: expandable(fields) },
    fields: fields.map(({ key }) => key),
  };
  const limit = LINKED_ROWS;
  if (field !== undefined) {
    const where: Where[] = [{ field, op: 'eq', value: id }];
    return readPage(place, other.object_type, { ...question, where }, { limit, cursor, signal });
  }
  const asked = { limit, ...(cursor === undefined ? {} : { cursor }) };
  const page = await place.client.records(type).linked(id, relationship.id, asked, { signal });
  if (page.data.length === 0 || fields.length === 0) return page as Page<RecordData>;
  const where: Where[] = [{ field: 'id', op: 'in', value: page.data.map((one) => one.id) }];
  const { data } = await readPage(place, other.object_type, { ...question, where }, { signal });
  const byId = new Map(data.map((record) => [record.id, record]));
  return { ...page, data: page.data.map((one) => byId.get(one.id) ?? (one as RecordData)) };
}

/** Its name in a heading: the other object, with more words where that is not enough. */
export function linkedName(
  { id, label, object_type }: Relationship,
  { object, other, all }: NameParts,
): string {
  const name = other?.name ?? object_type;
  const key = referringField({ id });
  const isOnly = all.filter((one) => one.object_type === object_type).length === 1;
  if (key !== undefined && object_type === object.object_type) {
    const field = object.fields.find((one) => one.key === key);
    return `${name} (${field?.name ?? key})`;
  }
  if (isOnly) return name;
  return key === undefined ? (label ?? name) : `${name} (${key})`;
}

interface NameParts {
  readonly object: ObjectDefinition;
  readonly other: ObjectSummary | undefined;
  /** Of the record. */
  readonly all: readonly Relationship[];
}
