// The person's own open records: the definition, read once, decides which statuses count as open.

import { queryOptions } from '@tanstack/react-query';
import { askTogether, MOST_TOGETHER } from './ask-together.ts';
import { WORK_ITEMS } from './schema-queries.ts';
import type { Session, WorkspaceClient } from './session.ts';

interface DefinedObject {
  readonly workflow?: string;
  readonly owned?: boolean;
}

interface DefinedWorkflow {
  readonly statuses: Readonly<Record<string, { readonly transitions?: readonly unknown[] }>>;
}

interface Definition {
  readonly objects?: Readonly<Record<string, DefinedObject>>;
  readonly work_item_types?: Readonly<Record<string, DefinedObject>>;
  readonly workflows?: Readonly<Record<string, DefinedWorkflow>>;
}

export interface OpenStatuses {
  readonly type: string;
  readonly statuses: readonly string[];
}

const SETTLED = 300_000;
const MOST = 5;
const LATEST_CHANGE = [{ field: 'updated_at', direction: 'desc' as const }];

/** Of each object whose records have owners and a workflow, the statuses that are not final. */
export function openStatusesQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'definition', 'open statuses'],
    queryFn: async ({ signal }) => {
      const { document } = await client.definition.get({}, { signal });
      return openStatusesOf((document ?? {}) as Definition);
    },
    staleTime: SETTLED,
  });
}

export function openStatusesOf({
  objects = {},
  work_item_types = {},
  workflows = {},
}: Definition): readonly OpenStatuses[] {
  const statusesOf = (names: readonly (string | undefined)[]) => {
    const statuses = names.flatMap((name) => Object.entries(workflows[name ?? '']?.statuses ?? {}));
    const open = statuses.filter(([, { transitions = [] }]) => transitions.length > 0);
    return [...new Set(open.map(([id]) => id))];
  };
  const owned = Object.entries(objects).filter(
    ([type, { owned }]) => owned !== false && type !== WORK_ITEMS,
  );
  return [
    {
      type: WORK_ITEMS,
      statuses: statusesOf(Object.values(work_item_types).map(({ workflow }) => workflow)),
    },
    ...owned.map(([type, { workflow }]) => ({ type, statuses: statusesOf([workflow]) })),
  ].filter(({ statuses }) => statuses.length > 0);
}

/** The ones that were changed last. */
export function myOpenQuery({ workspace, client, me }: Session, { type, statuses }: OpenStatuses) {
  const filters = { owner_user_id: { eq: me.user.id }, status: { in: statuses } };
  return queryOptions({
    queryKey: [workspace, type, 'mine', me.user.id],
    queryFn: ({ signal }) =>
      askTogether(client, { object_type: type, filters, sort: LATEST_CHANGE, limit: MOST }, signal),
  });
}

/** Whether any object has a record; some objects at once, until one has. */
export function isEmptyQuery({ workspace, client }: WorkspaceClient, types: readonly string[]) {
  return queryOptions({
    queryKey: [workspace, 'is empty'],
    queryFn: async ({ signal }) => {
      for (let from = 0; from < types.length; from += MOST_TOGETHER) {
        const some = types.slice(from, from + MOST_TOGETHER);
        const asked = some.map((object_type) => ({ object_type, limit: 1 }));
        const pages = await client.query(asked, { signal });
        if (pages.some(({ data }) => data.length > 0)) return false;
      }
      return true;
    },
  });
}
