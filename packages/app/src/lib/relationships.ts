// The records that are linked to a record: the service's description of each relationship, and how its records are
// read.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  Field,
  ObjectDefinition,
  ObjectSummary,
  Page,
  RecordData,
  Relationship,
} from '@workspace-records/client';
import { askTogether } from './ask-together.ts';
import { expandable, keepNames } from './record-lists.ts';
import type { WorkspaceClient } from './session.ts';
import { CHILDREN, hasTree } from './work-tree.ts';

export interface RecordPlace {
  readonly type: string;
  readonly id: string;
}

/** The relationships of each record of the object, in the form that the list of one record has. */
export function relationshipsOf({ relationships }: ObjectDefinition): readonly Relationship[] {
  return relationships.map(({ object, labels, ...own }) => ({
    ...own,
    label: labels[0] ?? null,
    object_type: object.key,
  }));
}

/** The referring field in an id such as `inv.deals.company_id`; undefined for other relationships. */
export function referringField({ id }: Pick<Relationship, 'id'>): string | undefined {
  return /^inv\.[^.]+\.(.+)$/.exec(id)?.[1];
}

/** True when the person may read the records at the other end, or at least those that they may read elsewhere. */
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

/**
 * The relationships that a record shows as sections. References of the record itself are fields of it; children of a
 * work item have a part of their own.
 */
export function linkedOf(
  object: ObjectDefinition,
  objects: readonly ObjectSummary[],
  id: string,
): readonly Linked[] {
  const recordPlace = { type: object.object_type, id };
  return relationshipsOf(object).flatMap((relationship) => {
    const other = objects.find(({ object_type }) => object_type === relationship.object_type);
    if (relationship.source_field !== null || other === undefined) return [];
    if (relationship.id === CHILDREN && hasTree(object)) return [];
    return isListed(relationship, other) ? [{ place: recordPlace, relationship, other }] : [];
  });
}

/** The linked records on a page. */
const LINKED_ROWS = 10;

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

function readLinked(
  { client }: WorkspaceClient,
  linked: Linked,
  { fields, cursor, signal }: LinkedRequest,
): Promise<Page<RecordData>> {
  const expand = expandable(fields).map(({ key }) => key);
  return askTogether(
    client,
    {
      ...questionOf(linked),
      ...(fields.length === 0 ? {} : { fields: fields.map(({ key }) => key) }),
      ...(expand.length === 0 ? {} : { expand }),
      ...(cursor === undefined ? {} : { cursor }),
      limit: LINKED_ROWS,
    },
    signal,
  );
}

function questionOf({ place: { type, id }, relationship, other }: Linked) {
  const linked_to = { object_type: type, record_id: id, association_id: relationship.id };
  return { object_type: other.object_type, linked_to };
}

/** Milliseconds. */
const SHOWN_SOON = 10_000;

/** The most rows in the section of a relationship before a person opens it. */
const FIRST_ROWS = 8;

export interface LinkedStart {
  readonly rows: readonly RecordData[];
  readonly count: number;
  /** True: there are more records than were counted. */
  readonly isMore: boolean;
}

/** The newest ones and the number of all; those of all relationships of a record are one request. */
export function linkedStartQuery({ workspace, client }: WorkspaceClient, linked: Linked) {
  const { place, relationship } = linked;
  return queryOptions({
    queryKey: [workspace, place.type, 'linked', place.id, relationship.id, 'start'],
    queryFn: async ({ signal }): Promise<LinkedStart> => {
      const asked = { ...questionOf(linked), count: 'exact' as const, limit: FIRST_ROWS };
      const { data, count } = await askTogether(client, asked, signal);
      const { value = data.length, relation = 'exact' } = count ?? {};
      return { rows: data, count: value, isMore: relation === 'at_least' };
    },
    // Requested with the record, before its page shows them.
    staleTime: SHOWN_SOON,
  });
}

/** A date of the newest ones by their ids; of all relationships of a record in one request. */
export function linkedDatesQuery(
  { workspace, client }: WorkspaceClient,
  linked: Linked,
  { key }: Pick<Field, 'key'>,
) {
  const { place, relationship } = linked;
  return queryOptions({
    queryKey: [workspace, place.type, 'linked', place.id, relationship.id, 'dates', key],
    queryFn: async ({ signal }) => {
      const asked = { ...questionOf(linked), fields: [key], limit: FIRST_ROWS };
      const { data } = await askTogether(client, asked, signal);
      return new Map(data.map(({ id, fields }) => [id, fields?.[key]]));
    },
    staleTime: SHOWN_SOON,
  });
}

/** The name of a relationship in a heading: the other object, with more words where that is ambiguous. */
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
  /** All relationships of the record. */
  readonly all: readonly Relationship[];
}
