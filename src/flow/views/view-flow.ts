// Views: questions that people keep and share (docs/decisions.md, D290). The statements of control/stored/view-rows.ts
// decide who sees one, plan/read/view-plan.ts decides what it may hold and who may change it.

import { uuidv7 } from 'uuidv7';
import { lockLimitsOf } from '../../control/people/people.ts';
import {
  appendView,
  countViews,
  deleteViewById,
  loadView,
  loadViewIds,
  loadViews,
  loadViewsById,
  lockView,
  type PlacedView,
  putView,
  putViewOrder,
  type ViewOrder,
  type ViewPage,
  type ViewReader,
} from '../../control/stored/view-rows.ts';
import {
  type AskedByCaller,
  administer,
  administrationOf,
} from '../../control/workspace/administer.ts';
import { subjectEvent } from '../../control/workspace/administrative-audit.ts';
import { ApiError, errorFromProblems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { Caller } from '../../model/rights/access.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { planCopy } from '../../plan/read/shown-view.ts';
import {
  type NewView,
  planNewView,
  planViewChange,
  requireViewChange,
  type ViewPatch,
  type ViewScope,
  viewableObjects,
} from '../../plan/read/view-plan.ts';
import { isMet, type Precondition } from '../../plan/write/precondition.ts';
import type { Queryable } from '../../postgres/db.ts';

export interface ViewQuestion extends ViewScope, AskedByCaller {}

/** Views the caller sees after a place: of one object, or of all. Errors: `object_not_available`. */
export function listViews(
  { db, model, caller }: ViewQuestion,
  objectType: string | undefined,
  page: ViewPage,
): Promise<readonly PlacedView[]> {
  const objects =
    objectType === undefined
      ? viewableObjects(model, caller)
      : [requireObject(model, caller, objectType).object_type];
  return loadViews(db, model.schema, readerOf(caller, objects), page);
}

/** One of the views the caller sees. Errors: `record_not_found`. */
export function getView({ db, model, caller }: ViewQuestion, id: string): Promise<PlacedView> {
  return requireView(db, { model, caller }, id);
}

/** Reports among the views of these ids that the caller sees. */
export async function listReports(
  { db, model, caller }: ViewQuestion,
  ids: readonly string[],
): Promise<readonly PlacedView[]> {
  if (ids.length === 0) return [];
  const reader = readerOf(caller, viewableObjects(model, caller));
  const views = await loadViewsById(db, model.schema, reader, ids);
  return views.filter(({ kind }) => kind === 'report');
}

/** Keep a question. Errors: those of the question, `conflict` when there are too many. */
export function createView(asked: ViewQuestion, view: NewView): Promise<PlacedView> {
  const { model } = asked;
  const planned = planNewView(asked, view);
  const id = uuidv7();
  return administer(administrationOf(asked), async (tx) => {
    const { object_type, owner_user_id } = planned;
    await lockLimitsOf(tx, model.workspace.id, owner_user_id);
    const owned = await countViews(tx, model.schema, owner_user_id, object_type);
    if (owned >= LIMITS.viewsOfOwner) throw tooManyViews();
    await appendView(tx, model.schema, id, planned);
    const changed_fields = ['object_type', 'name', 'kind', 'shared', 'query'];
    const events = [{ ...subjectEvent('view', id, 'create'), changed_fields }];
    return { result: await requireView(tx, asked, id), events };
  });
}

/** Keep the part of a view that the caller may see as their own. Errors: `record_not_found`, those of `createView`. */
export async function copyView(
  asked: ViewQuestion,
  id: string,
  name?: string,
): Promise<PlacedView> {
  const view = await requireView(asked.db, asked, id);
  return createView(asked, planCopy(asked, view, name));
}

/**
 * Change a view. Errors: those of the question, `record_not_found`, `permission_denied` for views of others,
 * `stale_record`.
 */
export function changeView(
  asked: ViewQuestion,
  id: string,
  patch: ViewPatch,
  precondition: Precondition | undefined,
): Promise<PlacedView> {
  const { model, caller } = asked;
  return administer(administrationOf(asked), async (tx) => {
    const before = await requireView(tx, asked, id, lockView);
    requireViewChange(caller, before);
    if (!isMet(precondition, { ...before })) throw new ApiError('stale_record');
    const { after, changed_fields } = planViewChange(asked, before, patch);
    if (changed_fields.length === 0) return { result: before, events: [] };
    await putView(tx, model.schema, before.id, after);
    const events = [{ ...subjectEvent('view', before.id, 'update'), changed_fields }];
    // An administrator who makes another person's view private no longer sees it.
    const unseen = { ...before, ...after, version: before.version + 1 };
    return { result: (await findView(tx, asked, id)) ?? unseen, events };
  });
}

/** Delete a view; answers its id. Errors: `record_not_found`, `permission_denied` for views of others. */
export function deleteView(asked: ViewQuestion, id: string): Promise<string> {
  const { model, caller } = asked;
  return administer(administrationOf(asked), async (tx) => {
    const view = await requireView(tx, asked, id, lockView);
    requireViewChange(caller, view);
    await deleteViewById(tx, model.schema, view.id);
    return { result: view.id, events: [subjectEvent('view', view.id, 'delete')] };
  });
}

/**
 * The order in which the caller has the views of an object, and the one that opens first. Errors:
 * `object_not_available`, `invalid_write` for views that the caller does not see.
 */
export async function orderViews(
  { db, model, caller }: ViewQuestion,
  order: ViewOrder,
): Promise<ViewOrder> {
  const object = requireObject(model, caller, order.object_type);
  const canonical = (id: string) => parseRecordId(id) ?? id;
  const view_ids = order.view_ids.map(canonical);
  const first = order.default_view_id;
  const default_view_id = first === null ? null : canonical(first);
  const favorite_view_ids = order.favorite_view_ids?.map(canonical);
  const orderedViews = [
    ...view_ids.map((id, index) => ({ id, param: `view_ids[${index}]` })),
    ...(default_view_id === null ? [] : [{ id: default_view_id, param: 'default_view_id' }]),
    ...(favorite_view_ids ?? []).map((id, index) => ({ id, param: `favorite_view_ids[${index}]` })),
  ];
  const reader = readerOf(caller, [object.object_type]);
  const wellFormed = orderedViews.flatMap(({ id }) => parseRecordId(id) ?? []);
  const known = await loadViewIds(db, model.schema, reader, wellFormed);
  const problems = orderedViews.flatMap(({ id, param }) => {
    const message = say('view_not_found_here');
    return known.has(id) ? [] : [{ param, code: 'invalid_write', message } as const];
  });
  if (problems.length > 0) throw errorFromProblems(problems);
  const kept = { object_type: object.object_type, view_ids, default_view_id };
  await putViewOrder(db, model.schema, caller.user.id, { ...kept, favorite_view_ids });
  return kept;
}

type Seen = Pick<ViewQuestion, 'model' | 'caller'>;

async function findView(
  db: Queryable,
  { model, caller }: Seen,
  id: string,
  load = loadView,
): Promise<PlacedView | undefined> {
  const viewId = parseRecordId(id);
  if (viewId === undefined) return undefined;
  const reader = readerOf(caller, viewableObjects(model, caller));
  return load(db, model.schema, reader, viewId);
}

async function requireView(
  db: Queryable,
  seen: Seen,
  id: string,
  load = loadView,
): Promise<PlacedView> {
  const view = await findView(db, seen, id, load);
  if (view !== undefined) return view;
  throw new ApiError('record_not_found', { param: 'view_id', message: say('view_not_found') });
}

export function readerOf(
  { user, colleague_ids }: Caller,
  object_types: readonly string[],
): ViewReader {
  return { user_id: user.id, colleague_ids, object_types };
}

function tooManyViews(): ApiError {
  const message = say('too_many_views', { most: LIMITS.viewsOfOwner });
  return new ApiError('conflict', { param: 'object_type', message });
}
