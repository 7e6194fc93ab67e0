// The choices that some objects offer: their fields and relationships, and the statuses of their workflows. A chosen one
// that no longer exists stays, so that people can remove it.

import { useQueries } from '@tanstack/react-query';
import type { ObjectDefinition } from '@workspace-records/client';
import { workflowReferencesOf } from '../../editing/status-moves.ts';
import type { Choosable } from '../../fields/choices.tsx';
import { offeredFields } from '../../lib/field-order.ts';
import { linkedName, relationshipsOf } from '../../lib/relationships.ts';
import { objectQuery, useObjects, workflowQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

/** The definitions of the chosen objects, without the ones that are not loaded yet. */
export function useChosenObjects(types: readonly string[]): readonly ObjectDefinition[] {
  const session = useSession();
  return useQueries({
    queries: types.map((type) => objectQuery(session, type)),
    combine: loaded,
  });
}

/** The loaded data. One function for all calls: another function would give another answer. */
function loaded<Data>(results: readonly { readonly data: Data | undefined }[]): readonly Data[] {
  return results.flatMap(({ data }) => (data === undefined ? [] : [data]));
}

/** The fields that never change, or change with every write. */
const SET_BY_SERVICE: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

export function useOfferedFields(
  objects: readonly ObjectDefinition[],
  chosen: readonly string[],
): readonly Choosable[] {
  const all = useObjects();
  const objectFields = objects.flatMap((object) => {
    const relationships = relationshipsOf(object);
    return [
      ...offeredFields(object)
        .filter(({ key }) => !SET_BY_SERVICE.has(key))
        .map(({ key, name }) => [key, name ?? key] as const),
      ...relationships.map((one) => {
        const other = all.find(({ object_type }) => object_type === one.object_type);
        return [one.id, linkedName(one, { object, other, all: relationships })] as const;
      }),
    ];
  });
  return choosable(objectFields, chosen);
}

export function useOfferedStatuses(
  objects: readonly ObjectDefinition[],
  chosen: readonly string[],
): readonly Choosable[] {
  const session = useSession();
  const ids = new Set(objects.flatMap(workflowReferencesOf).map(({ id }) => id));
  const workflows = useQueries({
    queries: [...ids].map((id) => workflowQuery(session, id)),
    combine: loaded,
  });
  const named = workflows.flatMap(({ statuses }) =>
    statuses.map(({ id, name }) => [id, name ?? id] as const),
  );
  return choosable(named, chosen);
}

/** Keys that several objects have are one choice. */
function choosable(
  named: readonly (readonly [key: string, label: string])[],
  chosen: readonly string[],
): readonly Choosable[] {
  const labels = new Map(named.toReversed());
  const gone = chosen.filter((key) => !labels.has(key));
  const keys = [...new Set([...named.map(([key]) => key), ...gone])];
  return keys.map((value) => ({ value, label: labels.get(value) ?? value }));
}
