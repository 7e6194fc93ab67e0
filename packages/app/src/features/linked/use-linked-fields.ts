// The shown fields of linked records: the first columns of the default view of their object, else of its list.

import { useQuery } from '@tanstack/react-query';
import type { Field, ObjectDefinition, View } from '@workspace-records/client';
import { useMemo } from 'react';
import { columnsOf } from '../../lib/list-columns.ts';
import { type Linked, referringField } from '../../lib/relationships.ts';
import { stateOfView, viewsQuery } from '../../lib/saved-views.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';

/** The most fields in addition to the name: more are not readable next to the comments of a record. */
const MOST = 3;
/** Values of several lines are not a column here. */
const TOO_LONG: ReadonlySet<string> = new Set(['long_text', 'json', 'multi_select']);

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
    ({ key, type }) => key !== back && key !== object.display_field && !TOO_LONG.has(type),
  );
  const inOrder = wished === undefined ? possible.toSorted(bySaying) : possible;
  return inOrder.slice(0, MOST);
}

/** Types of fields, the ones that say most in few letters first; other types follow in the order of the definition. */
const FIRST_TYPES = ['currency', 'date', 'reference', 'datetime', 'email', 'phone', 'user'];

function bySaying(one: Field, other: Field): number {
  const rank = ({ key, type }: Field) => {
    const at = FIRST_TYPES.indexOf(type);
    return key === 'status' ? -1 : at < 0 ? FIRST_TYPES.length : at;
  };
  return rank(one) - rank(other);
}
