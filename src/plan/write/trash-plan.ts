// The decisions behind the trash of an object: who may see it, which of its records a page shows, and in which form
// (docs/design/trash.md). Rights are those of now, over the person whom a record belonged to when it was deleted. Pure.

import { ApiError, errorFromProblems, type Problems } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, lacksScope, objectAccess, reachOf } from '../../model/rights/access.ts';
import type { Row } from '../../model/values/row.ts';
import { encodeCursor } from '../read/cursor.ts';
import {
  ownBinding,
  planGet,
  planSelection,
  type ReachPredicate,
  type ReadPlan,
  reachPredicate,
  requireObject,
  startAfter,
} from '../read/read-plan.ts';
import { recordQuery } from '../read/record-query.ts';

/** An object that keeps deleted records, and those of them that the caller may see. */
export interface TrashScope {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly object: ObjectModel;
  /** Both hold. */
  readonly reaches: readonly ReachPredicate[];
}

export interface TrashRequest {
  readonly q: string | undefined;
  readonly deleted_by: number | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface TrashPagePlan extends Omit<TrashRequest, 'q' | 'cursor'> {
  readonly shown: ReadPlan;
  readonly reaches: readonly ReachPredicate[];
  readonly text: ReadPlan['text'];
  readonly after: ReadPlan['after'];
  readonly binding: string;
}

/**
 * The trash of an object. Its records are for people who may delete them, and read them. Errors: `object_not_available`,
 * `permission_denied`, `insufficient_scope`, `write_not_supported` when the object has no trash.
 */
export function requireTrash(
  model: WorkspaceModel,
  caller: Caller,
  objectType: string,
): TrashScope {
  const object = requireObject(model, caller, objectType);
  const { read, delete: remove } = objectAccess(caller, object).reach;
  if (remove === null) {
    const message = say('may_not_act_on', { action: 'delete', object: object.name });
    throw new ApiError('permission_denied', { message });
  }
  if (reachOf(caller, object, 'delete') === null) throw lacksScope(['records:delete']);
  if (object.trash === null) {
    const message = say('trash_not_kept', { object: object.name });
    throw new ApiError('write_not_supported', { message });
  }
  const reaches = [read, remove].map((reach) => reachPredicate(caller, object, reach));
  return { model, caller, object, reaches };
}

/** Plan one page. Errors: `invalid_cursor`, and those of a text in the display field. */
export function planTrashPage(
  { model, caller, object, reaches }: TrashScope,
  { q, deleted_by, limit, cursor }: TrashRequest,
): TrashPagePlan {
  const problems: Problems = [];
  const text = q === undefined || q === '' ? null : { param: 'q', value: q };
  const selected = planSelection({ model, caller, object }, recordQuery({ text }), problems);
  if (problems.length > 0) throw errorFromProblems(problems);
  const binding = JSON.stringify([
    ['deleted', object.object_type],
    text?.value ?? null,
    deleted_by ?? null,
  ]);
  return {
    shown: planGet(model, caller, object, { ids: [], fields: [] }),
    reaches,
    text: selected.text,
    deleted_by,
    limit,
    after: startAfter(model, caller, binding, cursor),
    binding,
  };
}

export function cursorAfterDeleted(
  { model, caller }: TrashScope,
  { binding }: TrashPagePlan,
  { _deleted_at, id }: Row,
): string {
  const values = [String(_deleted_at), String(id)];
  return encodeCursor(model.cursor_secret, ownBinding(model, caller, binding), values);
}
