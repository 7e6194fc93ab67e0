// The shown fields of linked records: the first columns of the default view of their object, else of its list.

import { useQuery } from '@tanstack/react-query';
import type { Field, ObjectDefinition, View } from '@workspace-records/client';
import { useMemo } from 'react';
import { kindOf } from '../../fields/kinds.ts';
import { isShort } from '../../lib/field-facts.ts';
import { columnsOf } from '../../lib/list-columns.ts';
import { type Linked, referringField } from '../../lib/relationships.ts';
import { stateOfView, viewsQuery } from '../../lib/saved-views.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

/** The most fields in addition to the name: more are not readable next to the comments of a record. */
const MOST = 3;

/** Undefined until they are needed and known. */
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

/** The field that leads to the record itself is redundant on its page. */
function fieldsOf(
  object: ObjectDefinition,
  views: readonly View[],
  back: string | undefined,
): readonly Field[] {
  const view = views.find(({ is_default }) => is_default);
  const wished = view && stateOfView(view, object.fields).fields;
  const possible = columnsOf(object, wished).filter(
    (field) => field.key !== back && field.key !== object.display_field && isShort(field),
  );
  const inOrder = wished === undefined ? possible.toSorted(bySaying) : possible;
  return inOrder.slice(0, MOST);
}

/** The status, then types that say much in few letters; others come in the order of the definition. */
function bySaying(one: Field, other: Field): number {
  const rank = (field: Field) =>
    field.key === 'status' ? -1 : (kindOf(field).firstOn?.linked ?? Number.MAX_SAFE_INTEGER);
  return rank(one) - rank(other);
}
