// The records that a list matches, all of them, as the condition of one bulk change. Pure.

import type { Field, ObjectDefinition, Where } from '@workspace-records/client';
import { SHORTEST_PART } from '../../../lib/list-search.ts';
import { OWNER_KEY } from '../../../lib/schema-queries.ts';
import { treeOf } from '../../../lib/where.ts';

/** The search text and the filters of the list. */
export interface MatchingQuestion {
  readonly q: string;
  readonly where: readonly Where[];
}

/** Every record has an id; the service refuses a change without a condition. */
const EVERY: Where = { field: 'id', op: 'is_null', value: false };

/** Undefined: the service has no condition for the search of the list. */
export function matchingParts(
  { display_field }: Pick<ObjectDefinition, 'display_field'>,
  { q, where }: MatchingQuestion,
): readonly Where[] | undefined {
  if (q === '') return where;
  if (display_field === null || [...q].length < SHORTEST_PART) return undefined;
  return [...where, { field: display_field, op: 'contains', value: q }];
}

/** One condition of all parts. */
export function bulkWhere(parts: readonly Where[]): Where {
  return treeOf(parts) ?? EVERY;
}

type Rights = Pick<ObjectDefinition, 'permissions' | 'capabilities' | 'fields'>;

/** Conditions for the records that the person may change; undefined: none of them. */
export function reachOf(
  { permissions, capabilities }: Rights,
  act: 'update' | 'delete',
): readonly Where[] | undefined {
  const { allowed, scopes } = permissions[act];
  if (!capabilities[act] || !allowed) return undefined;
  if (scopes.includes('org_wide')) return [];
  if (scopes.includes('owned_by_team'))
    return [{ field: OWNER_KEY, op: 'in', value: { my_teams: true } }];
  return [{ field: OWNER_KEY, op: 'eq', value: { me: true } }];
}

/** The counts of the job, which runs longer than any request. */
export interface BulkCounts {
  readonly changed: number;
  readonly refused: number;
}

export function countsOf(counts: Readonly<Record<string, number>>): BulkCounts {
  const { changed = 0, unchanged = 0, refused = 0 } = counts;
  // A record that has the value already is as the person wants it.
  return { changed: changed + unchanged, refused };
}

/** The name of the field that a problem of the job is about. */
export function fieldNameOf(fields: readonly Field[], key: string): string | undefined {
  const bare = key.replace(/^(?:fields\.)?(?:custom_fields\.)?/, '');
  return fields.find((field) => field.key === bare)?.name ?? undefined;
}
