// Everything about one record: its values, comments, history and links, as far as the caller may read them now. Each part
// is read by pages like those of its own list, and ends at a bound (docs/design/erasure.md).

import { LIMITS } from '../../../limits.ts';
import type { ObjectModel, Relationship } from '../../../model/definition/model.ts';
import { reachOf } from '../../../model/rights/access.ts';
import { canReadLinked, visibleRelationships } from '../../../plan/read/linked-plan.ts';
import type { ReadPlan } from '../../../plan/read/read-plan.ts';
import type { Row } from '../../../postgres/db.ts';
import { readComments } from '../comment-flow.ts';
import { type HistoryRow, readHistory } from './history-flow.ts';
import { readLinked, readRecord } from './read-flow.ts';
import type { ReadContext } from './read-statement.ts';

/** The first items of a list. */
export interface BundlePart<Item> {
  readonly items: readonly Item[];
  /** The list has others. */
  readonly has_more: boolean;
}

export interface Bundle {
  readonly plan: ReadPlan;
  readonly row: Row;
  /** Null: the object has none, or the caller may not read them. */
  readonly comments: BundlePart<Row> | null;
  readonly history: BundlePart<HistoryRow> | null;
  readonly links: readonly LinkedPart[];
}

export interface LinkedPart extends BundlePart<Row> {
  readonly relationship: Relationship;
  readonly plan: ReadPlan;
}

/** Items and bytes that there is room for. */
interface Room {
  items: number;
  bytes: number;
}

/** Errors: `record_not_found`. */
export async function readBundle(
  request: ReadContext,
  object: ObjectModel,
  id: string,
): Promise<Bundle> {
  const context = { ...request, isHeavy: true };
  const { model, caller } = context;
  const { plan, row } = await readRecord(context, object, { id, fields: undefined });
  const room: Room = { items: LIMITS.bundleItems, bytes: LIMITS.bundleBytes };
  const comments =
    object.commentable && caller.scopes.has('comments:read')
      ? await readPart(room, (limit, cursor) =>
          readComments(context, object, { id, limit, cursor, order: 'desc' }),
        )
      : null;
  const history =
    object.history === null
      ? null
      : await readPart(room, (limit, cursor) =>
          readHistory(context, object, { id, field: undefined, limit, cursor }),
        );
  const links: LinkedPart[] = [];
  for (const relationship of visibleRelationships(model, caller, object)) {
    const other = model.objects.get(relationship.object_type) as ObjectModel;
    const isRead = reachOf(caller, other, 'read') !== null;
    if (!isRead || !canReadLinked(caller, object, other, relationship)) continue;
    links.push(await readLinks(context, { object, id, relationship, room }));
  }
  return { plan, row, comments, history, links };
}

interface Linked {
  readonly object: ObjectModel;
  readonly id: string;
  readonly relationship: Relationship;
  readonly room: Room;
}

async function readLinks(
  context: ReadContext,
  { object, id, relationship, room }: Linked,
): Promise<LinkedPart> {
  const asked = { association_id: relationship.id, id, expand: [] };
  let plan: ReadPlan | undefined;
  const part = await readPart(room, async (limit, cursor) => {
    const page = await readLinked(context, object, { ...asked, limit, cursor });
    plan = page.plan;
    return page;
  });
  return { ...part, relationship, plan: plan as ReadPlan };
}

const PAGE = LIMITS.pageSize.maximum;

/** Reads pages while there is room for another item; one page is always read. */
async function readPart<Item>(
  room: Room,
  readPage: (
    limit: number,
    cursor: string | undefined,
  ) => Promise<{ readonly rows: readonly Item[]; readonly next_cursor: string | null }>,
): Promise<BundlePart<Item>> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const limit = Math.max(1, Math.min(PAGE, room.items));
    const { rows, next_cursor } = await readPage(limit, cursor);
    items.push(...rows);
    room.items -= rows.length;
    room.bytes -= Buffer.byteLength(JSON.stringify(rows));
    const hasRoom = room.items > 0 && room.bytes > 0;
    if (next_cursor === null || !hasRoom) return { items, has_more: next_cursor !== null };
    cursor = next_cursor;
  }
}
