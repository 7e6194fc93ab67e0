// Which records are linked to a record, and how: what the service says of each relationship, and how its records are read.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  ObjectDefinition,
  ObjectSummary,
  Page,
  RecordData,
  Relationship,
} from '@workspace-records/client';
import type { Session } from './session.ts';

export interface RecordPlace {
  readonly type: string;
  readonly id: string;
}

type Place = Pick<Session, 'workspace' | 'client'>;

/** The same for all records of the object: what was read for one holds for the next. */
export function relationshipsQuery({ workspace, client }: Place, { type, id }: RecordPlace) {
  return queryOptions({
    queryKey: [workspace, 'relationships', type],
    queryFn: ({ signal }) => client.records(type).relationships(id, { signal }),
    staleTime: 300_000,
  });
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

export function linkedQuery({ workspace, client }: Place, { place, relationship, other }: Linked) {
  const { type, id } = place;
  const field = referringField(relationship);
  return infiniteQueryOptions({
    queryKey: [workspace, type, 'linked', id, relationship.id],
    queryFn: async ({ pageParam: cursor, signal }): Promise<Page<RecordData>> => {
      const page = { limit: LINKED_ROWS, ...(cursor === undefined ? {} : { cursor }) };
      // The page of linked records is for those who may read all of the object; others ask the list for theirs.
      if (field === undefined || isReadWhole(other))
        return client.records(type).linked(id, relationship.id, page, { signal });
      const filters = { [field]: { eq: id } };
      return client.records(other.object_type).list({ ...page, filters }, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}

/** What a heading calls it: the other object, with more words where that is not enough. */
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
