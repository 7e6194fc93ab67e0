// The person's own open records. The definition, read once, decides which statuses count as open, which date is due, and
// which references say what a record belongs to.

import { queryOptions } from '@tanstack/react-query';
import { LIMITS, type Tint } from '@workspace-records/client';
import { askTogether } from './ask-together.ts';
import { plainDefinition } from './definition-text.ts';
import { DUE } from './due.ts';
import { isOfRecord, isOfTime } from './field-facts.ts';
import { WORK_ITEMS } from './schema-queries.ts';
import type { Session, WorkspaceClient } from './session.ts';
import { statusTint } from './tints.ts';

interface DefinedField {
  readonly name?: string;
  readonly type?: string;
  readonly storage?: string;
}

interface DefinedObject {
  readonly workflow?: string;
  readonly owned?: boolean;
  readonly listed?: boolean;
  readonly fields?: Readonly<Record<string, DefinedField>>;
}

interface DefinedStatus {
  readonly name?: string;
  readonly category?: string;
  readonly color?: string;
  readonly transitions?: readonly unknown[];
}

export interface Definition {
  readonly objects?: Readonly<Record<string, DefinedObject>>;
  readonly work_item_types?: Readonly<Record<string, { readonly workflow?: string }>>;
  readonly workflows?: Readonly<Record<string, DefinedWorkflow>>;
}

interface DefinedWorkflow {
  readonly initial?: string;
  readonly statuses: Readonly<Record<string, DefinedStatus>>;
}

export interface ShownStatus {
  readonly name: string;
  readonly tint: Tint;
}

/** An object whose records have owners and a workflow. */
export interface OpenObject {
  readonly type: string;
  /** The statuses that are not final. */
  readonly statuses: readonly string[];
  /** The statuses by id. */
  readonly shown: Readonly<Record<string, ShownStatus>>;
  /** The key of the date on which a record is due. */
  readonly due: string | undefined;
  /** The keys of the references that say what a record belongs to. */
  readonly about: readonly string[];
}

const SETTLED = 300_000;
const MOST = 6;
/** Objects whose records are asked for: two requests. */
const MOST_OBJECTS = 2 * LIMITS.questions;
/** References whose names come along. */
const MOST_ABOUT = LIMITS.expandedReferences - 1;

export function openObjectsQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'definition', 'open objects'],
    queryFn: async ({ signal }) => {
      const { document } = plainDefinition(await client.definition.get({}, { signal }));
      return openObjectsOf((document ?? {}) as Definition);
    },
    staleTime: SETTLED,
  });
}

export function openObjectsOf(definition: Definition): readonly OpenObject[] {
  const { objects = {}, work_item_types = {} } = definition;
  const owned = Object.entries(objects)
    .filter(([type, { owned }]) => owned !== false && type !== WORK_ITEMS)
    .toSorted(([, one], [, other]) => Number(isUnlisted(one)) - Number(isUnlisted(other)));
  const ofWorkItems = Object.values(work_item_types).map(({ workflow = '' }) => workflow);
  return [
    openObjectOf(definition, WORK_ITEMS, [...new Set(ofWorkItems)]),
    ...owned.map(([type, { workflow = '' }]) => openObjectOf(definition, type, [workflow])),
  ]
    .filter(({ statuses }) => statuses.length > 0)
    .slice(0, MOST_OBJECTS);
}

function isUnlisted({ listed }: DefinedObject): boolean {
  return listed === false;
}

function openObjectOf(
  { objects = {}, workflows = {} }: Definition,
  type: string,
  of: readonly string[],
): OpenObject {
  const used = of.flatMap((id) => workflows[id] ?? []);
  const known = used.map(({ statuses }) => statuses);
  const open = used.flatMap(({ initial, statuses }) =>
    Object.entries(statuses).filter(([id, status]) => isOpen(status, id === initial)),
  );
  const statusEntries = known.flatMap((statuses) =>
    Object.entries(statuses).map(([id, { name, color }], position) => {
      const tint = statusTint(color, position);
      return [id, { name: name ?? id, tint }] as const;
    }),
  );
  const fields = Object.entries(objects[type]?.fields ?? {}).filter(
    ([, { storage }]) => storage !== 'jsonb',
  );
  return {
    type,
    statuses: [...new Set(open.map(([id]) => id))],
    // The first workflow that has a status names it.
    shown: Object.fromEntries(statusEntries.toReversed()),
    due: dueOf(fields),
    about: fields
      .filter(([, field]) => isOfRecord({ type: field.type ?? '' }))
      .map(([key]) => key)
      .slice(0, MOST_ABOUT),
  };
}

const OVER: ReadonlySet<unknown> = new Set(['done', 'cancelled']);

/** A status without a category is open if records begin in it, or can leave it. */
function isOpen({ category, transitions = [] }: DefinedStatus, isInitial: boolean): boolean {
  return category === undefined ? isInitial || transitions.length > 0 : !OVER.has(category);
}

/** Patterns of names of due dates in English and German, the most certain first. */
const ENDS = [...DUE, /end|until|live|ende|bis/i];

function dueOf(fields: readonly (readonly [string, DefinedField])[]): string | undefined {
  const dates = fields.filter(([, { type = '' }]) => isOfTime({ type }));
  for (const words of ENDS) {
    const found = dates.find(([key, { name = '' }]) => words.test(key) || words.test(name));
    if (found !== undefined) return found[0];
  }
  return undefined;
}

/** The open records of the person, the ones due first; without due dates, the ones changed last. */
export function myOpenQuery({ workspace, client, me }: Session, object: OpenObject) {
  const { type, statuses } = object;
  const filters = { owner_user_id: { eq: me.user.id }, status: { in: statuses } };
  return queryOptions({
    queryKey: [workspace, type, 'mine', me.user.id],
    queryFn: ({ signal }) =>
      askTogether(client, { ...questionOf(object), filters, count: 'exact' }, signal),
  });
}

function questionOf({ type, due, about }: OpenObject) {
  const order =
    due === undefined
      ? { field: 'updated_at', direction: 'desc' as const }
      : { field: due, direction: 'asc' as const };
  return {
    object_type: type,
    sort: [order],
    limit: MOST,
    ...(due === undefined && about.length === 0
      ? {}
      : { fields: [...(due === undefined ? [] : [due]), ...about] }),
    ...(about.length === 0 ? {} : { expand: about }),
  };
}

/** The first of these objects that has records; some objects at once. Null: none has any. */
export function firstFilledQuery({ workspace, client }: WorkspaceClient, types: readonly string[]) {
  return queryOptions({
    queryKey: [workspace, 'first filled'],
    queryFn: async ({ signal }) => {
      for (let from = 0; from < types.length; from += LIMITS.questions) {
        const some = types.slice(from, from + LIMITS.questions);
        const asked = some.map((object_type) => ({ object_type, limit: 1 }));
        const pages = await client.query(asked, { signal });
        const found = some.find((_, at) => (pages[at]?.data.length ?? 0) > 0);
        if (found !== undefined) return found;
      }
      return null;
    },
  });
}
