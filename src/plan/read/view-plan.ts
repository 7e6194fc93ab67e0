// The content of a view, and the people who may change one (docs/decisions.md, D290). A view has a question that its
// owner could ask at that moment; its answer lists the parts that a reader may not query. Pure.

import {
  ApiError,
  errorFromProblems,
  messageOf,
  type Problem,
  type Problems,
} from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, canReadField, canReadObject } from '../../model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { differences, patched } from '../write/patch.ts';
import { type AggregateRequest, planAggregate } from './aggregate-plan.ts';
import { planExpanded } from './expand-plan.ts';
import { type GroupedQuestion, parseGroupedQuestion, parseQuestion } from './question.ts';
import { requireObject } from './read-plan.ts';
import { resolveField, unknownField } from './resolve-field.ts';

export const VIEW_KINDS = ['table', 'board', 'calendar', 'report'] as const;
export type ViewKind = (typeof VIEW_KINDS)[number];

/** The ways to draw a report: `number` is one figure without groups. */
export const VIEW_CHARTS = ['table', 'bars', 'lines', 'funnel', 'number'] as const;

export const VIEW_METRICS = ['sum'] as const;

/** The footer of a table has one for each column that has it. */
export const COLUMN_TOTALS = ['sum', 'avg', 'min', 'max', 'filled', 'empty'] as const;

export const VIEW_SHARES = ['private', 'team', 'workspace'] as const;

/** JSON of a question; its shape depends on the kind of the view. */
export type ViewQuery = Readonly<Record<string, unknown>>;

export interface ViewColumn {
  /** A key, or a path through a reference. */
  readonly field: string;
  /** Pixels. */
  readonly width?: number;
  readonly total?: (typeof COLUMN_TOTALS)[number];
}

/** A metric of each column of a board, or group of a table. */
export interface ViewMetric {
  readonly op: (typeof VIEW_METRICS)[number];
  readonly field: string;
}

/** The fields that its owner can change. */
export interface ViewFields {
  readonly name: string;
  readonly kind: ViewKind;
  readonly shared: (typeof VIEW_SHARES)[number];
  readonly query: ViewQuery;
  readonly columns: readonly ViewColumn[];
  /** The field whose values are the columns of a board, or the groups of a table. */
  readonly group_by: string | null;
  /** Null: the client that shows the view decides. */
  readonly metrics: readonly ViewMetric[] | null;
  /** The chart of a report; null: the client that shows it decides. */
  readonly chart: (typeof VIEW_CHARTS)[number] | null;
}

