// What is shown of linked records: the first columns of the view of their object that opens by itself, else of its list.

import { useQuery } from '@tanstack/react-query';
import type { Field, ObjectDefinition, View } from '@workspace-records/client';
import { useMemo } from 'react';
import { columnsOf } from '../../lib/list-columns.ts';
import { type Linked, referringField } from '../../lib/relationships.ts';
import { stateOfView, viewsQuery } from '../../lib/saved-views.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

/** Beside the name: more are not readable beside the comments of a record. */
const MOST = 3;
/** What stands on several lines is no column here. */
const TOO_LONG: ReadonlySet<string> = new Set(['long_text', 'json', 'multi_select']);

/** Undefined until they are wanted and known. */
export function useLinkedFields(linked: Linked, isWanted: boolean): readonly Field[] | undefined {
  const session = useSession();
  const { object_type: type } = linked.other;
  const { data: object } = useQuery({ ...objectQuery(session, type), enabled: isWanted });
  const views = useQuery({ ...viewsQuery(session, type), enabled: isWanted });
  return useMemo(
    () =>
      object === undefined || views.isPending
        ? undefined
        : fieldsOf(object, views.data ?? [], referringField(linked.relationship)),
    [object, views.isPending, views.data, linked.relationship],
  );
}

/** The field that leads to the record itself says nothing on its page. */
function fieldsOf(
  object: ObjectDefinition,
  views: readonly View[],
  back: string | undefined,
): readonly Field[] {
  const view = views.find(({ is_default }) => is_default);
  const wished = view && stateOfView(view, object.fields).fields;
  return columnsOf(object, wished)
    .filter(({ key, type }) => key !== back && key !== object.display_field && !TOO_LONG.has(type))
    .slice(0, MOST);
}
