// The consequences of deleting a record, as far as the person may know them, counted when the dialog opens.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  ObjectDefinition,
  ObjectSummary,
  RecordData,
  Relationship,
} from '@workspace-records/client';
import { hasComments } from '../../lib/comments.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { isListed, referringField, relationshipsOf } from '../../lib/relationships.ts';
import { countedName, objectQuery, useObjects } from '../../lib/schema-queries.ts';
import { type Session, useSession } from '../../lib/session.ts';

export interface Consequence {
  readonly key: string;
  readonly text: string;
  readonly count: number;
  /** True: it is why the record cannot be deleted. */
  readonly isObstacle: boolean;
}

const NONE: readonly Consequence[] = [];
/** The most links or comments that are counted. */
const MOST_COUNTED = 100;

export function useConsequences(object: ObjectDefinition, record: RecordData) {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  const objects = useObjects();
  const { object_type: type, id } = record;
  const { data, isPending, error } = useQuery({
    queryKey: [session.workspace, type, 'consequences', id],
    queryFn: async () => {
      const place = { type, id };
      const definitionOf = (other: string) => queries.fetchQuery(objectQuery(session, other));
      const counting = { session, place, t, definitionOf };
      const relationshipCounts = relationshipsOf(object)
        .filter(({ source_field }) => source_field === null)
        .flatMap((relationship) => {
          const other = objects.find(({ object_type }) => object_type === relationship.object_type);
          if (other === undefined || !isListed(relationship, other)) return [];
          return [countOf(counting, relationship, other)];
        });
      const comments = hasComments(object) ? [commentsOf(counting)] : [];
      const counted = await Promise.all([...relationshipCounts, ...comments]);
      return counted.filter(({ count }) => count > 0);
    },
    // The counts of an earlier dialog may be stale.
    gcTime: 0,
    staleTime: 0,
  });
  return { consequences: data ?? NONE, isPending, error };
}

interface Counting {
  readonly session: Session;
  readonly place: { readonly type: string; readonly id: string };
  readonly t: Translate;
  definitionOf(type: string): Promise<ObjectDefinition>;
}

async function countOf(
  counting: Counting,
  relationship: Relationship,
  other: ObjectSummary,
): Promise<Consequence> {
  const { session, place: recordPlace, t } = counting;
  const key = relationship.id;
  const field = referringField(relationship);
  if (field === undefined) {
    const { data, pagination } = await session.client
      .records(recordPlace.type)
      .linked(recordPlace.id, key, { limit: MOST_COUNTED });
    const shown = pagination.has_more ? `${data.length}+` : String(data.length);
    const text = t('delete.links', { shown, name: countedName(other, 2) });
    return { key, text, count: data.length, isObstacle: false };
  }
  const [{ fields }, groups] = await Promise.all([
    counting.definitionOf(other.object_type),
    session.client.records(other.object_type).aggregate({
      filters: { [field]: { eq: recordPlace.id } },
      metrics: [{ name: 'records', op: 'count' }],
    }),
  ]);
  const count = Number(groups.data[0]?.records ?? 0);
  const reference = fields.find((one) => one.key === field);
  const isObstacle = reference?.constraints?.on_delete === 'restrict' || isChild(relationship);
  const name = countedName(other, count);
  // This definition lacks the name of a field that only some types of work items have.
  const lost = { count, name, field: reference?.name ?? t('delete.reference') };
  const text = isObstacle ? t('delete.needed', { count, name }) : t('delete.cleared', lost);
  return { key, text, count, isObstacle };
}

/** True for the children of a work item, which cannot be deleted while it has any. */
function isChild({ id }: Relationship): boolean {
  return id === 'inv.work_items.parent_work_item_id';
}

async function commentsOf({ session, place, t }: Counting): Promise<Consequence> {
  const comments = session.client.records(place.type).comments(place.id);
  const { data, pagination } = await comments.list({ limit: MOST_COUNTED });
  const shown = pagination.has_more ? `${data.length}+` : String(data.length);
  const text = t('delete.comments', { shown });
  return { key: 'comments', text, count: data.length, isObstacle: false };
}