export interface ViewRow extends ViewFields {
  readonly id: string;
  readonly object_type: string;
  readonly owner_user_id: number;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The parts of a view that name keys of the definition. */
export type KeyedView = Pick<ViewRow, 'object_type' | 'query' | 'columns' | 'group_by' | 'metrics'>;

export type ViewPatch = { readonly [Key in keyof ViewFields]?: ViewFields[Key] | undefined };

export type NewView = ViewPatch & Pick<ViewFields, 'name' | 'query'> & Pick<ViewRow, 'object_type'>;

/** Where a view is judged, and by whom. */
export interface ViewScope {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  /** Returns the problems in the shape of a question, without its place; routes know the shapes. */
  readonly checkShape: (kind: ViewKind, query: ViewQuery) => readonly Problem[];
}

/** Types of the objects that the caller may read: views of others are not there. */
export function viewableObjects(model: WorkspaceModel, caller: Caller): readonly string[] {
  const objects = [...model.objects.values()];
  return objects
    .filter((object) => canReadObject(caller, object))
    .map(({ object_type }) => object_type);
}

/** A new view. Errors: `object_not_available`, those of its question, columns and groups. */
export function planNewView(
  scope: ViewScope,
  { object_type, name, query, ...given }: NewView,
): ViewFields & Pick<ViewRow, 'object_type' | 'owner_user_id'> {
  const {
    kind = 'table',
    shared = 'private',
    columns = [],
    group_by = null,
    metrics = null,
    chart = null,
  } = given;
  const object = requireObject(scope.model, scope.caller, object_type);
  const view = { name, kind, shared, query, columns, group_by, metrics, chart };
  refuseProblems([
    ...shapeProblems(scope, view),
    ...questionProblems(scope, object, view),
    ...columnProblems(scope, object, view),
    ...groupProblems(scope, object, view),
    ...metricProblems(scope, object, view),
    ...chartProblems(view),
  ]);
  return { ...view, object_type, owner_user_id: scope.caller.user.id };
}

/**
 * A view as it will be; what does not change is not judged again. Errors: those of its question, columns and
 * groups.
 */
export function planViewChange(
  scope: ViewScope,
  before: ViewRow,
  patch: ViewPatch,
): { readonly after: ViewFields; readonly changed_fields: readonly (keyof ViewFields)[] } {
  const fields = fieldsOf(before);
  const after = patched(fields, patch);
  const changed_fields = differences(fields, after);
  const changes = (...some: readonly (keyof ViewFields)[]) =>
    some.some((word) => changed_fields.includes(word));
  const object = requireObject(scope.model, scope.caller, before.object_type);
  const asks = changes('query', 'kind');
  refuseProblems([
    ...(asks ? shapeProblems(scope, after) : []),
    ...(asks ? questionProblems(scope, object, after) : []),
    ...(changes('columns') ? columnProblems(scope, object, after) : []),
    ...(changes('group_by', 'kind') ? groupProblems(scope, object, after) : []),
    ...(changes('metrics', 'kind') ? metricProblems(scope, object, after) : []),
    ...(changes('chart', 'kind') ? chartProblems(after) : []),
  ]);
  return { after, changed_fields };
}

/** Problems of the parts that the caller may not query; empty when they may query it unchanged. */
export function viewProblems(
  scope: ViewScope,
  view: ViewRow,
): readonly Pick<Problem, 'param' | 'code' | 'message'>[] {
  const object = requireObject(scope.model, scope.caller, view.object_type);
  const problems = [
    ...questionProblems(scope, object, view),
    ...columnProblems(scope, object, view),
    ...groupProblems(scope, object, view),
    ...metricProblems(scope, object, view),
  ];
  return problems.map(({ param = 'query', code, message }) => ({ param, code, message }));
}

/** True for the owner of the view, and for administrators who see it. */
export function canChangeView(
  { user, access }: Caller,
  { owner_user_id }: Pick<ViewRow, 'owner_user_id'>,
): boolean {
  return owner_user_id === user.id || access.administrator;
}

/** Errors: `permission_denied`. */
export function requireViewChange(caller: Caller, view: ViewRow): void {
  if (canChangeView(caller, view)) return;
  throw new ApiError('permission_denied', { message: say('view_not_yours') });
}

const PLACE = 'query.';

type Report = GroupedQuestion & Pick<AggregateRequest, 'order_by'>;

function shapeProblems({ checkShape }: ViewScope, { kind, query }: ViewFields): readonly Problem[] {
  requireShort(query);
  const problems = checkShape(kind, query).map((problem) => ({
    ...problem,
    param: `${PLACE}${problem.param ?? ''}`,
  }));
  // A question of another shape is not checked further.
  refuseProblems(problems);
  return problems;
}

/** Everybody who sees a view reads its question. Errors: `validation_failed`. */
function requireShort(query: ViewQuery): void {
  const most = LIMITS.storedQuestionBytes;
  if (Buffer.byteLength(JSON.stringify(query)) <= most) return;
  const message = say('query_too_large', { most });
  refuseProblems([{ param: 'query', code: 'validation_failed', message }]);
}

function questionProblems(
  { model, caller }: ViewScope,
  object: ObjectModel,
  { kind, query }: ViewFields,
): readonly Problem[] {
  return problemsOf(() => {
    if (kind === 'report') {
      const { order_by, ...grouped } = query as unknown as Report;
      const asked = parseGroupedQuestion(grouped, PLACE, () => object);
      const request = { ...asked, order_by, limit: 1 };
      planAggregate(model, caller, object, { endpoint: 'aggregate query', ...request });
      return;
    }
    const asked = parseQuestion(query, PLACE, () => object);
    planExpanded(model, caller, object, { endpoint: 'query', ...asked });
  });
}

function columnProblems(
  scope: ViewScope,
  object: ObjectModel,
  { columns }: ViewFields,
): readonly Problem[] {
  return columns.flatMap(({ field: path }, index): readonly Problem[] => {
    const param = `columns[${index}].field`;
    const isRepeated = columns.findIndex((other) => other.field === path) !== index;
    if (isRepeated) return [{ param, code: 'validation_failed', message: say('field_repeated') }];
    return shownProblems(scope, object, { path, param });
  });
}

/** A field that is shown: of the object, or of the record that a reference leads to. */
export function shownProblems(
  { model, caller }: ViewScope,
  object: ObjectModel,
  { path, param }: { readonly path: string; readonly param: string },
): readonly Problem[] {
  const [key = '', behind] = path.split(/\.(.*)/s, 2);
  const field = object.fields.get(key) ?? object.rollups.get(key);
  if (field === undefined) return [{ param, code: 'invalid_filter', message: unknownField(path) }];
  if (!canReadField(caller, object, field)) return [unreadable(param)];
  if (behind === undefined) return [];
  const target = model.objects.get(field.reference_object_type ?? '');
  if (target === undefined) {
    return [
      { param, code: 'invalid_filter', message: say('field_not_reference', { field: `"${key}"` }) },
    ];
  }
  const shown = target.fields.get(behind);
  if (!canReadObject(caller, target)) return [unreadable(param)];
  if (shown === undefined) return [{ param, code: 'invalid_filter', message: unknownField(path) }];
  return canReadField(caller, target, shown) ? [] : [unreadable(param)];
}

function unreadable(param: string): Problem {
  return { param, code: 'permission_denied', message: say('field_not_readable') };
}

function groupProblems(
  { caller }: ViewScope,
  object: ObjectModel,
  { kind, group_by: key }: ViewFields,
): readonly Problem[] {
  const param = 'group_by';
  const refused = (code: Problem['code'], message: Message) => [{ param, code, message }];
  if (key === null) {
    if (kind === 'calendar') {
      return refused('validation_failed', say('calendar_needs_days'));
    }
    if (kind !== 'board') return [];
    return refused('validation_failed', say('board_needs_columns'));
  }
  if (kind === 'report') {
    return refused('validation_failed', say('report_groups'));
  }
  const problems: Problems = [];
  const field = resolveField(caller, object, { param, key }, problems);
  if (field === undefined) return problems;
  const { groupable, time } = FIELD_TYPE_TRAITS[field.type];
  if (kind === 'calendar' && time === undefined) {
    return refused('invalid_filter', say('field_without_days', { type: field.type }));
  }
  if (groupable) return problems;
  return refused('invalid_filter', say('field_not_groupable', { type: field.type }));
}

function metricProblems(
  { caller }: ViewScope,
  object: ObjectModel,
  { kind, metrics }: ViewFields,
): readonly Problem[] {
  if (metrics === null) return [];
  if (kind === 'report') {
    return [{ param: 'metrics', code: 'validation_failed', message: say('report_metrics') }];
  }
  const problems: Problems = [];
  metrics.forEach(({ op, field: key }, index) => {
    const param = `metrics[${index}].field`;
    const field = resolveField(caller, object, { param, key }, problems);
    if (field === undefined || FIELD_TYPE_TRAITS[field.type].aggregates.includes(op)) return;
    const message = say('metric_impossible', { op, what: `a ${field.type} field` });
    problems.push({ param, code: 'invalid_filter', message });
  });
  return problems;
}

function chartProblems({ kind, chart }: ViewFields): readonly Problem[] {
  if (chart === null || kind === 'report') return [];
  return [{ param: 'chart', code: 'validation_failed', message: say('chart_of_report') }];
}

/** The problems for which a planner refuses. */
function problemsOf(plan: () => void): readonly Problem[] {
  try {
    plan();
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, translatable: message = messageOf(code), param } = error;
    const told = (error.details?.errors ?? [{ code, message, param }]) as readonly Problem[];
    return told.map((problem) => ({ ...problem, param: inQuery(problem.param) }));
  }
}

/** The place of a part of the question, however far it was known where that was refused. */
function inQuery(param: string | undefined): string {
  if (param === undefined) return 'query';
  return param.startsWith(PLACE) ? param : `${PLACE}${param}`;
}

function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw errorFromProblems(problems);
}

function fieldsOf(view: ViewFields): ViewFields {
  const { name, kind, shared, query, columns, group_by, metrics, chart } = view;
  return { name, kind, shared, query, columns, group_by, metrics, chart };
}
